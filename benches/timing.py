"""What the scripts that time other libraries share: rounds, processes of libraries, and the speed of memory.

Each question is measured in rounds. In a round every library runs it, one library after the other, in the order of the record:
once without being counted, then `COUNTED` times, of which the median is the round's, or only once if that takes long. The median of the rounds is recorded.
Modules of other libraries are imported where they are used: `test_timing.py` needs none.
"""

import argparse
import contextlib
import datetime
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

# Runs of a round that count, after one that does not.
COUNTED = 2
# Seconds after which that one counts, and no other follows.
SLOW = 10.0
# Bytes of each array of the copy that gives the speed of memory: more than caches hold.
COPIED = 256 << 20


def parser_of(doc, script=None):
    """The options that all scripts have; those with processes of libraries pass their path."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--columnade", metavar="PROGRAM")
    parser.add_argument("--record", metavar="FILE.json")
    if script:
        parser.add_argument("--serve", metavar="LIBRARY", help=argparse.SUPPRESS)
    return parser


def options_of(doc):
    """The options of a script for operations, once the number of threads is set."""
    parser = parser_of(doc)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    limit_threads(options.threads)
    return options


def limit_threads(threads):
    """Confines this process, and those it starts, to so many processors; some libraries take no number of threads."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[:threads])
    os.environ["POLARS_MAX_THREADS"] = str(threads)


def timed(run, slow=SLOW):
    """Seconds of a round. A result is gone before the next run, outside of what is timed."""
    seconds = []
    for _ in range(1 + COUNTED):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
        del result
        if seconds[0] > slow:
            return seconds[0]
    return statistics.median(seconds[1:])


