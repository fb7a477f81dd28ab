"""Polars and DuckDB over the rows of benches/src/rows.rs, one query at a time.

    columns_peers.py ROWS

The first line of output is an object with the versions and, for each peer and query, the answer as
text. Then each line of input, `PEER QUERY`, is run once, and answered with the nanoseconds of
processor time that it took, as JSON. Both run on one thread, like the engine.
"""

import json
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"

import duckdb  # noqa: E402
import polars as pl  # noqa: E402

ROWS = int(sys.argv[1])

# The rule that generates the rows: amounts in cents and a count, from the number of the row, in a
# notation that means the same in Python and in SQL.
RULE = {
    "revenue": "1000 + i * 7919 % 1000000",
    "refunds": "i * 104729 % 5000",
    "orders": "1 + i * 31 % 97",
}
AMOUNTS = ("revenue", "refunds")

net = pl.col("revenue") - pl.col("refunds")
QUERIES = {
    "average": (net / pl.col("orders")).round(2),
    "ratio": net.sum() / pl.col("orders").sum(),
}
SQL = {
    # The values of the rows are summed, which is less work than keeping them.
    "average": "select sum(round((revenue - refunds) / orders, 2)::decimal(18, 2)) from rows",
    "ratio": "select sum(revenue - refunds) / sum(orders) from rows",
}


def frames():
    """The columns as Polars takes them: floats, and decimals of two digits."""
    row = pl.int_range(ROWS, dtype=pl.Int64, eager=True)
    whole = pl.DataFrame({name: eval(rule, {"i": row}) for name, rule in RULE.items()})
    floats = whole.with_columns(pl.col(AMOUNTS) / 100, pl.col("orders").cast(pl.Float64))
    hundred = pl.lit(100, pl.Decimal(20, 2))
    decimals = whole.with_columns(
        (pl.col(AMOUNTS).cast(pl.Decimal(20, 2)) / hundred).cast(pl.Decimal(18, 2))
    )
    return {"polars f64": floats, "polars Decimal": decimals}


def database():
    """The columns as a table of DuckDB."""
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    columns = ", ".join(
        f"(({rule}) * 0.01)::decimal(18, 2) as {name}" if name in AMOUNTS else f"{rule} as {name}"
        for name, rule in RULE.items()
    )
    connection.execute(f"create table rows as select {columns} from range({ROWS}) as t(i)")
    return connection


def peers():
    """A function for each peer and query."""
    connection = database()
    runs = {
        ("duckdb DECIMAL", query): lambda sql=sql: connection.execute(sql).fetchone()[0]
        for query, sql in SQL.items()
    }
    for name, frame in frames().items():
        for query, expression in QUERIES.items():
            runs[name, query] = lambda frame=frame, expression=expression: frame.select(
                answer=expression
            )["answer"]
    return runs


def main():
    runs = peers()
    answers = {}
    for (peer, query), run in runs.items():
        answer = run()
        if isinstance(answer, pl.Series):
            answer = answer.sum()
        answers[f"{peer} {query}"] = str(answer)
    versions = [f"polars {pl.__version__}", f"duckdb {duckdb.__version__}"]
    print(json.dumps({"versions": versions, "answers": answers}), flush=True)
    for line in sys.stdin:
        peer, _, query = line.strip().rpartition(" ")
        run = runs[peer, query]
        start = time.process_time_ns()
        run()
        print(json.dumps(time.process_time_ns() - start), flush=True)


main()
