//! Functions of strings.

use columnade::Expr;
use columnade::expressions::{JoinNulls, Side};

use super::{Call, Function, MANY, function};
use crate::expression::error::Problem;

/// The characters that are stripped, white space where none are given.
fn strip(a: &Call<'_>, side: Side) -> Result<Expr, Problem> {
    if a.has(1) {
        return Ok(a.x().str().strip_chars(&a.string(1)?, side));
    }
    Ok(match side {
        Side::Left => a.x().str().lstrip(),
        Side::Right => a.x().str().rstrip(),
        Side::Both => a.x().str().strip(),
    })
}

fn pad(a: &Call<'_>) -> Result<Expr, Problem> {
    let sides = [("left", Side::Left), ("right", Side::Right), ("both", Side::Both)];
    let side = if a.has(2) { a.word(2, &sides, "'left', 'right' or 'both'")? } else { Side::Left };
    let fill = if a.has(3) { a.character(3)? } else { ' ' };
    Ok(a.x().str().pad(a.int(1)?, side, fill))
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("str.len", (1, 1), |a| Ok(a.x().str().len())),
    function("str.byte_count", (1, 1), |a| Ok(a.x().str().byte_count())),
    function("str.lower", (1, 1), |a| Ok(a.x().str().lower())),
    function("str.upper", (1, 1), |a| Ok(a.x().str().upper())),
    function("str.capitalize", (1, 1), |a| Ok(a.x().str().capitalize())),
    function("str.title", (1, 1), |a| Ok(a.x().str().title())),
    function("str.swapcase", (1, 1), |a| Ok(a.x().str().swapcase())),
    function("str.strip", (1, 2), |a| strip(a, Side::Both)),
    function("str.lstrip", (1, 2), |a| strip(a, Side::Left)),
    function("str.rstrip", (1, 2), |a| strip(a, Side::Right)),
    function("str.pad", (2, 4), pad),
    function("str.zfill", (2, 2), |a| Ok(a.x().str().zfill(a.int(1)?))),
    function("str.repeat", (2, 2), |a| Ok(a.x().str().repeat(a.int(1)?))),
    function("str.reverse", (1, 1), |a| Ok(a.x().str().reverse())),
    function("str.slice", (2, 3), |a| Ok(a.x().str().slice(a.int(1)?, a.optional_int(2)?))),
    function("str.get", (2, 2), |a| Ok(a.x().str().get(a.int(1)?))),
    function("str.concat", (2, MANY), |a| Ok(a.x().str().concat(a.rest(1), "", JoinNulls::Propagate))),
    function("str.concat_ws", (2, MANY), |a| {
        Ok(a.arg(1).str().concat(a.rest(2), a.string(0)?, JoinNulls::Ignore))
    }),
    function("str.replace", (3, 4), |a| {
        let (from, to) = (a.string(1)?, a.string(2)?);
        let text = a.x().str();
        Ok(if a.has(3) { text.replace_n(from, to, a.int(3)?) } else { text.replace(from, to) })
    }),
    function("str.remove_prefix", (2, 2), |a| Ok(a.x().str().remove_prefix(a.string(1)?))),
    function("str.remove_suffix", (2, 2), |a| Ok(a.x().str().remove_suffix(a.string(1)?))),
    function("str.starts_with", (2, 2), |a| Ok(a.x().str().starts_with(a.arg(1)))),
    function("str.ends_with", (2, 2), |a| Ok(a.x().str().ends_with(a.arg(1)))),
    function("str.contains", (2, 2), |a| Ok(a.x().str().contains(a.arg(1)))),
    function("str.like", (2, 3), like),
    function("str.not_like", (2, 3), |a| Ok(!like(a)?)),
    function("str.ilike", (2, 3), |a| {
        let (text, pattern) = (a.x().str(), a.string(1)?);
        Ok(if a.has(2) { text.ilike_escape(pattern, a.character(2)?) } else { text.ilike(pattern) })
    }),
    function("str.find", (2, 2), |a| Ok(a.x().str().find(a.string(1)?))),
    function("str.rfind", (2, 2), |a| Ok(a.x().str().rfind(a.string(1)?))),
    function("str.count", (2, 2), |a| Ok(a.x().str().count(a.string(1)?))),
    function("str.split", (2, 3), |a| {
        Ok(a.x().str().split(a.string(1)?.as_str(), a.optional_int::<usize>(2)?))
    }),
    function("str.rsplit", (2, 3), |a| {
        Ok(a.x().str().rsplit(a.string(1)?.as_str(), a.optional_int::<usize>(2)?))
    }),
    function("str.slice_replace", (3, 4), |a| {
        Ok(a.x().str().slice_replace(a.int(2)?, a.optional_int::<u64>(3)?, a.string(1)?))
    }),
    function("str.translate", (3, 3), |a| {
        let (from, to) = (a.string(1)?, a.string(2)?);
        let mut to = to.chars();
        Ok(a.x().str().translate(from.chars().map(|character| (character, to.next()))))
    }),
    function("str.split_part", (3, 3), |a| Ok(a.x().str().split_part(a.string(1)?, a.int(2)?))),
    function("str.contains_regex", (2, 2), |a| Ok(a.x().str().contains_regex(a.string(1)?))),
    function("str.match_regex", (2, 2), |a| Ok(a.x().str().match_regex(a.string(1)?))),
    function("str.fullmatch_regex", (2, 2), |a| Ok(a.x().str().fullmatch_regex(a.string(1)?))),
    function("str.count_regex", (2, 2), |a| Ok(a.x().str().count_regex(a.string(1)?))),
    function("str.replace_regex", (3, 4), |a| {
        Ok(a.x().str().replace_regex(a.string(1)?, a.string(2)?, a.optional_int::<usize>(3)?))
    }),
    function("str.extract", (3, 3), |a| Ok(a.x().str().extract(a.string(1)?, a.int(2)?))),
    function("str.extract_all", (3, 3), |a| Ok(a.x().str().extract_all(a.string(1)?, a.int(2)?))),
    function("str.split_regex", (2, 3), |a| {
        Ok(a.x().str().split_regex(a.string(1)?, a.optional_int::<usize>(2)?))
    }),
    function("str.is_alpha", (1, 1), |a| Ok(a.x().str().is_alpha())),
    function("str.is_numeric", (1, 1), |a| Ok(a.x().str().is_numeric())),
    function("str.is_decimal", (1, 1), |a| Ok(a.x().str().is_decimal())),
    function("str.is_alnum", (1, 1), |a| Ok(a.x().str().is_alnum())),
    function("str.is_space", (1, 1), |a| Ok(a.x().str().is_space())),
    function("str.is_lower", (1, 1), |a| Ok(a.x().str().is_lower())),
    function("str.is_upper", (1, 1), |a| Ok(a.x().str().is_upper())),
    function("str.is_title", (1, 1), |a| Ok(a.x().str().is_title())),
    function("str.is_ascii", (1, 1), |a| Ok(a.x().str().is_ascii())),
    function("str.to_datetime", (3, 3), |a| Ok(a.x().str().to_datetime(a.dtype(1)?, a.string(2)?))),
];

fn like(a: &Call<'_>) -> Result<Expr, Problem> {
    let (text, pattern) = (a.x().str(), a.string(1)?);
    Ok(if a.has(2) { text.like_escape(pattern, a.character(2)?) } else { text.like(pattern) })
}
