//! Frames as they are written down.

/// A frame of columns as they are written down: labels, and anything that a
/// [`IntoColumn`](trait@crate::builders::IntoColumn) is made from. A `Result<DataFrame>`, on the thread's default device.
///
/// ```
/// use columnade::{DType, df};
///
/// let frame = df! {
///     "id" => [1_i64, 2, 3],
///     "word" => [Some("x"), None, Some("ß")],
///     "scores" => [vec![0.5], vec![], vec![1.0, 2.0]],
/// }?;
/// assert_eq!(frame.shape(), (3, 3));
/// assert_eq!(frame.dtypes()[2], DType::list(DType::Float64));
///
/// let uneven = df! { "a" => [1, 2], "b" => [true] };
/// assert!(uneven.is_err());
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// What the type of a Rust value does not say is said around it, and a field may be a series of its own:
///
/// ```
/// use columnade::builders::{categories, decimals, from_iter, intervals, structs, timestamps};
/// use columnade::{Closed, Date, Series, TimeUnit, TimeZone, df};
///
/// let (x, y) = (Series::new([1, 2])?, Series::new([Some("a"), None])?);
/// let frame = df! {
///     "day" => [Date { year: 2026, month: 1, day: 31 }, Date { year: 2026, month: 2, day: 1 }],
///     "at" => timestamps(vec![0_i64, 1_000], TimeUnit::Milli).in_zone(TimeZone::utc()),
///     "price" => decimals([Some(1999), None], 15, 2),
///     "size" => categories(["high", "low"]).among(["low", "mid", "high"]).ordered(),
///     "squares" => from_iter((0_i64..2).map(|n| n * n)),
///     "point" => structs([("x", x), ("y", y)]),
///     "bin" => intervals([0, 10], [10, 20], Closed::Left),
/// }?;
/// let dtypes: Vec<String> = frame.dtypes().iter().map(ToString::to_string).collect();
/// assert_eq!(dtypes[..3], ["date32", "timestamp[ms, UTC]", "decimal(15,2)"]);
/// assert_eq!(dtypes[3..5], ["dictionary<int32, utf8, ordered>", "int64"]);
/// assert_eq!(dtypes[5..], ["struct<x: int32, y: utf8>", "interval<int32, left>"]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// Numbers have the type that Rust gives them: `[1, 2]` is `int32`, `[0.5]` is `float64`.
///
/// # Errors
/// Same as [`DataFrame::new`](crate::DataFrame::new): [`Error::Operation`](crate::Error::Operation) for lengths that differ,
/// a label given twice, or when memory runs out.
#[macro_export]
macro_rules! df {
    () => { $crate::DataFrame::empty() };
    ($($label:expr => $values:expr),+ $(,)?) => {
        [$(($crate::Label::from($label), $crate::Series::new($values))),+]
            .into_iter()
            .map(|(label, series)| series.map(|series| (label, series)))
            .collect::<$crate::Result<::std::vec::Vec<_>>>()
            .and_then(|columns| $crate::DataFrame::new(columns))
    };
}
