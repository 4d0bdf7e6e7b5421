"""Tests of `timing.py`, which need no other library; `cargo test -p xtask` runs them."""

import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest

import timing

EXAMPLE = """#!/bin/sh
# What the examples and benches write: the file is the last argument.
for last; do :; done
echo '{}' > "$last"
"""
PEER = """
import sys
sys.path.insert(0, {folder!r})
import timing
class Peer:
    def seconds(self, name):
        print("noise of a library")
        return {{"a": 1.5}}[name]
def make():
    if sys.argv[1] == "absent":
        raise ImportError("no module")
    return Peer()
timing.serve(make)
"""


def program(folder, answer):
    path = os.path.join(folder, "program")
    with open(path, "w") as file:
        file.write(EXAMPLE.replace("{}", json.dumps(answer)))
    os.chmod(path, 0o755)
    return path


class RoundsTest(unittest.TestCase):
    def setUp(self):
        silence = contextlib.redirect_stdout(io.StringIO())
        silence.__enter__()
        self.addCleanup(silence.__exit__, None, None, None)

    def test_a_round_runs_each_library_once_in_order(self):
        rounds, order = timing.Rounds(), []
        seconds = {"one": iter([1.0, 5.0, 2.0]), "other": iter([4.0, 3.0, 8.0])}
        run = lambda library: order.append(library) or next(seconds[library])
        for _ in range(3):
            rounds.round("g1", {library: lambda library=library: run(library) for library in seconds})
        self.assertEqual(order, ["one", "other"] * 3)
        self.assertEqual(rounds.medians(), {"g1": {"one": 2.0, "other": 4.0}})

    def test_a_library_that_fails_is_left_out_by_name(self):
        rounds, calls = timing.Rounds(), []

        def fails():
            calls.append(1)
            if len(calls) == 2:
                raise ValueError("refused\nmore")
            return 1.0

        for _ in range(3):
            rounds.round("g8", {"one": fails, "other": lambda: 2.0})
        rounds.round("g9", {"one": lambda: 3.0})
        self.assertEqual(len(calls), 2)
        self.assertEqual(rounds.left_out, {"one": {"g8": "refused"}})
        self.assertEqual(rounds.medians(), {"g8": {"other": 2.0}, "g9": {"one": 3.0}})

    def test_the_first_run_does_not_count_unless_it_is_slow(self):
        runs = []
        timing.timed(lambda: runs.append(1))
        self.assertEqual(len(runs), 1 + timing.COUNTED)
        runs.clear()
        self.assertGreaterEqual(timing.timed(lambda: runs.append(1), slow=-1.0), 0)
        self.assertEqual(len(runs), 1)

    def test_results_agree_up_to_rounding(self):
        check = lambda rows, *sums: {"rows": rows, "sums": list(sums)}
        self.assertTrue(timing.agrees(check(2, 1e9), check(2, 1e9 + 1)))
        self.assertTrue(timing.agrees(check(None, 1.0), check(2, 1.0)))
        self.assertFalse(timing.agrees(check(3, 1.0), check(2, 1.0)))
        self.assertFalse(timing.agrees(check(2, 1.0), check(2, 1.001)))

    def test_operations_that_differ_are_left_out(self):
        rounds = timing.Rounds()
        operation = {"duckdb": lambda: 2, "polars": lambda: 3, "pandas": lambda: 2, "rows": lambda result: result}
        timing.compared(rounds, "sort", operation, ["duckdb", "polars", "pandas", "datafusion"])
        self.assertEqual(rounds.left_out, {"polars": {"sort": "its result differs: 3 rows, not 2"}})

    def test_fractions_are_of_the_time_at_the_speed_of_memory(self):
        medians = {"g1": {"one": 0.5, "other": 4.0}, "g2": {"one": 1.0}}
        found = timing.fractions(medians, {"g1": 2_000_000}, 1e7)
        self.assertEqual(found, {"g1": {"one": 0.4, "other": 0.05}})


class ProcessesTest(unittest.TestCase):
    def test_figures_of_examples_and_benches_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(timing.example(program(folder, [{"query": "g1"}]), []), [{"query": "g1"}])
            figures = {"figures": {"sort, ms": 250, "sort, GB/s": 3}}
            self.assertEqual(timing.bench(program(folder, figures), ["100"]), {"sort": 0.25})

    def test_workers_answer_with_values_and_errors(self):
        script = PEER.format(folder=os.path.dirname(os.path.abspath(timing.__file__)))
        worker = timing.Worker(["-B", "-c", script, "there"])
        self.assertEqual(worker.ask("seconds", "a"), 1.5)
        with self.assertRaisesRegex(RuntimeError, "b"):
            worker.ask("seconds", "b")
        self.assertEqual(worker.ask("seconds", "a"), 1.5)
        worker.close()
        absent = timing.Worker(["-B", "-c", script, "absent"])
        with self.assertRaisesRegex(RuntimeError, "no module"):
            absent.ask("seconds", "a")
        absent.close()
        ended = timing.Worker(["-c", "raise SystemExit(3)"])
        with self.assertRaises((RuntimeError, OSError)):
            ended.ask("seconds", "a")
        ended.close()

    def test_records_name_order_rounds_and_omissions(self):
        options = types.SimpleNamespace(threads=2, rounds=3, record=None)
        rounds = timing.Rounds()
        rounds.add("duckdb", "g1", 0.5)
        rounds.left_out = {"pandas": {"g1": "refused"}}
        record = timing.record_of(options, ["columnade", "duckdb"], rounds, "how", 1e9, {"g1": 5_000_000})
        self.assertEqual((record["order"], record["rounds"]), (["columnade", "duckdb"], 3))
        self.assertEqual(record["left_out"], {"pandas": {"g1": "refused"}})
        self.assertEqual(record["fraction_of_stream"], {"g1": {"duckdb": 0.01}})
        with tempfile.TemporaryDirectory() as folder:
            options.record = os.path.join(folder, "record.json")
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                timing.publish(options, record)
            with open(options.record) as file:
                self.assertEqual(json.load(file)["median_seconds"], {"g1": {"duckdb": 0.5}})
        self.assertIn("0.50000", shown.getvalue())


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False).result.wasSuccessful())