def reason_of(error):
    """The first line of an error, for the record."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]


class Rounds:
    """Seconds of each round by name and library, and which library lacks what, with the reason."""

    def __init__(self):
        self.seconds = {}
        self.left_out = {}

    def leave_out(self, library, name, reason):
        """A library that fails or differs has no figure of that name."""
        self.left_out.setdefault(library, {})[name] = reason
        self.seconds.get(name, {}).pop(library, None)
        print(f"{name}: {library} is left out: {reason}", flush=True)

    def is_left_out(self, library, name):
        return name in self.left_out.get(library, {})

    def add(self, library, name, seconds):
        self.seconds.setdefault(name, {}).setdefault(library, []).append(seconds)

    def round(self, name, runs):
        """One round: `runs` has a function by library, which gives the seconds."""
        for library, run in runs.items():
            if self.is_left_out(library, name):
                continue
            try:
                self.add(library, name, run())
            except Exception as error:
                self.leave_out(library, name, reason_of(error))

    def medians(self):
        return {
            name: {library: statistics.median(seconds) for library, seconds in row.items()}
            for name, row in self.seconds.items()
        }


class Worker:
    """A library in a process of its own: its threads and its memory are not those of another one."""

    def __init__(self, arguments):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, *arguments], **pipes)

    def ask(self, method, *arguments):
        """What a method of the library's peer gives; an error of its own is raised here."""
        print(json.dumps([method, *arguments]), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"its process ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def close(self):
        # Of a process that has ended there is nothing left to write to.
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def serve(make):
    """Answers what `Worker.ask` asks, with the methods of the peer that `make` gives."""
    # Libraries print to what is not the pipe.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = failure = None
    try:
        peer = make()
    except Exception as error:
        failure = reason_of(error)
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        try:
            answer = {"error": failure} if failure else {"value": getattr(peer, method)(*arguments)}
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic of Polars is no Exception
            answer = {"error": reason_of(error)}
        print(json.dumps(answer), file=answers, flush=True)


def example(program, arguments):
    """The records of an example that runs what is asked for once uncounted, then as often as a round counts."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        command = [program, *arguments, "--device", "host", "--runs", str(COUNTED + 1), "--json", record]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(record) as file:
            return json.load(file)


def bench(program, arguments):
    """Seconds by name of a benchmark of operations, which takes its own medians."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        command = [program, "--bench", *arguments, "--json", record]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(record) as file:
            figures = json.load(file)["figures"]
    return {name.removesuffix(", ms"): value / 1000 for name, value in figures.items() if name.endswith(", ms")}


def stream(threads, size=COPIED, runs=7):
    """Bytes a second that a copy by numpy reads and writes together, with a part of the arrays for each thread: the best run."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy

    source, target = numpy.ones(size // 8), numpy.zeros(size // 8)
    parts = list(zip(numpy.array_split(source, threads), numpy.array_split(target, threads)))
    best = math.inf
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(runs):
            start = time.perf_counter()
            list(pool.map(lambda part: numpy.copyto(part[1], part[0]), parts))
            best = min(best, time.perf_counter() - start)
    return 2 * source.nbytes / best


def least_bytes(table):
    """Bytes that an Arrow table needs at least: 8 for a wide number, an offset of 4 bytes and the characters for a string."""
    import pyarrow
    import pyarrow.compute as compute

    total = 0
    for column in table.columns:
        kind = column.type
        if pyarrow.types.is_dictionary(kind):
            column, kind = column.cast(kind.value_type), kind.value_type
        elif pyarrow.types.is_string_view(kind):
            column, kind = column.cast("large_string"), pyarrow.large_string()
        if pyarrow.types.is_boolean(kind):
            total += len(column) / 8
        elif pyarrow.types.is_primitive(kind) or pyarrow.types.is_decimal(kind):
            total += min(kind.bit_width // 8, 8) * len(column)
        else:
            total += 4 * len(column) + (compute.sum(compute.binary_length(column)).as_py() or 0)
        total += len(column) / 8 if column.null_count else 0
    return round(total)


def fractions(medians, bytes_by_name, speed):
    """Of each time, which share the bytes at the speed of memory would take; 1 is the limit."""
    return {
        name: {library: round(bytes_by_name[name] / speed / seconds, 4) for library, seconds in row.items()}
        for name, row in medians.items()
        if name in bytes_by_name
    }


def agrees(check, reference):
    """Whether a result has the rows and the sums of another one, up to the rounding of floats; `None` is not compared."""
    same_rows = None in (check["rows"], reference["rows"]) or check["rows"] == reference["rows"]
    pairs = list(zip(check["sums"], reference["sums"]))
    return same_rows and all(math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6) for one, other in pairs)


def record_of(options, order, rounds, columnade, speed=None, bytes_by_name=None):
    """What is written: order, rounds and how they went beside the figures."""
    medians = rounds.medians()
    record = {
        "date": datetime.date.today().isoformat(),
        "machine": platform.processor() or platform.machine(),
        "threads": options.threads,
        "order": order,
        "rounds": options.rounds,
        "runs_a_round": f"1 that is not counted, then {COUNTED}, of which the median; one that takes more than {SLOW} s is the only one",
        "columnade": columnade,
        "left_out": rounds.left_out,
        "median_seconds": medians,
    }
    if speed:
        record["stream_bytes_per_second"] = round(speed)
        record["least_bytes"] = bytes_by_name
        record["fraction_of_stream"] = fractions(medians, bytes_by_name, speed)
    return record


def publish(options, record):
    """Prints the figures, and writes the record that was asked for."""
    shares = record.get("fraction_of_stream", {})
    width = max(len(name) for name in [*record["median_seconds"], "seconds"])
    print(f"{'seconds':<{width}}", *[f"{library:>17}" for library in record["order"]], "  of stream")
    for name, row in record["median_seconds"].items():
        shown = [f"{row[library]:>17.5f}" if library in row else f"{'-':>17}" for library in record["order"]]
        share = shares.get(name, {}).get("columnade")
        print(f"{name:<{width}}", *shown, f"{share:>11.3f}" if share is not None else f"{'-':>11}", flush=True)
    if options.record:
        with open(options.record, "w") as file:
            json.dump(record, file, indent=1)
            file.write("\n")


def compared(rounds, name, operation, order):
    """The libraries that run an operation and whose results have as many rows as those of the first of them."""
    expected = None
    for library in order:
        if library not in operation or rounds.is_left_out(library, name):
            continue
        try:
            found = operation["rows"](operation[library]())
        except Exception as error:
            rounds.leave_out(library, name, reason_of(error))
            continue
        expected = found if expected is None else expected
        if found != expected:
            rounds.leave_out(library, name, f"its result differs: {found} rows, not {expected}")


def operations(options, order, parts):
    """Measures the operations of a bench: `parts` are functions that make data and give operations by name.

    An operation has a function by library and, where they are known, `bytes` of what it reads and gives, and `rows` of a result.
    A round is the bench's own program, all of its operations with nine runs each, and then each operation on one library after
    the other; data are made anew.
    """
    rounds, sizes = Rounds(), {}
    speed = stream(options.threads)
    for number in range(options.rounds):
        ours = {}
        if options.columnade:
            ours = bench(options.columnade, [str(options.rows), "--only", options.only])
        for part in parts:
            for name, operation in part().items():
                if options.only not in name:
                    continue
                if number == 0:
                    if "rows" in operation:
                        compared(rounds, name, operation, order)
                    if "bytes" in operation:
                        sizes[name] = operation["bytes"]()
                if name in ours:
                    rounds.add("columnade", name, ours[name])
                runs = {library: operation[library] for library in order if library in operation}
                rounds.round(name, {library: lambda run=run: timed(run) for library, run in runs.items()})
    speed = max(speed, stream(options.threads))
    how = "the program of the bench once a round, before the others: 9 runs after one that is not counted, their median"
    order = [*(["columnade"] if options.columnade else []), *order]
    publish(options, record_of(options, order, rounds, how, speed if sizes else None, sizes))
