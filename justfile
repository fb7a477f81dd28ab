# Short names for the commands of CONTRIBUTING.md. Nothing needs `just`: each line works by itself.

# The list of names.
default:
    @just --list

# Every check, as CI runs them.
check:
    .ci/run

# The tests, or those whose name holds a word.
test *name:
    cargo test --workspace {{ name }}

# The tests, taking what they print as the new snapshots.
accept:
    INSTA_UPDATE=always cargo test --workspace

# The retail shop's metrics, or whatever else the arguments ask for.
run *arguments="fixtures/online-retail/shop.metrics":
    cargo run --release -p quotient-examples --bin evaluate -- {{ arguments }}

# docs/FUNCTIONS.md and docs/ERRORS.md, written from the code.
docs:
    INSTA_UPDATE=always cargo test -p quotient --test documents

# The library's own documentation, opened.
rustdoc:
    cargo doc --workspace --no-deps --open

# The benchmarks, or one of them; `table` is the goals alone.
bench *name:
    cargo bench -p benches {{ if name == "" { "" } else { "--bench " + name } }}

# A fuzz target for so many seconds: parse, print_parse, check_and_run, columns_against_scalar. Needs cargo-fuzz and a nightly compiler.
fuzz target seconds="60":
    mkdir -p engine/fuzz/work/{{ target }}
    cargo +nightly fuzz run --fuzz-dir engine/fuzz {{ target }} engine/fuzz/work/{{ target }} engine/fuzz/corpus/{{ target }} -- -max_total_time={{ seconds }} -max_len=10000 -timeout=10
