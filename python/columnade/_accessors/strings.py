"""Arguments of pandas for functions of strings, of series and of expressions."""

from __future__ import annotations

import builtins
import re

from .. import _columnade as native
from .._columnade import DataFrame, Series, col, concat
from .._common import _error, _is_number
from .._errors import ColumnTypeError, under
from .._install import install, keep, methods, naming
from .translation import check_text, each_text, table_of, translated


_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_LETTERS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}
_GROUP = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?P?<(?P<name>[^=!>][^>]*)>|(?P<other>\?))?"
_ESCAPE = r"\\(?:g<(?P<group>[^>]*)>|(?P<number>[1-9][0-9]?)|(?P<other>.?))"
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b", "\\": "\\"}
# Digits that are no decimal ones, such as those in superscript.
_DIGITS = (
    r"\x{B2}-\x{B3}\x{B9}\x{1369}-\x{1371}\x{19DA}\x{2070}\x{2074}-\x{2079}\x{2080}-\x{2089}\x{2460}-\x{2468}\x{2474}-\x{247C}"
    r"\x{2488}-\x{2490}\x{24EA}\x{24F5}-\x{24FD}\x{24FF}\x{2776}-\x{277E}\x{2780}-\x{2788}\x{278A}-\x{2792}\x{10A40}-\x{10A43}"
    r"\x{10E60}-\x{10E68}\x{11052}-\x{1105A}\x{1F100}-\x{1F10A}"
)
_KEPT = (
    "contains", "count", "starts_with", "ends_with", "replace", "split", "rsplit", "partition", "rpartition", "extract", "find", "rfind",
    "strip", "lstrip", "rstrip", "slice", "slice_replace", "pad", "repeat", "get", "zfill", "len",
    "strip_chars", "translate",
)
for _class in (native.StringNamespace, native.SeriesStringNamespace):
    keep(_class, *_KEPT)
del _class


def _own(strings):
    """The strings themselves."""
    return strings._series if isinstance(strings, native.SeriesStringNamespace) else strings._slice(0)


def _computed(strings, compute):
    """What a function makes of an expression of the strings: a series of a series."""
    if isinstance(strings, native.StringNamespace):
        return compute(_own(strings))
    own = strings._series
    frame = DataFrame({"own": own.reset_index(drop=True)})
    return frame.select(compute(col("own")).alias("made"))["made"].rename(own.name).with_index(own.index)


def _given(operation, name, value, **others):
    """The value of an argument that has other names."""
    given = {label: part for label, part in {name: value, **others}.items() if part is not None}
    if builtins.len(given) != 1:
        reason = f"give {name}" if not given else f"{' and '.join(given)} are the same argument"
        raise _error("TypeError", operation, reason)
    return next(iter(given.values()))


def _pattern(operation, pat, case=True, flags=0):
    """A regular expression with its flags in it."""
    if isinstance(pat, re.Pattern):
        if flags or case is False:
            raise _error("ValueError", operation, "a compiled pattern has flags of its own: give no case and no flags")
        pat, flags = pat.pattern, pat.flags & ~re.UNICODE
    _constant(operation, "pat", pat)
    if not isinstance(pat, builtins.str):
        raise _error("TypeError", operation, f"pat is a text or a compiled pattern of text, not {type(pat).__name__}")
    if case not in (True, False, None):
        raise _error("ValueError", operation, f"case is True or False, not {case!r}")
    if not isinstance(flags, int):
        raise _error("TypeError", operation, f"flags are of re.RegexFlag, not {type(flags).__name__}")
    flags = re.RegexFlag(flags) | (re.IGNORECASE if case is False else re.RegexFlag(0))
    letters = "".join(letter for flag, letter in _LETTERS.items() if flags & flag)
    rest = flags & ~(re.IGNORECASE | re.MULTILINE | re.DOTALL | re.UNICODE)
    if rest:
        raise _error("ValueError", operation, f"flags are re.IGNORECASE, re.MULTILINE and re.DOTALL, not {rest!r}")
    return f"(?{letters}){pat}" if letters else pat


def _is_literal(pattern):
    return _SPECIAL.isdisjoint(pattern)


def _escaped(text):
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in text)


def _constant(operation, name, value):
    """Refuses an expression and a series, which have a value for each row."""
    if isinstance(value, (native.Expr, Series)):
        raise _error("NotImplementedError", operation, f"{name} is a constant: an expression or a series of them is not implemented")


def _text(operation, name, value):
    _constant(operation, name, value)
    if not isinstance(value, builtins.str):
        raise _error("TypeError", operation, f"{name} is a text, not {type(value).__name__}")
    return value


