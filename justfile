# Short names for the commands in CONTRIBUTING.md. `just` is optional: each command also works by itself.

# Lists the recipes.
default:
    @just --list

# Runs all checks, as CI does.
check:
    .ci/run

# Runs the tests, or those whose name contains a word.
test *name:
    cargo test --workspace {{ name }}

# Runs the tests and accepts their output as the new snapshots.
accept:
    INSTA_UPDATE=always cargo test --workspace --features quotient-server/openapi

# Evaluates the metrics of the retail shop, or those given by the arguments.
run *arguments="fixtures/online-retail/shop.metrics":
    cargo run --release -p quotient-examples --bin evaluate -- {{ arguments }}

# Generates docs/FUNCTIONS.md and docs/ERRORS.md from the code.
docs:
    INSTA_UPDATE=always cargo test -p quotient-tests documents

# Builds and opens the API documentation of the library.
rustdoc:
    cargo doc --workspace --no-deps --open

# Runs the benchmarks, or one of them; `table` runs only the table of goals.
bench *name:
    cargo bench -p benches {{ if name == "" { "" } else { "--bench " + name } }}

# Runs a fuzz target for some seconds: parse, print_parse, check_and_run, columns_against_scalar. Needs cargo-fuzz and a nightly compiler.
fuzz target seconds="60":
    mkdir -p engine/fuzz/work/{{ target }}
    cargo +nightly fuzz run --fuzz-dir engine/fuzz {{ target }} engine/fuzz/work/{{ target }} engine/fuzz/corpus/{{ target }} -- -max_total_time={{ seconds }} -max_len=10000 -timeout=10
