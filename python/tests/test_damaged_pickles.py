"""Pickles with a wrong byte are an ordinary exception or other values, and nothing is printed."""

import pickle
import subprocess
import sys

import columnade as cn
import pytest

SCRIPT = """
import pickle, sys
import columnade as cn

data = pickle.loads(sys.stdin.buffer.read())
kinds = {}
for function, arguments in data:
    read = getattr(cn._columnade, function, None) or getattr(cn._convert, function)
    whole = arguments[-1]
    for at in range(len(whole)):
        for flip in (0xFF, 0x01, 0x80):
            damaged = bytearray(whole)
            damaged[at] ^= flip
            try:
                made = read(*arguments[:-1], bytes(damaged))
                repr(made)
            except Exception as error:
                assert isinstance(error, cn.ColumnadeError), (at, type(error), error)
                assert not isinstance(error, cn.InternalError), (at, error)
                kinds[type(error).__name__] = kinds.get(type(error).__name__, 0) + 1
    for length in range(len(whole)):
        try:
            read(*arguments[:-1], whole[:length])
        except cn.ColumnadeError:
            kinds["cut"] = kinds.get("cut", 0) + 1
print(kinds)
"""


def test_no_byte_of_a_pickle_makes_a_panic():
    """The bytes of Arrow and of expressions: those of Python's own format are read by Python."""
    frame = cn.DataFrame({"a": [1, None], "s": ["x", "yy"], "l": [[1], []], "c": cn.Series(["u", "v"]).astype("category")})
    frame = frame.rename(columns={"a": "0", "s": "1", "l": "2", "c": "3"})
    calls = [("_from_bytes", (cn._columnade._to_bytes(frame),)), ("_series_of_bytes", ("v", cn._columnade._to_bytes(cn.DataFrame({"values": ["a"]}))))]
    calls.append(("_expr_from_bytes", (cn.col("a").sum().over("k").__reduce__()[1])))
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=pickle.dumps(calls), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    assert b"ColumnValueError" in done.stdout


@pytest.mark.parametrize("made", [cn.DataFrame({"a": [1, 2]}), cn.Series(["a", None], name="s"), cn.DataFrame({"a": [1]}, index=["x"])])
def test_whole_pickles_return(made):
    assert pickle.loads(pickle.dumps(made)).equals(made)