def _template(operation, repl):
    """What stands for a match, as Python's `re` writes it, in the way of the compiled part."""

    def part(match):
        if match["group"] is not None:
            return f"${{{match['group']}}}"
        if match["number"] is not None:
            return f"${{{match['number']}}}"
        if match["other"] not in _CONTROLS:
            raise _error("ValueError", operation, f"repl has the escape {match[0]!r}, which is not known")
        return _CONTROLS[match["other"]]

    return re.compile(_ESCAPE, re.S).sub(part, repl.replace("$", "$$"))


def _filled(found, operation, na):
    if na is None or (isinstance(na, float) and na != na):
        return found
    if not isinstance(na, bool):
        raise _error("ValueError", operation, f"na is True, False or None, not {na!r}")
    return found.fill_null(na)


def _groups(pattern):
    """The name, or None, of each group of a regular expression."""
    found = [match for match in re.compile(_GROUP, re.S).finditer(pattern) if match[0].startswith("(") and match["other"] is None]
    return [match["name"] for match in found]


def _labels(operation, pattern):
    """The labels of columns of the groups of a regular expression."""
    names = _groups(pattern)
    if not names:
        raise _error("ValueError", operation, "the regular expression has no group: put what is wanted into parentheses")
    return [place if name is None else name for place, name in enumerate(names)]


def _any_of(strings, operation, test, pat, na):
    parts = pat if isinstance(pat, tuple) else (pat,)
    for part in parts:
        if not isinstance(part, (builtins.str, native.Expr, Series)):
            raise _error("TypeError", operation, f"pat is a text or a tuple of texts, not {type(part).__name__}")
    made = None
    for part in parts:
        found = test(strings, part)
        made = found if made is None else made | found
    return _filled(~strings._starts_with("") if made is None else made, operation, na)


def _side_of(operation, side):
    if side not in ("left", "right", "both"):
        raise _error("ValueError", operation, f'side is "left", "right" or "both", not {side!r}')
    return side


def _count(operation, name, n):
    """A number of splits or replacements; None for all."""
    if n is None:
        return None
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        raise _error("TypeError", operation, f"{name} is an integer, not {type(n).__name__}")
    return n.__index__() if n.__index__() >= 0 else None


# Beyond every length of a string.
_FAR = 2**60


def _position(operation, name, value):
    if value is None or (hasattr(value, "__index__") and not isinstance(value, bool)):
        return None if value is None else max(-_FAR, min(value.__index__(), _FAR))
    raise _error("TypeError", operation, f"{name} is an integer or None, not {type(value).__name__}")


def _without_end(own, number):
    """Strings without some characters at the end."""
    return own if number == 0 else own.str.reverse().str._slice(number).str.reverse()


def _before_end(own, count, stop):
    """Of the last characters of strings, so many, those before a position.

    The characters from the position on are replaced by a mark behind the others: how many of the last ones these are does not
    change, and the mark is taken off after they are cut. More marks than the last characters leave nothing.
    """
    marks = own.str._slice(stop, count + 1).str.replace_regex("(?s).", ".")
    marked = own.str._slice(0, stop).str.concat(marks, separator="|")
    made = marked.str._slice(-count - 1).str.strip_chars(".", "right").str.remove_suffix("|")
    # Slices of categories are categories, concatenated ones are strings.
    return made.cast(own.str._slice(0, 0).dtype) if isinstance(own, Series) and own.dtype != made.dtype else made


def _cut(operation, own, start, stop, step):
    """The characters of a slice of Python."""
    start, stop, step = _position(operation, "start", start), _position(operation, "stop", stop), _position(operation, "step", step)
    step = 1 if step is None else step
    if step == 0:
        raise _error("ValueError", operation, "step is not 0")
    if step < 0:
        mirrored = [None if place is None else -1 - place for place in (start, stop)]
        return _cut(operation, own.str.reverse(), *mirrored, -step)
    start = 0 if start is None else start
    if stop is not None and stop < 0:
        rest = _without_end(own, -stop)
        made = rest.str._slice(start) if start >= 0 else rest.str._slice(0, 0) if start >= stop else rest.str._slice(start - stop)
    elif stop is None:
        made = own.str._slice(start)
    elif start >= 0:
        made = own.str._slice(start, max(stop - start, 0))
    else:
        made = _before_end(own, -start, stop)
    return made if step == 1 else _every(made, step)


def _every(own, step):
    """Every so many characters of strings, from the first on."""
    if isinstance(own, Series) and own.device != "host":
        # Devices have no groups of regular expressions.
        made = own.str.extract_all("(?s).", 0).list.gather_every(step).list.join("")
        return made.cast(own.str._slice(0, 0).dtype) if own.dtype != made.dtype else made
    return own.str.replace_regex(f"(?s)(.).{{0,{step - 1}}}", "${1}")


