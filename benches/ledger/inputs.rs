//! The columns that the operations read.

use columnade_buffers::Exec;
use columnade_columns::{
    Column, ColumnAccessor, ColumnValue, DType, IntoColumn, Result, TimeUnit, timestamps,
};
use columnade_ops::copying::RowMap;
use columnade_tests::Rng;

/// Every n-th value is null, in runs that are no multiple of 32.
const NULL_EVERY: usize = 7;

/// The bytes of each string of `long`.
pub(crate) const LONG: u64 = 200;

/// Seeded columns on the simulator.
pub(crate) struct Inputs<'a> {
    pub(crate) exec: &'a Exec,
    pub(crate) rows: usize,
    /// Each column of `frame` has nulls.
    pub(crate) has_nulls: bool,
    /// `few`, `some`, `many`: keys of 10, 1,000 and as many values as rows. `unique`: keys without duplicates. `a` to
    /// `d`: floats. `n`: integers. `at`: timestamps. `day`: dates. `s`: strings of 4 to 20 bytes. `code`: strings of 10
    /// values. `digits`: integers as text. `lists`: lists of up to 6 integers.
    pub(crate) frame: ColumnAccessor,
    /// Strings of `LONG` letters.
    pub(crate) long: Column,
    /// Addresses that begin alike: of 200 users, whose numbers are in the first word that differs.
    pub(crate) addresses: Column,
    /// Their bytes, null ones included.
    pub(crate) address_bytes: u64,
    /// The right side of joins: `unique` shuffled, and `x`, a float.
    pub(crate) right: ColumnAccessor,
    /// Rows in random order.
    pub(crate) shuffled: RowMap,
    /// Half of the rows, by no pattern.
    pub(crate) half: Column,
    /// Ascending integers.
    pub(crate) ascending: Column,
    /// For each row the first and the last row, as bounds of a search.
    pub(crate) range: [Column; 2],
    /// The bytes of all strings of `s`, of `code` and of `digits`, null ones included.
    pub(crate) string_bytes: [u64; 3],
    /// The items of all lists.
    pub(crate) items: u64,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(rows: usize, has_nulls: bool, exec: &'a Exec) -> Result<Self> {
        let mut rng = Rng::new(7);
        let below = |rng: &mut Rng, bound: usize| -> Vec<i64> {
            (0..rows).map(|_| i64::try_from(rng.below(bound as u64)).unwrap_or(0)).collect()
        };
        let floats = |rng: &mut Rng| -> Vec<f64> { (0..rows).map(|_| rng.unit()).collect() };
        let column = Columns { has_nulls, exec };
        let unique = shuffled(rows, &mut rng);
        let as_keys = |order: &[u32]| -> Vec<i64> { order.iter().map(|row| 3 * i64::from(*row)).collect() };
        let strings: Vec<String> = (0..rows)
            .map(|_| {
                let letters = 4 + rng.below(17);
                (0..letters).map(|_| char::from(b'a' + u8::try_from(rng.below(26)).unwrap_or(0))).collect()
            })
            .collect();
        let codes: Vec<String> = below(&mut rng, 10).iter().map(|code| format!("id{code:03}")).collect();
        let bytes = |strings: &[String]| strings.iter().map(|text| text.len() as u64).sum();
        let seconds = below(&mut rng, 1_000_000_000);
        // Of a seed of their own: other columns stay as they are.
        let mut other = Rng::new(8);
        let digits: Vec<String> = below(&mut other, 1 << 27).iter().map(ToString::to_string).collect();
        let days: Vec<i32> = (0..rows).map(|_| i32::try_from(other.below(20_000)).unwrap_or(0)).collect();
        let day = Column::from_values(days, exec)?.reinterpret(&DType::Date32)?;
        let lists: Vec<Vec<i64>> = (0..rows)
            .map(|_| (0..other.below(7)).map(|item| i64::try_from(item).unwrap_or(0)).collect())
            .collect();
        let items = lists.iter().map(|list| list.len() as u64).sum();
        let string_bytes = [bytes(&strings), bytes(&codes), bytes(&digits)];
        let frame = ColumnAccessor::from_columns([
            ("few", column.of(below(&mut rng, 10))?),
            ("some", column.of(below(&mut rng, 1_000))?),
            ("many", column.of(below(&mut rng, rows))?),
            ("unique", column.of(as_keys(&unique))?),
            ("a", column.of(floats(&mut rng))?),
            ("b", column.of(floats(&mut rng))?),
            ("c", column.of(floats(&mut rng))?),
            ("d", column.of(floats(&mut rng))?),
            ("n", column.of(below(&mut rng, 1 << 27))?),
            ("at", column.nulls(timestamps(seconds, TimeUnit::Second).into_column(exec)?)?),
            ("s", column.of(strings)?),
            ("code", column.of(codes)?),
            ("digits", column.of(digits)?),
            ("day", column.nulls(day)?),
            ("lists", column.nulls(lists.into_column(exec)?)?),
        ])?;
        let right = ColumnAccessor::from_columns([
            ("unique", column.of(as_keys(&shuffled(rows, &mut rng)))?),
            ("x", column.of(floats(&mut rng))?),
        ])?;
        let letters =
            |_| (0..LONG).map(|_| char::from(b'a' + u8::try_from(other.below(26)).unwrap_or(0))).collect();
        let long = column.of((0..rows).map(letters).collect::<Vec<String>>())?;
        let addresses: Vec<String> = (0..rows)
            .map(|_| {
                format!("https://example.org/users/{}/items/{:04}", other.below(200), other.below(10_000))
            })
            .collect();
        let address_bytes = bytes(&addresses);
        let addresses = column.of(addresses)?;
        let half = Column::from_values((0..rows).map(|_| rng.below(2) == 0), exec)?;
        let shuffled = RowMap::from_u32(&shuffled(rows, &mut rng), exec)?;
        let last = i64::try_from(rows).unwrap_or(0);
        let ascending = Column::from_values(0..last, exec)?;
        let range =
            [Column::from_values(vec![0_i64; rows], exec)?, Column::from_values(vec![last; rows], exec)?];
        Ok(Self {
            exec,
            rows,
            has_nulls,
            frame,
            long,
            addresses,
            address_bytes,
            right,
            shuffled,
            half,
            ascending,
            range,
            string_bytes,
            items,
        })
    }

    /// The bytes of a mask over all rows for each of `columns`, if columns have nulls.
    pub(crate) fn masks(&self, columns: u64) -> u64 {
        if self.has_nulls { columns * (self.rows as u64).div_ceil(8) } else { 0 }
    }
}

struct Columns<'a> {
    has_nulls: bool,
    exec: &'a Exec,
}

impl Columns<'_> {
    fn of<T: ColumnValue>(&self, values: Vec<T>) -> Result<Column> {
        self.nulls(Column::from_values(values, self.exec)?)
    }

    fn nulls(&self, column: Column) -> Result<Column> {
        if !self.has_nulls {
            return Ok(column);
        }
        column.with_validity((0..column.size()).map(|row| row % NULL_EVERY != 3), self.exec)
    }
}

/// The numbers below `rows`, each once (Fisher–Yates).
fn shuffled(rows: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows).map(|row| u32::try_from(row).unwrap_or(0)).collect();
    for last in (1..rows).rev() {
        let other = usize::try_from(rng.below(last as u64 + 1)).unwrap_or(0);
        order.swap(last, other);
    }
    order
}
