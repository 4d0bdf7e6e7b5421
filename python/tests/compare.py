"""Comparison with results of pandas."""

import columnade as cn
import numpy as np
import pandas as pd


def floats(values):
    """Values as floats, NaN for those that are missing."""
    if isinstance(values, (cn.Series, cn.DataFrame)):
        values = values.to_pandas()
    return values.astype("Float64").to_numpy(dtype=float, na_value=np.nan)


def same(made, expected):
    """The labels of rows and columns, and numbers, of which those that are missing are NaN."""
    assert made.index.to_list() == list(expected.index)
    if isinstance(expected, pd.Series):
        np.testing.assert_allclose(floats(made), floats(expected), rtol=1e-12)
        return
    assert made.columns == list(expected.columns)
    for label in expected.columns:
        np.testing.assert_allclose(floats(made[label]), floats(expected[label]), rtol=1e-12, err_msg=str(label))
