"""Runs calls on pandas and writes inputs, calls and results as JSON lines.

    python generate.py OUTPUT [--small]

The first lines are inputs, each a frame; then follow calls: an operation, an input, arguments, and the columns of the result,
or the exception.
Columns are of ArrowDtype, with nulls apart from NaN. Times are whole units since 1970, floats are written so that they are read
back bit by bit. `--small` writes one call in `SMALL`, which the repository keeps for the tests.
"""

import itertools
import json
import sys

# What is compiled would lie beside the sources.
sys.dont_write_bytecode = True

import elements, groups, text_and_times, labels, indexes  # noqa: E401, F401, each registers its operations in this order
from harness import OPERATIONS, columns_of, frame_of, inputs, number

SMALL = 61


def main():
    target, small = sys.argv[1], "--small" in sys.argv[2:]
    frames = inputs()
    with open(target, "w", encoding="utf-8") as out:
        def write(line):
            json.dump(line, out, ensure_ascii=False, separators=(",", ":"))
            out.write("\n")

        for name, columns in frames.items():
            columns = [{"label": label, "dtype": dtype, "values": [number(v) for v in values]} for label, (dtype, values) in columns.items()]
            write({"input": name, "columns": columns})
        count = 0
        for name, call, options, nan_is_null, wanted, errors in OPERATIONS:
            for values in itertools.product(*options.values()):
                arguments = dict(zip(options, values))
                for frame, columns in frames.items():
                    if not wanted(frame):
                        continue
                    count += 1
                    if small and count % SMALL:
                        continue
                    try:
                        found = call(frame_of(columns), **arguments)
                    except Exception as error:
                        # What pandas refuses: only some operations say whether we do.
                        if errors:
                            write({"op": name, "frame": frame, "args": arguments, "error": type(error).__name__})
                        if "--errors" in sys.argv:
                            print(name, arguments, frame, type(error).__name__, error, file=sys.stderr)
                        continue
                    if found is None:
                        continue
                    write({"op": name, "frame": frame, "args": arguments, "expect": columns_of(found, nan_is_null)})


if __name__ == "__main__":
    main()
