"""DuckDB over the orders and lines of a store, one question at a time.

    store_peers.py FILE END

FILE is the store's SQLite database, END one past the last instant of its year, in milliseconds since
1970. The rows are first copied into DuckDB's own tables, with whole numbers for ids. The first line of
output is an object with the version and the answer to each question; then each line of input,
`duckdb QUESTION`, is run once, and answered with the nanoseconds of processor time that it took. It
runs on one thread, like SQLite.
"""

import csv
import json
import sqlite3
import sys
import tempfile
import time

import duckdb

FILE, END = sys.argv[1], int(sys.argv[2])
DAY = 24 * 60 * 60 * 1000

TABLES = {
    "orders": (
        "number integer, placed_at bigint, channel varchar, status varchar, currency varchar, total bigint",
        "select display_id, placed_at, sales_channel_id, status, currency, total_minor + credit_line_minor from orders",
    ),
    "lines": (
        "number integer, product varchar, quantity integer, sales bigint",
        "select o.display_id, l.product_id, l.quantity, l.subtotal_minor - l.discount_subtotal_minor"
        " from orders o join order_line l on l.order_id = o.id order by o.display_id",
    ),
}


def stands(days):
    return (
        "status not in ('canceled', 'draft') and currency = 'gbp'"
        f" and placed_at >= {END - days * DAY} and placed_at < {END}"
    )


QUESTIONS = {
    "whole": f"select '', sum(total), count(*) from orders where {stands(30)}",
    "daily": "select strftime(make_timestamp(day * 86400000000), '%Y-%m-%d'), total from"
    f" (select placed_at // 86400000 as day, sum(total) as total from orders where {stands(365)} group by day) order by day",
    "channels": f"select channel, sum(total) from orders where {stands(90)} group by channel order by channel",
    "products": "select product, sum(quantity) as units, sum(sales) from orders join lines using (number)"
    f" where {stands(90)} group by product order by units desc, product limit 10",
}


def database():
    """The rows as tables of DuckDB."""
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    store = sqlite3.connect(FILE)
    for name, (columns, rows) in TABLES.items():
        connection.execute(f"create table {name} ({columns})")
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
            csv.writer(file).writerows(store.execute(rows))
            file.flush()
            connection.execute(f"copy {name} from '{file.name}' (header false)")
    return connection


def main():
    connection = database()

    def run(question):
        return connection.execute(QUESTIONS[question]).fetchall()

    answers = {
        f"duckdb {question}": json.dumps([[row[0], [int(number) for number in row[1:]]] for row in run(question)])
        for question in QUESTIONS
    }
    print(json.dumps({"versions": [f"duckdb {duckdb.__version__}"], "answers": answers}), flush=True)
    for line in sys.stdin:
        question = line.split()[1]
        start = time.process_time_ns()
        run(question)
        print(json.dumps(time.process_time_ns() - start), flush=True)


main()
