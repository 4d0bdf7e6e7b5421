"""Row labels in Parquet files: what pandas writes of them into the metadata of a file.

The format is that of https://pandas.pydata.org/docs/development/developer.html: the value of the key "pandas" is JSON that says which
columns are levels of the row labels, and how a range of numbers goes on that is no column.
"""

from __future__ import annotations

import json
import re

from .. import _columnade as native
from .._columnade import Index
from .._common import _has_numbers
from .._errors import ColumnadeError

KEY = "pandas"
# What pandas calls a column of labels without a name.
_UNNAMED = re.compile(r"__index_level_\d+__")
_INT64 = range(-(2**63), 2**63)


# Writing -----------------------------------------------------------------------------------------------------------------
def labelled(frame, index):
    """The frame that is written, with its row labels as columns where they are to be, and the metadata about them."""
    if index is False or index is None and _has_numbers(frame.index):
        return frame, {}
    levels = frame.index
    taken, fields = set(map(str, frame.columns)), []
    for place, name in enumerate(levels.names):
        field = ("index" if levels.nlevels == 1 else f"level_{place}") if name is None else str(name)
        fields.append(f"__index_level_{place}__" if field in taken or field in fields else field)
    made = frame.with_index(levels.rename(fields if len(fields) > 1 else fields[0])).reset_index()
    names = {**{str(label): str(label) for label in frame.columns}, **dict(zip(fields, levels.names))}
    columns = [_described(names[field], field, made[field].dtype) for field in [*map(str, frame.columns), *fields]]
    labels = {"name": None, "field_name": None, "pandas_type": "unicode", "numpy_type": "str", "metadata": {"encoding": "UTF-8"}}
    described = {
        "index_columns": fields, "column_indexes": [labels], "columns": columns, "attributes": {},
        "creator": {"library": "columnade", "version": native.__version__}, "pandas_version": "3.1.1",
    }
    return made, {KEY: json.dumps(described)}


def _described(name, field, dtype):
    """A column as pandas describes it."""
    text = str(dtype)
    kinds = {"utf8": ("unicode", "str"), "binary": ("bytes", "object"), "date32": ("date", "object"), "null": ("empty", "object")}
    about = None
    if text.startswith("timestamp"):
        # Parquet has no seconds.
        unit = "ms" if dtype.unit == "s" else dtype.unit
        about = None if dtype.tz is None else {"timezone": str(dtype.tz)}
        kind, stored = "datetime" if dtype.tz is None else "datetimetz", f"datetime64[{unit}]"
    elif text.startswith("duration"):
        kind, stored = "timedelta", f"timedelta64[{dtype.unit}]"
    elif text.startswith("dictionary"):
        kind, stored, about = "categorical", "int32", {"num_categories": None, "ordered": text.endswith(", ordered>")}
    elif dtype.is_numeric and not text.startswith("decimal") or text == "bool":
        kind = stored = text
    else:
        kind, stored = kinds.get(text, ("object", "object"))
    name = name if name is None or isinstance(name, int) else str(name)
    return {"name": name, "field_name": field, "pandas_type": kind, "numpy_type": stored, "metadata": about}


# Reading -----------------------------------------------------------------------------------------------------------------
class Labels:
    """The row labels that files say to have; none where they say nothing that can be understood."""

    def __init__(self, paths):
        self.levels = []
        self.names = {}
        try:
            described = json.loads(dict(native.read_parquet_metadata(paths)).get(KEY, "null"))
            levels = described["index_columns"]
            for column in described["columns"]:
                self.names[column.get("field_name", column["name"])] = column["name"]
        except (ColumnadeError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            # Not JSON, or not of this form. What is wrong with a file, the read of its rows says.
            return
        if isinstance(levels, list):
            self.levels = [level for level in levels if isinstance(level, (str, dict))]

    @property
    def columns(self):
        """The columns that are levels."""
        return list(dict.fromkeys(level for level in self.levels if isinstance(level, str)))

    def among(self, columns, known):
        """The columns that are read where these are asked for: those of labels too, if the files have them."""
        missing = [level for level in self.columns if level not in columns]
        return [*columns, *(level for level in missing if level in known())] if missing else columns

    def restored(self, frame):
        """The frame with its row labels."""
        levels = [level for level in self.columns if level in frame.columns]
        if levels:
            frame = frame.set_index(levels if len(levels) > 1 else levels[0])
            names = [self._name(level) for level in levels]
            return frame.with_index(frame.index.rename(names if len(names) > 1 else names[0]))
        ranges = [level for level in self.levels if isinstance(level, dict)]
        made = _range(ranges[0], len(frame)) if len(ranges) == 1 == len(self.levels) else None
        return frame if made is None else frame.with_index(made)

    def _name(self, level):
        name = self.names.get(level, level)
        # Old files name it as its column.
        is_unnamed = name is None or name == level and _UNNAMED.fullmatch(level)
        return None if is_unnamed else name if isinstance(name, (str, int)) else str(name)


def _range(level, rows):
    """The labels of a range, if it has as many as there are rows; a part of the rows has others."""
    start, stop, step = (level.get(part) for part in ("start", "stop", "step"))
    whole = all(isinstance(part, int) and not isinstance(part, bool) and part in _INT64 for part in (start, stop, step))
    if level.get("kind") != "range" or not whole or step == 0 or len(range(start, stop, step)) != rows:
        return None
    name = level.get("name")
    return Index.range(start, stop, step).rename(name if name is None or isinstance(name, int) else str(name))
