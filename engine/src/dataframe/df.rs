//! Frames as they are written down.

/// A frame of columns as they are written down: labels, and anything that a
/// [`IntoColumn`](trait@crate::IntoColumn) is made from. A `Result<DataFrame>`, on the thread's default device.
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
/// Numbers have the type that Rust gives them: `[1, 2]` is `int32`, `[0.5]` is `float64`.
///
/// # Errors
/// As [`DataFrame::new`](crate::DataFrame::new): [`Error::Operation`](crate::Error::Operation) for lengths that differ,
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
