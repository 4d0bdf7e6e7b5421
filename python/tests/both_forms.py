"""The same call on a series and on a column of expressions."""

from columnade import col


def both_forms(series, call):
    """What a function makes of a series, which is what it makes of the column of a frame."""
    made = call(series).to_list()
    assert series.rename("it").to_frame().select(made=call(col("it")))["made"].to_list() == made
    return made
