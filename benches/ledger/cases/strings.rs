//! Strings.

use columnade_columns::DType;
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::copying::{MapNulls, concat, gather};
use columnade_ops::expression::{HashFunction, col, evaluate, evaluate_mask, hash_rows};
use columnade_ops::filter::apply_mask;
use columnade_ops::sort::{NullOrder, Order, SortKey, argsort};
use columnade_ops::strings::{JoinNulls, Measure, Side, Transform, measure, transform};

use super::case;
use crate::Case;
use crate::inputs::{Inputs, LONG};

pub(super) fn cases<'a>(inputs: &'a Inputs<'a>) -> Vec<Case<'a>> {
    let (frame, exec) = (&inputs.frame, inputs.exec);
    let n = inputs.rows as u64;
    let mask = inputs.masks(1);
    let column = inputs.string_bytes[0] + 4 * n + mask;
    let codes = inputs.string_bytes[1] + 4 * n + mask;
    let long = (LONG + 4) * n + mask;
    let found = column + n.div_ceil(8) + mask;
    vec![
        case("strings equal to a literal", found, || evaluate_mask(&col("s").eq("abcdefgh"), frame, exec)),
        case("strings that contain a literal", found, || {
            evaluate_mask(&col("s").str().contains("xyz"), frame, exec)
        }),
        case("strings that start with a literal", 4 * n + 8 * n + n.div_ceil(8) + 2 * mask, || {
            evaluate_mask(&col("s").str().starts_with("ab"), frame, exec)
        }),
        case("characters of strings", column + 8 * n, || {
            measure(&Measure::Characters, frame.get("s")?, exec)
        }),
        case("position of a literal in strings", column + 8 * n, || {
            measure(&Measure::Find("xyz".into()), frame.get("s")?, exec)
        }),
        // Most sectors have characters of it, since strings are shorter than sectors.
        case("slice of strings, 3 characters", column + (4 + 3) * n + mask, || {
            evaluate(&[col("s").str().slice(1, 3).alias("x")], frame, exec)
        }),
        case("strings in upper case", 2 * column, || transform(&Transform::Upper, frame.get("s")?, exec)),
        case("replace a literal in strings", 2 * column, || {
            let replace = Transform::Replace { from: "xyz".into(), to: "-".into(), limit: None };
            transform(&replace, frame.get("s")?, exec)
        }),
        case("strip strings", 2 * column, || evaluate(&[col("s").str().strip().alias("x")], frame, exec)),
        case("pad strings to 24 characters", column + 28 * n + mask, || {
            evaluate(&[col("s").str().pad(24, Side::Left, '*').alias("x")], frame, exec)
        }),
        case("hash of strings", column + 4 * n, || {
            evaluate(&[hash_rows([col("s")], HashFunction::Murmur3(0)).alias("x")], frame, exec)
        }),
        // Of most strings one or two characters.
        case("first match of a regular expression", column + 6 * n + n.div_ceil(8), || {
            evaluate(&[col("s").str().extract("[aeiou]+", 0).alias("x")], frame, exec)
        }),
        case("strings of letters alone", found, || evaluate_mask(&col("s").str().is_alpha(), frame, exec)),
        case("strings that match a regular expression", found, || {
            evaluate_mask(&col("s").str().contains_regex("[xyz]{2}"), frame, exec)
        }),
        case("matches of a regular expression in strings", column + 8 * n, || {
            evaluate(&[col("s").str().count_regex("[aeiou]+")], frame, exec)
        }),
        case("replace matches of a regular expression", 2 * column, || {
            evaluate(&[col("s").str().replace_regex("[xyz]{2}", "-", None)], frame, exec)
        }),
        // Of codes such as `id003`: two parts each.
        case("field of strings between separators", codes + 3 * n + 4 * n + mask, || {
            evaluate(&[col("code").str().split_part("d", 1)], frame, exec)
        }),
        case("split strings by a literal", codes + 4 * n + 4 * (2 * n) + 4 * n + mask, || {
            evaluate(&[col("code").str().split("d", None)], frame, exec)
        }),
        case("split strings by a regular expression", codes + 4 * n + 4 * (2 * n) + 4 * n + mask, || {
            evaluate(&[col("code").str().split_regex("[a-h]", None)], frame, exec)
        }),
        case("join strings of two columns", 2 * column + 2 * inputs.string_bytes[1] + 5 * n + mask, || {
            let (s, code) = (frame.get("s")?, frame.get("code")?);
            columnade_ops::strings::concat(&[s, code], "-", JoinNulls::Propagate, exec)
        }),
        case("long strings in upper case", 2 * long, || transform(&Transform::Upper, &inputs.long, exec)),
        case("replace a literal in long strings", 2 * long, || {
            let replace = Transform::Replace { from: "xyz".into(), to: "-".into(), limit: None };
            transform(&replace, &inputs.long, exec)
        }),
        case("pad long strings to 224 characters", 2 * long + 24 * n, || {
            transform(&Transform::Pad { width: 224, fill: '*', side: Side::Left }, &inputs.long, exec)
        }),
        case("join long strings of two columns", 2 * long + (2 * LONG + 5) * n + mask, || {
            columnade_ops::strings::concat(&[&inputs.long, &inputs.long], "-", JoinNulls::Propagate, exec)
        }),
        case("parse int64", inputs.string_bytes[2] + 12 * n + 2 * mask, || {
            cast(frame.get("digits")?, &DType::Int64, CastMode::Checked, exec)
        }),
        case("parse float64", inputs.string_bytes[2] + 12 * n + 2 * mask, || {
            cast(frame.get("digits")?, &DType::Float64, CastMode::Checked, exec)
        }),
        // As many digits as those of `digits`.
        case("format int64", inputs.string_bytes[2] + 12 * n + 2 * mask, || {
            cast(frame.get("n")?, &DType::Utf8, CastMode::Checked, exec)
        }),
        case("format date32", 10 * n + 8 * n + 2 * mask, || {
            cast(frame.get("day")?, &DType::Utf8, CastMode::Checked, exec)
        }),
        // Seventeen digits, and as often one fewer or more.
        case("format float64", 19 * n + 12 * n + 2 * mask, || {
            cast(frame.get("a")?, &DType::Utf8, CastMode::Checked, exec)
        }),
        case("format timestamps by a pattern", 16 * n + 12 * n + 2 * mask, || {
            evaluate(&[col("at").dt().strftime("%Y-%m-%d %H:%M").alias("x")], frame, exec)
        }),
        case("filter strings, half of the rows", column * 3 / 2 + n.div_ceil(8), || {
            apply_mask(&frame.select(["s"])?, &inputs.half, exec)
        }),
        case("gather strings at random", 2 * column + 8 * n, || {
            gather(&frame.select(["s"])?, &inputs.shuffled, MapNulls::Never, exec)
        }),
        case("concatenate two string columns", 4 * column, || {
            concat(&[frame.get("s")?, frame.get("s")?], exec)
        }),
        // Eight bytes decide nearly all pairs.
        case("argsort of strings", column + n * (8 + 2 * 8 * 12), || {
            let column = frame.get("s")?;
            argsort(&[SortKey { column, order: Order::Ascending, nulls: NullOrder::Last }], exec)
        }),
        // Of each row once more eight bytes, and the sort by them.
        case("argsort of addresses", inputs.address_bytes + 4 * n + mask + n * (8 + 4 * 8 * 12), || {
            let column = &inputs.addresses;
            argsort(&[SortKey { column, order: Order::Ascending, nulls: NullOrder::Last }], exec)
        }),
    ]
}