def _replaced_slice(operation, strings, start, stop, repl):
    start, stop = _position(operation, "start", start), _position(operation, "stop", stop)
    repl = _text(operation, "repl", "" if repl is None else repl)
    start = 0 if start is None else start
    if stop is None or (start >= 0 and stop >= 0):
        return strings._slice_replace(start, None if stop is None else max(stop - start, 0), repl)

    def compute(own):
        before, within = _cut(operation, own, None, start, None), _cut(operation, own, start, stop, None)
        # An empty slice replaces nothing.
        after = native.when(within == "").then(_cut(operation, own, start, None, None)).otherwise(_cut(operation, own, stop, None, None))
        return before.str.concat(native.lit(repl), after)

    return _computed(strings, compute)


def _sought(operation, strings, find, sub, start, end):
    """The position of a text within a slice, -1 without one."""
    sub = _text(operation, "sub", sub)
    start, end = _position(operation, "start", start) or 0, _position(operation, "end", end)
    if start == 0 and end is None:
        return getattr(strings, find)(sub)

    def compute(own):
        count = own.str._len()
        # Of null it is null, as its length is.
        place_of = lambda position: (count + position).clip(0) if position < 0 else count * 0 + position
        first = place_of(start)
        if sub:
            place = getattr(_cut(operation, own, start, end, None).str, find)(sub)
            return native.when(place < 0).then(place).otherwise(place + first).alias(own.label)
        # A slice that begins behind its end, or behind that of the string, does not have the empty text.
        last = count if end is None else place_of(end) if end < 0 else count.clip(None, end)
        return native.when(first > last).then(-1).otherwise(first if find == "_find" else last).alias(own.label)

    return _computed(strings, compute)


def _found(strings, sub, start, end, literal):
    """The position of a text in bytes, null without one, as Polars has it."""
    if not isinstance(literal, bool):
        raise _error("TypeError", "str.find", f"literal is True or False, not {type(literal).__name__}")
    if not literal:
        raise _error("NotImplementedError", "str.find", "the position of a regular expression is not implemented: give literal=True")
    if start != 0 or end is not None:
        raise _error("TypeError", "str.find", "start and end do not go with literal")
    sub = _text("str.find", "sub", sub)

    def compute(own):
        before = own.str._partition(sub)[0].str.byte_count() if sub else native.lit(0)
        return native.when(own.str._find(sub) >= 0).then(before).otherwise(None).alias(own.label)

    return _computed(strings, compute)


def _expanded(parts):
    """Lists as columns 0, 1 and so on."""
    number = parts.list.len().max() or 0
    frame = DataFrame({"parts": parts.reset_index(drop=True)})
    if number == 0 and builtins.len(parts):
        number = 1
    return frame.select(*[col("parts").list.get(place).alias(place) for place in range(number)]).with_index(parts.index)


def _split(strings, operation, made, expand):
    if expand is False:
        return made
    if expand is not True:
        raise _error("ValueError", operation, f"expand is True or False, not {expand!r}")
    if isinstance(strings, native.StringNamespace):
        reason = "expand=True of an expression is not implemented, whose number of columns is not known: split_columns and rsplit_columns have one"
        raise _error("NotImplementedError", operation, reason)
    return _expanded(made)


def _parted(strings, operation, partition, sep, expand):
    made = getattr(strings, partition)(_text(operation, "sep", sep))
    if expand not in (True, False):
        raise _error("ValueError", operation, f"expand is True or False, not {expand!r}")
    if expand:
        return made if isinstance(strings, native.StringNamespace) else made.set_axis([0, 1, 2], axis=1)

    def compute(own):
        # A list of the whole of each part.
        return native.concat_list(*[part.str.extract_all(r"(?s)\A.*\z", 0) for part in getattr(own.str, partition)(sep)])

    return _computed(strings, compute)


def _replaced_by(strings, operation, pat, function, number, case, flags, regex):
    """The matches of a regular expression replaced by what a function makes of each: once for equal strings."""
    if not regex:
        raise _error("ValueError", operation, "repl is a function: give regex=True")
    if not isinstance(strings, native.SeriesStringNamespace):
        raise _error("NotImplementedError", operation, "repl as a function is one for series, not for expressions")
    if isinstance(pat, re.Pattern):
        pattern = pat
    else:
        pattern = re.compile(_text(operation, "pat", pat), flags | (re.IGNORECASE if case is False else 0))
    own = strings._series
    check_text(own, operation)
    known = [value for value in own.unique().to_list() if value is not None]
    # A count of 0 replaces all here, and none in pandas.
    made = {value: value if number == 0 else pattern.sub(function, value, count=number or 0) for value in known}
    changed = {old: new for old, new in made.items() if old != new}
    return own.replace(changed) if changed else own


