"""Options and arguments of tables that are printed: the same calls on pandas."""

import columnade as cn
import pandas as pd
import pytest

TABLE = pd.DataFrame(
    {"alpha": [1.25, 2.55, 3.15], "beta": ["x", "y", "z"], "gamma": [10, 20, 30], "delta": [0.125, 3.375, 1.625]},
    index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 2)], names=["k", "n"]),
)
ARGUMENTS = [
    dict(line_width=30), dict(line_width=30, index=False), dict(line_width=12), dict(line_width=200), dict(col_space=12), dict(col_space={"beta": 9}),
    dict(col_space=[7, 8, 9, 10]), dict(sparsify=False), dict(sparsify=True, justify="right"), dict(decimal=","), dict(justify="left"),
    dict(formatters={"beta": str.upper}), dict(line_width=30, sparsify=False), dict(na_rep="-"), dict(columns=["gamma", "beta"]),
]


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_to_string(arguments):
    assert cn.from_pandas(TABLE).to_string(**arguments) == TABLE.to_string(**arguments)
    rows = TABLE.reset_index(drop=True)
    assert cn.from_pandas(rows).to_string(**arguments) == rows.to_string(**arguments)


def test_to_html_leaves_out_labels_that_repeat():
    made = cn.from_pandas(TABLE).to_html(classes="c", border=0, decimal=",")
    assert made.count('<th rowspan="2" valign="top">a</th>') == 1 and made.count(">b<") == 1 and "<td>1,25</td>" in made
    assert cn.from_pandas(TABLE).to_html(sparsify=False).count("<th>a</th>") == 2
    text = cn.DataFrame({"a": ["<b>"]})
    assert "&lt;b&gt;" in text.to_html() and "<b>" in text.to_html(escape=False)


def test_show_dimensions():
    frame = cn.DataFrame({"a": [1, 2, 3]})
    assert repr(frame).endswith("[3 rows × 1 columns]")
    with cn.option_context("display.show_dimensions", False):
        assert "rows" not in repr(frame) and "rows" not in str(frame["a"])
    with cn.option_context("display.show_dimensions", "truncate"):
        assert "rows" not in repr(frame)
        with cn.option_context("display.max_rows", 2):
            assert repr(frame).endswith("[3 rows × 1 columns]")
    assert cn.get_option("display.show_dimensions") is True


def test_multi_sparse_and_float_format():
    frame = cn.from_pandas(TABLE)
    with cn.option_context("display.multi_sparse", False):
        assert repr(frame).split("\n")[3].startswith("a 2") and frame.to_string(na_rep="") == TABLE.to_string(sparsify=False)
    with cn.option_context("display.float_format", "<{:.1f}>".format):
        assert "<1.2>" in repr(frame) and "<1.2>" in repr(frame["alpha"]) and "&lt;1.2&gt;" in frame.to_html() and "<1.2>" in frame.to_string()
        assert cn.get_option("float_format")(2.0) == "<2.0>"
    assert "<1.2>" not in repr(frame)


def test_max_info_columns(capsys):
    frame = cn.from_pandas(TABLE)
    frame.info()
    assert "alpha" in capsys.readouterr().out
    with cn.option_context("display.max_info_columns", 3):
        frame.info()
        assert "alpha" not in capsys.readouterr().out
        frame.info(max_cols=10)
        assert "alpha" in capsys.readouterr().out


@pytest.mark.parametrize("name, value", [
    ("display.show_dimensions", "no"), ("display.show_dimensions", 1), ("display.multi_sparse", 1), ("display.float_format", "%.2f"),
    ("display.max_info_columns", -1),
])
def test_values_of_options_are_checked(name, value):
    with pytest.raises(cn.ColumnTypeError, match=name):
        cn.set_option(name, value)
    cn.set_option("display.multi_sparse", False)
    cn.reset_option("display.multi_sparse")
    assert cn.get_option("display.multi_sparse") is True


def test_arguments_are_checked():
    frame = cn.from_pandas(TABLE)
    with pytest.raises(ValueError, match="2 values for 4 columns"):
        frame.to_string(col_space=[1, 2])
    with pytest.raises(TypeError, match="line_width is a number"):
        frame.to_string(line_width="wide")


LEVELS = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]], columns=pd.MultiIndex.from_tuples([("x", "a"), ("x", "b"), ("y", "b")], names=["l", None]), index=pd.Index([7, 8], name="k"),
)
HEADS = {
    "names": (LEVELS, {}), "no names": (LEVELS.rename_axis(None).rename_axis(columns=[None, None]), {}), "not sparse": (LEVELS, {"sparsify": False}),
    "no names of rows": (LEVELS.rename_axis(None), {}), "gap": (LEVELS, {"max_cols": 2}),
    "levels of rows": (LEVELS.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2)], names=["p", None])), {}),
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_of_html_have_a_row_for_each_level(name):
    frame, options = HEADS[name]

    def head(text):
        return [line.strip() for line in text.split("<tbody>")[0].replace(">", ">\n").replace("<", "\n<").split("\n") if line.strip()][1:]

    assert head(cn.from_pandas(frame).to_html(**options)) == head(frame.to_html(**options))


def test_nan_is_written_alike_with_and_without_a_format():
    series = cn.Series([1.0, float("nan"), None])
    assert [line.split()[-1] for line in series.to_string(float_format="%.1f").split("\n")] == ["1.0", "NaN", "<NA>"]
