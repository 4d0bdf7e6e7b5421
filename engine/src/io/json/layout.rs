//! How rows lie in a file of JSON.

/// How rows lie in a file of JSON. A reader tells [`Lines`](Self::Lines) and [`Records`](Self::Records) apart by the first
/// character; the others have to be [asked for](crate::json::JsonReader::layout).
///
/// The rows of a=1, b=x and a=2, b=y:
///
/// | layout | text |
/// | --- | --- |
/// | `Lines` | `{"a":1,"b":"x"}` and on the next line `{"a":2,"b":"y"}` |
/// | `Records` | `[{"a":1,"b":"x"},{"a":2,"b":"y"}]` |
/// | `Index` | `{"0":{"a":1,"b":"x"},"1":{"a":2,"b":"y"}}` |
/// | `Columns` | `{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}` |
/// | `Split` | `{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,"y"]]}` |
///
/// Row labels are the numbers of the rows when they are written. When they are read, they tell which values are of one row, and
/// are left out.
///
/// # Source
/// pandas `read_json(orient=…)` and `to_json(orient=…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonLayout {
    /// An object a line.
    Lines,
    /// An array of objects.
    Records,
    /// An object of objects, by row label.
    Index,
    /// An object of columns: of each an object by row label, or an array of its values.
    Columns,
    /// The names of the columns, and an array for each row.
    Split,
}

impl JsonLayout {
    /// All of them.
    pub const ALL: [JsonLayout; 5] =
        [JsonLayout::Lines, JsonLayout::Records, JsonLayout::Index, JsonLayout::Columns, JsonLayout::Split];

    /// Its name, as pandas has it; `lines` for lines.
    pub const fn name(self) -> &'static str {
        match self {
            JsonLayout::Lines => "lines",
            JsonLayout::Records => "records",
            JsonLayout::Index => "index",
            JsonLayout::Columns => "columns",
            JsonLayout::Split => "split",
        }
    }
}
