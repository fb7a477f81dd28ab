"""Runs statements that come as lines of JSON, in ClickHouse (chdb) or DataFusion.

A line is {"script": [text, …]} or {"text": …, "values": […]}; the answer is {"rows": [[…], …]} or
{"error": …}.
"""

import json
import sys


def chdb():
    from chdb.session import Session

    session = Session()

    def run(text, values):
        params = {f"p{number}": value for number, value in enumerate(values, 1)}
        answer = session.query(text, "JSONCompactEachRow", params=params)
        lines = answer.bytes().decode() if answer is not None else ""
        return [json.loads(line) for line in lines.splitlines() if line]

    return run


def datafusion():
    from datafusion import SessionConfig, SessionContext

    context = SessionContext(SessionConfig().with_target_partitions(1))

    def run(text, values):
        params = {str(number): value for number, value in enumerate(values, 1)}
        found = context.sql(text, param_values=params) if params else context.sql(text)
        return [list(row.values()) for batch in found.collect() for row in batch.to_pylist()]

    return run


def main():
    run = {"chdb": chdb, "datafusion": datafusion}[sys.argv[1]]()
    print(json.dumps({"rows": []}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            rows = []
            for text in asked.get("script", []):
                run(text, [])
            if "text" in asked:
                rows = run(asked["text"], asked["values"])
            answer = {"rows": rows}
        except Exception as error:
            answer = {"error": str(error)[:2000]}
        print(json.dumps(answer, default=str), flush=True)


main()
