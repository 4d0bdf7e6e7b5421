"""Prints the answer of a query over Parquet files as JSON: the labels, the types and the values as text.

usage: python3 -c SCRIPT FOLDER SQL; exit code 3 without the module duckdb
"""

import json
import os
import sys

try:
    import duckdb
except ImportError:
    sys.exit(3)

folder, sql = sys.argv[1:]
connection = duckdb.connect()
# It would be in the output.
connection.execute("set enable_progress_bar=false")
for table in ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]:
    files = os.path.join(folder, table, "*") if os.path.isdir(os.path.join(folder, table)) else os.path.join(folder, table + ".parquet")
    if os.path.isdir(os.path.join(folder, table)) or os.path.exists(files):
        connection.execute(f"create view {table} as select * from read_parquet('{files}')")
answer = connection.execute(sql)
columns = [column[0] for column in answer.description]
types = [str(column[1]) for column in answer.description]
rows = [[None if value is None else str(value) for value in row] for row in answer.fetchall()]
json.dump({"columns": columns, "types": types, "rows": rows}, sys.stdout)
