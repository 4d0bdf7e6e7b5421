"""Each public method of Rust's `Expr`, `Series`, `DataFrame` and `GroupBy` is a method of Python too, or has a reason here."""

import columnade as cn
import pytest

from rust_methods import methods

METHODS = methods()

# What has another form in Python.
OPERATOR, ARGUMENT, PROTOCOL, MEMORY = (
    "an operator", "an argument of another method", "a protocol of Python", "memory of Rust, which no value of Python owns",
)
SAME = {"len": "__len__", "is_empty": "empty"}


def each(reason, names):
    return dict.fromkeys(names.split(), reason)


LEFT_OUT = {
    "Expr": {
        **each(OPERATOR, "and or"),
        **each(
            ARGUMENT,
            "clip_min clip_max cov_ddof interpolate_limit kendall over_with product_min_count quantile_with quantiles quantiles_with sem_ddof "
            "shift_or spearman std_ddof sum_min_count try_cast var_ddof rolling_sem_ddof rolling_std_ddof rolling_var_ddof",
        ),
        **each("looks into the tree, which Python sees as text", "node is_row_wise check_levels"),
        **each("agg of windows does it", "in_windows"),
    },
    "Series": {
        **each(OPERATOR, "and or neg"),
        **each(
            ARGUMENT,
            "add_with sub_with mul_with div_with floor_div_with rem_with pow_with eq_with ne_with lt_with le_with gt_with ge_with "
            "clip_min clip_max cov_ddof interpolate_limit kendall max_with min_with product_min_count quantile_with quantiles sem_ddof "
            "shift_or spearman std_ddof sum_min_count try_cast unstack_with value_counts_with var_ddof cut_codes cut_edges",
        ),
        **each(
            PROTOCOL,
            "iter to_vec to_options to_scalars to_arrow_c to_arrow_c_stream from_arrow_c from_arrow_c_stream to_dlpack "
            "from_dlpack to_cuda_array from_cuda_array to_string_with",
        ),
        **each("`copy`", "deep_copy shallow_copy"),
        **each("`DataFrame(series)` and the constructor", "new"),
        **each(MEMORY, "exec expose_cuda_array into_values to_cuda_array_mut"),
        **each("`reset_index(drop=True)`", "ignore_index"),
        **each("`sort_index(level=…)`", "sort_levels"),
        **each("`index.difference`, and `is_in` for values", "difference"),
        **each("`lit(series)`", "scalar"),
        **each("operators and methods of the series", "evaluate"),
        **each("`//` and `%`", "rem"),
    },
    "DataFrame": {
        **each(OPERATOR, "and or"),
        **each(
            ARGUMENT,
            "add_with sub_with mul_with div_with floor_div_with rem_with pow_with align_rows cov_ddof fill_null_each "
            "fill_null_strict interpolate_limit kendall quantile_with reindex_columns set_index_with shift_or spearman stack_levels try_cast "
            "unstack_with value_counts_with write_csv_with write_dataset_with write_ipc_with write_json_with write_parquet_with "
            "group_by_with",
        ),
        **each(
            PROTOCOL,
            "to_arrow_c to_arrow_c_stream from_arrow_c from_arrow_c_stream to_dlpack from_dlpack to_string_with from_accessor",
        ),
        **each("`copy`", "deep_copy shallow_copy"),
        **each("the constructor", "new"),
        **each(MEMORY, "exec to_exec frame indexed_frame"),
        **each("`reset_index(drop=True)`", "ignore_index"),
        **each("`sort_index(level=…)`", "sort_levels"),
        **each("`reset_index(level=…)`", "reset_levels"),
        **each("`droplevel`, `swaplevel`, `reorder_levels`", "drop_row_level swap_row_levels reorder_row_levels rename_levels"),
        **each("names of the levels of labels: `columns` has the labels", "levels"),
        **each("`loc[rows, columns]`", "loc_at"),
        **each("`filter(…)[columns]`", "filter_columns"),
        **each("`lit(frame)`", "scalar"),
        **each("`with_columns`", "with_column"),
        **each("`filter(…).agg(…)`", "rows_where"),
        **each("`frame[labels]`", "select_by_label"),
        **each("what two frames differ in, for tests in Rust; `equals`", "difference"),
    },
    "GroupBy": {
        **each(ARGUMENT, "as_index dropna observed sort quantiles value_counts_with cov_ddof"),
        **each("`groups[column].nlargest`", "nlargest nsmallest"),
        **each("`filter(…).group_by(…)`", "rows_where"),
    },
}


@pytest.mark.parametrize("name", sorted(METHODS))
def test_methods_of_rust_are_methods_of_python(name):
    of = getattr(cn, name)
    missing = {
        method for method in METHODS[name]
        if not any(hasattr(of, known) for known in (method, method.rstrip("_"), SAME.get(method, method)))
    }
    assert missing - LEFT_OUT[name].keys() == set(), "without a method and without a reason"
    assert LEFT_OUT[name].keys() - missing == set(), "reasons for what is there, or no method of Rust any more"


def test_the_sources_are_read():
    # Methods written out, of macros, and constant ones.
    assert {"cum_sum", "exp", "sin", "bit_xor"} <= METHODS["Expr"]
    assert {"sum", "var", "add", "add_with", "rolling_mean"} <= METHODS["Series"]
    assert {"merge", "add", "write_parquet"} <= METHODS["DataFrame"] and {"agg", "head"} <= METHODS["GroupBy"]