def _refuse_codec(operation, example):
    raise _error("NotImplementedError", operation, f"strings are not encoded here: series.map(lambda text: {example}) does it, value by value")


@methods(native.StringNamespace, native.SeriesStringNamespace)
class _Strings:
    """Methods of strings of series and of expressions."""

    def encode(self, encoding=None, errors="strict"):
        """Not implemented: map a function, such as `series.map(lambda text: text.encode().hex())`."""
        _refuse_codec("str.encode", "text.encode().hex()")

    def decode(self, encoding=None, errors="strict", *, strict=True):
        """Not implemented: map a function, such as `series.map(lambda text: bytes.fromhex(text).decode())`."""
        _refuse_codec("str.decode", "bytes.fromhex(text).decode()")

    def not_like(self, pattern, escape=None):
        """Whether a text does not match a pattern of SQL, see `like`. Null of null."""
        with under("str.not_like"):
            return ~self.like(pattern, escape)

    @naming
    def contains(self, pat=None, case=True, flags=0, na=None, regex=True, *, literal=None, part=None):
        """Whether a regular expression matches anywhere; with `regex=False`, `literal=True` or as `part` a text as it is, or that of
        each row of another column. Null of null, or `na`. Without special characters a text is looked for as it is, which is faster.
        """
        if literal is not None and not isinstance(literal, bool):
            raise _error("ValueError", "str.contains", f"literal is True or False, not {literal!r}")
        regex = regex if literal is None else not literal
        regex, pat = regex and part is None, _given("str.contains", "pat", pat, part=part)
        if not regex:
            if flags or isinstance(pat, re.Pattern):
                raise _error("ValueError", "str.contains", "flags and compiled patterns are of regular expressions: give regex=True")
            pat = _escaped(_text("str.contains", "pat", pat)) if case is False else pat
        if not regex and case is not False:
            return _filled(self._contains(pat), "str.contains", na)
        if isinstance(pat, (native.Expr, Series)):
            raise _error("NotImplementedError", "str.contains", "pat is a constant: only with literal=True each row may have a text of its own")
        pattern = _pattern("str.contains", pat, case, flags)
        found = self._contains(pattern) if _is_literal(pattern) else self.contains_regex(pattern)
        return _filled(found, "str.contains", na)

    @naming
    def count(self, pat=None, flags=0, *, literal=False, part=None):
        """The number of matches of a regular expression; with `literal=True` or as `part` of a text as it is."""
        is_literal, pat = literal or part is not None, _given("str.count", "pat", pat, part=part)
        if is_literal:
            if flags:
                raise _error("ValueError", "str.count", "flags are of regular expressions: give literal=False")
            return self._count(_text("str.count", "pat", pat))
        pattern = _pattern("str.count", pat, True, flags)
        return self._count(pattern) if _is_literal(pattern) else self.count_regex(pattern)

    @naming
    def match(self, pat, case=True, flags=0, na=None):
        """Whether a regular expression matches at the start; null of null, or `na`."""
        return _filled(self.match_regex(_pattern("str.match", pat, case, flags)), "str.match", na)

    @naming
    def fullmatch(self, pat, case=True, flags=0, na=None):
        """Whether a regular expression matches the whole string; null of null, or `na`."""
        return _filled(self.fullmatch_regex(_pattern("str.fullmatch", pat, case, flags)), "str.fullmatch", na)

    def startswith(self, pat=None, na=None, *, prefix=None):
        """Whether strings start with a text, or with one of a tuple of texts; null of null, or `na`."""
        pat = _given("str.startswith", "pat", pat, prefix=prefix)
        return _any_of(self, "str.startswith", type(self)._starts_with, pat, na)

    def endswith(self, pat=None, na=None, *, suffix=None):
        """Whether strings end with a text, or with one of a tuple of texts; null of null, or `na`."""
        pat = _given("str.endswith", "pat", pat, suffix=suffix)
        return _any_of(self, "str.endswith", type(self)._ends_with, pat, na)

    @naming
    def replace(self, pat=None, repl=None, n=-1, case=None, flags=0, regex=False, *, old=None, new=None):
        """Each occurrence of a text, or with `regex=True` each match of a regular expression, replaced: the first `n`, or all. In the
        replacement of a regular expression `\\1` and `\\g<name>` are groups. A dictionary has several texts and replacements, one
        after the other. A function as `repl`, of a series, is called with each match of Python's `re`.
        """
        operation = "str.replace"
        pat = _given(operation, "pat", pat, old=old)
        if isinstance(pat, dict):
            if repl is not None or new is not None:
                raise _error("ValueError", operation, "repl is not given where pat is a dictionary")
            made = _own(self)
            for part, other in pat.items():
                made = made.str.replace(part, other, n, case, flags, regex)
            return made
        repl = _given(operation, "repl", repl, new=new)
        if builtins.callable(repl):
            return _replaced_by(self, operation, pat, repl, _count(operation, "n", n), case, flags, regex)
        repl, number = _text(operation, "repl", repl), _count(operation, "n", n)
        if isinstance(pat, re.Pattern) and not regex:
            raise _error("ValueError", operation, "a compiled pattern is given with regex=True")
        if regex:
            return self.replace_regex(_pattern(operation, pat, case, flags), _template(operation, repl), number)
        pat = _text(operation, "pat", pat)
        if number is None and case is not False and not flags:
            return self._replace(pat, repl)
        return self.replace_regex(_pattern(operation, _escaped(pat), case, flags), repl.replace("$", "$$"), number)

    @naming
    def split(self, pat=None, n=-1, expand=False, regex=None, *, separator=None):
        """The parts between separators as a list, or the words between white space: at most `n` splits, with -1 and 0 all. A text
        of several characters is a regular expression unless `regex=False`; `separator` is a text as it is. With `expand=True` a
        frame with a column for each part.
        """
        operation = "str.split"
        number = _count(operation, "n", n) or None
        if pat is not None and separator is not None:
            raise _error("TypeError", operation, "pat and separator are the same argument")
        if regex not in (None, True, False):
            raise _error("ValueError", operation, f"regex is True, False or None, not {regex!r}")
        if isinstance(pat, re.Pattern) and regex is False:
            raise _error("ValueError", operation, "a compiled pattern is given with regex=True")
        if pat is None or (isinstance(pat, builtins.str) and (regex is False or (regex is None and builtins.len(pat) <= 1))):
            made = self._split(separator if pat is None else pat, number)
        else:
            pattern = _pattern(operation, pat)
            made = self._split(pattern, number) if pattern and _is_literal(pattern) else self.split_regex(pattern, number)
        return _split(self, operation, made, expand)

    def rsplit(self, pat=None, n=-1, expand=False, *, separator=None):
        """`split` at a text, from the end."""
        operation = "str.rsplit"
        if pat is not None and separator is not None:
            raise _error("TypeError", operation, "pat and separator are the same argument")
        pat = separator if pat is None else pat
        made = self._rsplit(None if pat is None else _text(operation, "pat", pat), _count(operation, "n", n) or None)
        return _split(self, operation, made, expand)

    def partition(self, sep=None, expand=True, *, separator=None):
        """What is before the first separator, a space by default, the separator, and what is after it: of a series a frame of columns
        0, 1 and 2, of an expression three expressions; with `expand=False` lists.
        """
        sep = " " if sep is None and separator is None else _given("str.partition", "sep", sep, separator=separator)
        return _parted(self, "str.partition", "_partition", sep, expand)

    def rpartition(self, sep=None, expand=True, *, separator=None):
        """`partition` at the last separator."""
        sep = " " if sep is None and separator is None else _given("str.rpartition", "sep", sep, separator=separator)
        return _parted(self, "str.rpartition", "_rpartition", sep, expand)

    def findall(self, pat, flags=0):
        """The matches of a regular expression, as lists; with a group in it those of the group."""
        pattern = _pattern("str.findall", pat, True, flags)
        groups = builtins.len(_groups(pattern))
        if groups > 1:
            reason = "of several groups it is not implemented: extractall of a series has a column for each"
            raise _error("NotImplementedError", "str.findall", reason)
        return self.extract_all(pattern, groups)

    def find(self, sub=None, start=0, end=None, *, part=None, literal=None):
        """The position of the first occurrence in characters from `start` to before `end`, -1 without one. With `literal=True`, which
        Polars has, the result is as there: the position in bytes, null without one.
        """
        if literal is not None:
            return _found(self, _given("str.find", "sub", sub, part=part), start, end, literal)
        return _sought("str.find", self, "_find", _given("str.find", "sub", sub, part=part), start, end)

    def rfind(self, sub=None, start=0, end=None, *, part=None):
        """The position of the last occurrence in characters from `start` to before `end`, -1 without one."""
        return _sought("str.rfind", self, "_rfind", _given("str.rfind", "sub", sub, part=part), start, end)

    def strip(self, to_strip=None):
        """Without white space, or without some characters, at both ends."""
        return self._strip() if to_strip is None else self.strip_chars(_text("str.strip", "to_strip", to_strip), "both")

    def lstrip(self, to_strip=None):
        """Without white space, or without some characters, at the start."""
        return self._lstrip() if to_strip is None else self.strip_chars(_text("str.lstrip", "to_strip", to_strip), "left")

    def rstrip(self, to_strip=None):
        """Without white space, or without some characters, at the end."""
        return self._rstrip() if to_strip is None else self.strip_chars(_text("str.rstrip", "to_strip", to_strip), "right")

    def pad(self, width, side="left", fillchar=None, *, fill=None):
        """Characters at one side of what is shorter than `width`, or at both: spaces, or `fillchar`."""
        fillchar = " " if fillchar is None and fill is None else _given("str.pad", "fillchar", fillchar, fill=fill)
        return self._pad(max(width, 0), _side_of("str.pad", side), fillchar)

    def center(self, width, fillchar=" "):
        """Characters on both sides of what is shorter."""
        return self.pad(width, "both", fillchar)

    def zfill(self, width):
        """Filled with zeros on the left, after a sign."""
        return self._zfill(max(width, 0))

    def repeat(self, repeats=None, *, count=None):
        """The string several times."""
        repeats = _given("str.repeat", "repeats", repeats, count=count)
        if not hasattr(repeats, "__index__"):
            raise _error("NotImplementedError", "str.repeat", "repeats for each row are not implemented: give an integer")
        if repeats.__index__() < 0:
            raise _error("ValueError", "str.repeat", f"repeats is at least 0, and not {repeats}")
        return self._repeat(repeats.__index__())

    def translate(self, table):
        """Other characters or texts in place of some, or none, as a dictionary says: that of `str.maketrans` of Python."""
        if not isinstance(table, dict):
            raise _error("TypeError", "str.translate", f"the table is a dictionary, not {type(table).__name__}")
        return translated(_own(self), table_of(table))

    def isdigit(self):
        """Whether all characters are digits, those in superscript among them."""
        return self.fullmatch_regex(f"[\\p{{Nd}}{_DIGITS}]+")


