//! The values of the operands.

use std::sync::Arc;

use columnade::{Column, DType, Exec, Result, Scalar, TimeUnit};
use columnade_columns::{CategoricalColumn, Closed, IntervalScalar, TimeZone};

/// Columns of `rows` rows, of which one in `nulls` is null where some are.
///
/// The floats are sums of quarters: however an operation is split into chunks, their sums are exact.
pub(crate) fn common(rows: usize, nulls: u64, exec: &Exec) -> Result<Vec<(&'static str, Column)>> {
    const WORDS: [&str; 8] =
        ["", "a", "ß", "naïve", "中文", "🦀 crab", "Zebra", "a longer word, of 31 bytes"];
    let numbers = || (0_u64..).take(rows);
    let mixed = |row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let below = |row: u64, bound: u64| i32::try_from(mixed(row) % bound).unwrap_or(0);
    let there = |row: u64| row % nulls != 5;
    let float = |row: u64| match row % 97 {
        13 => f64::NAN,
        14 => -0.0,
        15 => f64::INFINITY,
        _ => f64::from(below(row, 4001) - 2000) / 4.0,
    };
    let word = |row: u64| {
        let word = usize::try_from(mixed(row) % 8).map_or("", |at| WORDS[at]);
        format!("{word}{}", mixed(row) % 50)
    };
    let n = numbers().map(|row| there(row).then(|| below(row, 500) - 250));
    let wide = numbers().map(|row| i64::from(below(row, 1 << 20)) * 4_000_000_007);
    let small = numbers().map(|row| there(row + 3).then(|| u16::try_from(mixed(row) % 40_000).unwrap_or(0)));
    let price = numbers().map(|row| there(row + 1).then(|| i64::from(below(row, 1_000_000)) - 1000));
    let decimal = |value| Scalar::Decimal { value, precision: 30, scale: 4 };
    let exact: Vec<Scalar> = numbers().map(|row| decimal(i128::from(mixed(row)) * 1_000_000_007)).collect();
    let day = numbers().map(|row| there(row + 2).then(|| below(row, 30_000)));
    let time = numbers().map(|row| i64::from(below(row, 1 << 22)) * 1_000_003);
    let dictionary = Arc::new(Column::from_values(["m", "ß", "a", "", "zz", "中"], exec)?);
    let codes = numbers().map(|row| there(row + 4).then(|| i8::try_from(mixed(row) % 6).unwrap_or(0)));
    let codes = Column::from_options(codes, exec)?;
    Ok(vec![
        ("n", Column::from_options(n, exec)?),
        ("wide", Column::from_values(wide, exec)?),
        ("small", Column::from_options(small, exec)?),
        ("float", Column::from_values(numbers().map(float), exec)?),
        ("single", Column::from_options(numbers().map(|row| there(row).then(|| quarters(row))), exec)?),
        ("flag", Column::from_options(numbers().map(|row| there(row).then_some(row % 3 == 1)), exec)?),
        ("word", Column::from_options(numbers().map(|row| there(row + 5).then(|| word(row))), exec)?),
        ("price", Column::from_options(price, exec)?.reinterpret(&DType::decimal(15, 2)?)?),
        ("exact", Column::from_scalars(&DType::decimal(30, 4)?, &exact, exec)?),
        ("day", Column::from_options(day, exec)?.reinterpret(&DType::Date32)?),
        ("time", Column::from_values(time, exec)?.reinterpret(&DType::Timestamp(TimeUnit::Micro))?),
        ("kind", Column::Categorical(CategoricalColumn::new(&codes, dictionary)?)),
    ])
}

/// The value of a row.
type MakeScalar<'a> = Box<dyn Fn(i64) -> Scalar + 'a>;

#[expect(clippy::cast_precision_loss, reason = "row numbers are small")]
fn quarters<N: Copy + TryInto<i64>>(row: N) -> f32 {
    row.try_into().unwrap_or(0) as f32 / 4.0
}

/// Columns of the dtypes that few operations take, one row in nine null.
pub(crate) fn rare(rows: usize, exec: &Exec) -> Result<Vec<(&'static str, Column)>> {
    let zone = TimeZone::new("Europe/Oslo")?;
    let columns: [(&'static str, MakeScalar<'_>); 6] = [
        (
            "bytes",
            Box::new(|row| {
                Scalar::Binary(row.to_le_bytes()[..usize::try_from(row % 8).unwrap_or(0)].to_vec())
            }),
        ),
        ("duration", Box::new(|row| Scalar::Duration(row * 1_000_003 - 7_000_000, TimeUnit::Milli))),
        ("zoned", Box::new(|row| Scalar::TimestampTz(row * 86_399_999, TimeUnit::Micro, zone.clone()))),
        (
            "interval",
            Box::new(|row| {
                let (left, right) = (Scalar::Int32(row_i32(row)), Scalar::Int32(row_i32(row) + 5));
                Scalar::Interval(Box::new(IntervalScalar { left, right, closed: Closed::Left }))
            }),
        ),
        (
            "list",
            Box::new(|row| {
                let values = (0..row % 4).map(|item| Scalar::from(format!("ä{row}.{item}"))).collect();
                Scalar::List { item: Box::new(DType::Utf8), values }
            }),
        ),
        (
            "struct",
            Box::new(|row| {
                let list = Scalar::List { item: Box::new(DType::Int64), values: vec![Scalar::Int64(row); 2] };
                Scalar::Struct(vec![
                    ("text".to_owned(), Scalar::from(format!("{row}ß"))),
                    ("list".to_owned(), list),
                ])
            }),
        ),
    ];
    let mut made = Vec::new();
    for (label, value) in columns {
        let dtype = value(0).dtype();
        let rows = (0..)
            .take(rows)
            .map(|row: i64| if row % 9 == 4 { Scalar::Null(dtype.clone()) } else { value(row) });
        made.push((label, Column::from_scalars(&dtype, &rows.collect::<Vec<_>>(), exec)?));
    }
    Ok(made)
}

fn row_i32(row: i64) -> i32 {
    i32::try_from(row).unwrap_or(0)
}
