//! The rows: `peers.py` makes them by the same rules.

use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, ListColumn, Result, TimeUnit};
use columnade_ops::expression::{LocalTimes, col, evaluate};
use columnade_tests::Rng;

const WORDS: [&str; 16] = [
    "quick", "Brown", "fox", "jumps", "over", "Lazy", "dog", "sphinx", "of", "black", "Quartz", "judge",
    "my", "vow", "pack", "Five",
];
/// Distinct values of the dictionary.
const VALUES: u64 = 1000;

/// A number below `bound`, as an index.
fn index(rng: &mut Rng, bound: u64) -> usize {
    usize::try_from(rng.below(bound)).unwrap_or(0)
}

/// One to four words, a quarter of the texts between spaces.
fn text(rng: &mut Rng) -> String {
    let words = 1 + rng.below(4);
    let text = (0..words).map(|_| WORDS[index(rng, 16)]).collect::<Vec<_>>().join(" ");
    if rng.below(4) == 0 { format!(" {text} ") } else { text }
}

/// Timestamps of the years 1990 to 2030 in microseconds (`t`), their days (`d`) and times in a zone (`z`), floats from 0.1 to
/// 100 (`x`), words (`s`), a word with a number and a number (`kv`), numbers and days as text (`i`, `f`, `ds`), words of 1000
/// values as strings (`r`) and as a dictionary (`c`), and lists of none to four integers (`l`), in any order.
pub(crate) fn frame(rows: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let mut rng = Rng::new(1);
    let (first, seconds) = (631_152_000_i64, 1_262_304_000);
    let signed = |value: u64| i64::try_from(value).unwrap_or(0);
    let micros: Vec<i64> = (0..rows).map(|_| (first + signed(rng.below(seconds))) * 1_000_000).collect();
    let floats: Vec<f64> = (0..rows).map(|_| 0.1 + 99.9 * rng.unit()).collect();
    let times = Column::from_slice(&micros, exec)?.reinterpret(&DType::Timestamp(TimeUnit::Micro))?;
    let words = Column::from_values((0..rows).map(|_| text(&mut rng)), exec)?;
    let pairs =
        (0..rows).map(|_| format!("{}{},{}", WORDS[index(&mut rng, 16)], rng.below(1000), rng.below(10_000)));
    let pairs = Column::from_values(pairs, exec)?;
    let integers = (0..rows).map(|_| (signed(rng.below(2_000_000_000)) - 1_000_000_000).to_string());
    let integers = Column::from_values(integers, exec)?;
    let decimals = Column::from_values((0..rows).map(|_| format!("{:.4}", 10_000.0 * rng.unit())), exec)?;
    let values: Vec<String> = (0..VALUES).map(|_| text(&mut rng)).collect();
    let repeated = Column::from_values((0..rows).map(|_| values[index(&mut rng, VALUES)].as_str()), exec)?;
    let dictionary = Column::Categorical(CategoricalColumn::encode(&repeated)?).to_device(exec)?;
    let lengths: Vec<usize> = (0..rows).map(|_| index(&mut rng, 5)).collect();
    let items = Column::from_vec_on((0..signed(lengths.iter().sum::<usize>() as u64)).collect(), exec)?;
    let lists = Column::List(ListColumn::from_lengths(&items, lengths.into_iter().map(Some), exec)?);
    let mut frame = ColumnAccessor::from_columns([
        ("t", times),
        ("x", Column::from_slice(&floats, exec)?),
        ("s", words),
        ("kv", pairs),
        ("i", integers),
        ("f", decimals),
        ("r", repeated),
        ("c", dictionary),
        ("l", lists),
    ])?;
    let more = [
        col("t").cast(DType::Date32).alias("d"),
        col("t").dt().tz_localize("UTC", LocalTimes::default()).dt().tz_convert("Europe/Berlin").alias("z"),
    ];
    for (label, column) in evaluate(&more, &frame, exec)? {
        frame.insert(label, column)?;
    }
    // Devices write no dates as text.
    let host = Exec::host();
    let days = ColumnAccessor::from_columns([("d", frame.get("d")?.to_device(&host)?)])?;
    for (label, column) in evaluate(&[col("d").cast(DType::Utf8).alias("ds")], &days, &host)? {
        frame.insert(label, column.to_device(exec)?)?;
    }
    Ok(frame)
}