@methods(native.StringNamespace)
class _OfExpressionStrings:
    """Methods of strings of expressions."""

    def slice(self, offset=None, length=None, *, start=None, stop=None, step=None):
        """`length` characters from `offset` on, where a negative offset counts from the end; or from `start` to before `stop`, as
        a slice of Python.
        """
        if start is None and stop is None and step is None:
            return self._slice(0 if offset is None else offset, length)
        if offset is not None or length is not None:
            raise _error("TypeError", "str.slice", "give offset and length, or start, stop and step")
        return _cut("str.slice", _own(self), start, stop, step)

    def slice_replace(self, offset=None, length=None, repl=None, *, start=None, stop=None):
        """Another string in place of `length` characters from `offset` on, or of those from `start` to before `stop`."""
        if start is None and stop is None:
            return self._slice_replace(0 if offset is None else offset, length, "" if repl is None else repl)
        if offset is not None or length is not None:
            raise _error("TypeError", "str.slice_replace", "give offset and length, or start and stop")
        return _replaced_slice("str.slice_replace", self, start, stop, repl)

    def extract(self, pat=None, flags=0, *, pattern=None, group=None):
        """A group of the first match of a regular expression: its first, or the one of a number."""
        pattern, group = _extract(pat, flags, pattern, group)
        return self._extract(pattern, 1 if group is None else group)

    def get(self, i=None, *, position=None):
        """The character at a position; null where there is none."""
        return self._get(_given("str.get", "i", i, position=position))

    def __getitem__(self, key):
        return _item(self, key)


def _item(strings, key):
    if isinstance(key, builtins.slice):
        return _cut("str", _own(strings), key.start, key.stop, key.step)
    return strings.get(key)


def _extract(pat, flags, pattern, group):
    """The regular expression and the group that is asked for."""
    pat = _given("str.extract", "pat", pat, pattern=pattern)
    # A plain number in the second place is that of a group: flags of `re` have a type of their own.
    if flags and not isinstance(flags, re.RegexFlag):
        if group is not None:
            raise _error("TypeError", "str.extract", f"flags are those of re, not {flags!r}")
        flags, group = 0, flags
    return _pattern("str.extract", pat, True, flags), group


@methods(native.SeriesStringNamespace)
class _OfSeriesStrings:
    """Methods of strings of series."""

    def slice(self, start=None, stop=None, step=None, *, offset=None, length=None):
        """The characters from `start` to before `stop`, as a slice of Python; or `length` characters from `offset` on."""
        if offset is None and length is None:
            own = self._series
            return self[start:stop:step] if _is_list(own) else _cut("str.slice", own, start, stop, step)
        if start is not None or stop is not None or step is not None:
            raise _error("TypeError", "str.slice", "give start, stop and step, or offset and length")
        return self._slice(0 if offset is None else offset, length)

    def slice_replace(self, start=None, stop=None, repl=None, *, offset=None, length=None):
        """Another string in place of the characters from `start` to before `stop`, or of `length` characters from `offset` on."""
        if offset is None and length is None:
            return _replaced_slice("str.slice_replace", self, start, stop, repl)
        if start is not None or stop is not None:
            raise _error("TypeError", "str.slice_replace", "give start and stop, or offset and length")
        return self._slice_replace(0 if offset is None else offset, length, "" if repl is None else repl)

    def extract(self, pat=None, flags=0, expand=True, *, pattern=None, group=None):
        """The groups of the first match of a regular expression: a frame with a column for each, called by its name or number; with
        `expand=False` a series of one group. With `group`, or a number in the second place, a series of that group.
        """
        pattern, group = _extract(pat, flags, pattern, group)
        if group is not None:
            return self._extract(pattern, group)
        if expand not in (True, False):
            raise _error("ValueError", "str.extract", f"expand is True or False, not {expand!r}")
        labels = _labels("str.extract", pattern)
        if not expand and builtins.len(labels) == 1:
            made = self._extract(pattern, 1)
            return made.rename(labels[0]) if isinstance(labels[0], builtins.str) else made
        own = self._series
        frame = DataFrame({"own": own.reset_index(drop=True)})
        groups = [col("own").str.extract(pattern, group=place).alias(label) for place, label in enumerate(labels, 1)]
        return frame.select(*groups).with_index(own.index)

    def extractall(self, pat, flags=0):
        """The groups of each match of a regular expression, a row for each: the last level of the row labels, `match`, numbers those
        of one string from 0.
        """
        pattern = _pattern("str.extractall", pat, True, flags)
        labels, own = _labels("str.extractall", pattern), self._series
        # Names of groups have no spaces.
        frame, number = DataFrame({"own strings": own}).with_index(own.index), "number of row"
        groups = [col("own strings").str.extract_all(pattern, place).alias(label) for place, label in enumerate(labels, 1)]
        lists = frame.select(*groups).with_index(own.index).filter(col(labels[0]).list.len() > 0)
        rows = lists.with_columns(native.row_number().alias(number)).explode(labels)
        # A group without a part in the match is null, as in pandas, which takes an empty one for such.
        parts = [native.when(col(label) == "").then(None).otherwise(col(label)).alias(label) for label in labels]
        rows = rows.with_columns(*parts)
        count = rows.group_by(number).cumcount()
        made = rows.with_columns(**{number: count}).set_index(number, append=True)
        return made.rename_axis([*made.index.names[:-1], "match"])

    def cat(self, others=None, sep="", na_rep=None, join="left"):
        """Strings of other series, or of one, behind these in rows of the same label, with the labels of this series, of the others
        ("right"), of all ("outer") or of both ("inner"); without others all strings as one. Null where one is null, or `na_rep`.
        """
        own = self._series
        sep = "" if sep is None else sep
        if join not in ("left", "right", "outer", "inner"):
            raise _error("ValueError", "str.cat", f'join is "left", "right", "outer" or "inner", not {join!r}')
        if others is None:
            own = own.drop_nulls() if na_rep is None else own.fill_null(na_rep)
            return sep.join(own.to_list())
        if isinstance(others, DataFrame):
            others = [others[label] for label in others.columns]
        is_text = lambda of: of is None or isinstance(of, builtins.str)
        others = others if isinstance(others, builtins.list) and not all(is_text(of) for of in others) else [others]
        beside = lambda other: Series(other, device=own.device).with_index(own.index)
        others = [other if isinstance(other, Series) else beside(other) for other in others]
        if all(own.index.equals(other.index) for other in others):
            index, columns = own.index, [own, *others]
        elif join == "left":
            index = own.index
            columns = [own, *[other if own.index.equals(other.index) else other.reindex(own.index) for other in others]]
        else:
            beside = concat(
                [other.rename(place) for place, other in enumerate(others)], axis=1, join="inner" if join == "inner" else "outer"
            )
            left, right = own.align(beside[beside.columns[0]], join=join)
            index, beside = left.index, beside.reindex(right.index)
            columns = [left, *[beside[label] for label in beside.columns]]
        frame = DataFrame({place: values.reset_index(drop=True) for place, values in enumerate(columns)})
        if na_rep is not None:
            frame = frame.fill_null(na_rep)
        first, *rest = (col(place) for place in frame.columns)
        try:
            made = frame.select(first.str.concat(*rest, separator=sep).alias("made"))["made"]
        except ColumnTypeError:
            for values in [own, *others]:
                with under("str.cat"):
                    values.str.len()
            raise
        return made.rename(own.name).with_index(index)

    def index(self, sub, start=0, end=None):
        """The position of the first occurrence in characters from `start` to before `end`; an error where there is none."""
        return _there(self.find(sub, start, end), "str.index", sub)

    def rindex(self, sub, start=0, end=None):
        """The position of the last occurrence in characters from `start` to before `end`; an error where there is none."""
        return _there(self.rfind(sub, start, end), "str.rindex", sub)

    def get(self, i=None, *, position=None):
        """The character at a position, or the item of a list; null where there is none."""
        place = _given("str.get", "i", i, position=position)
        own = self._series
        return own.list.get(place) if _is_list(own) else self._get(place)

    def __getitem__(self, key):
        own = self._series
        if not isinstance(key, builtins.slice) or not _is_list(own):
            return _item(self, key)
        start, stop = _position("str", "start", key.start) or 0, _position("str", "stop", key.stop)
        if key.step not in (None, 1) or (stop is not None and (start < 0 or stop < 0)):
            raise _error("NotImplementedError", "str", "of lists, a step and positions from the end beside a stop are not implemented")
        return own.list.slice(start, None if stop is None else max(stop - start, 0))

    def len(self):
        """The number of characters, or of items of a list."""
        own = self._series
        return own.list.len() if _is_list(own) else self._len()

    len_chars = len

    def join(self, sep):
        """The items of lists as one string with separators between; of strings, the characters."""
        own, sep = self._series, _text("str.join", "sep", sep)
        if _is_list(own):
            return own.list.join(sep)
        between = sep.replace("$", "$$")
        return self.replace_regex("(?s)(.)", "${1}" + between).str.remove_suffix(sep)

    def casefold(self):
        """Strings for comparisons in any case. A function of Python is called for each value."""
        return each_text(self._series, "str.casefold", builtins.str.casefold)

    def normalize(self, form):
        """The normal form "NFC", "NFKC", "NFD" or "NFKD" of Unicode. A function of Python is called for each value."""
        import unicodedata

        if form not in ("NFC", "NFKC", "NFD", "NFKD"):
            raise _error("ValueError", "str.normalize", f'form is "NFC", "NFKC", "NFD" or "NFKD", not {form!r}')
        return each_text(self._series, "str.normalize", lambda text: unicodedata.normalize(form, text))

    def wrap(self, width, **options):
        """Lines of at most `width` characters; the options are those of `textwrap.TextWrapper`. A function of Python is called for
        each value.
        """
        import textwrap

        if not isinstance(width, int):
            raise _error("TypeError", "str.wrap", f"width is a whole number, not {type(width).__name__}")
        if width < 1:
            raise _error("ValueError", "str.wrap", f"width is above 0, not {width}")
        try:
            wrapper = textwrap.TextWrapper(width=width, **options)
            # What options are not is only found when a text is wrapped.
            wrapper.wrap("a b")
        except (TypeError, ValueError) as error:
            raise _error(type(error).__name__, "str.wrap", builtins.str(error)) from None
        return each_text(self._series, "str.wrap", lambda text: "\n".join(wrapper.wrap(text)))

    def get_dummies(self, sep="|", dtype=None):
        """A column of 0 and 1, or of another dtype, for each distinct part between separators, in order."""
        own, dtype = self._series, "int64" if dtype is None else dtype
        if not (native.DType(dtype) == "bool" or _is_number(native.DType(dtype))):
            raise _error("ValueError", "str.get_dummies", f"dtype is one of numbers or bool, not {dtype}")
        parts = self._split(sep)
        known = parts.explode().drop_nulls().unique().sort_values().to_list()
        made = {part: parts.list.contains(part).fill_null(False).cast(dtype) for part in known if part}
        if not made:
            # Rows without columns.
            return own.to_frame("text").drop(columns=["text"])
        return DataFrame({part: values.reset_index(drop=True) for part, values in made.items()}).with_index(own.index)


def _is_list(own):
    return builtins.str(own.dtype).startswith("list<")


def _there(places, operation, sub):
    missing = (places == -1).fill_null(False)
    if missing.any():
        label = places.index[missing.arg_max()]
        raise _error("ValueError", operation, f"{sub!r} is not in the string of row {label!r}")
    return places


for _kind in (native.StringNamespace, native.SeriesStringNamespace):
    # Else Python would ask for one position after the other.
    install(_kind, "__iter__", None)
del _kind
