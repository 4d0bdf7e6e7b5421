//! Values of columns in the names of folders, as Hive writes them: `year=2026/city=Oslo`.

use std::fmt::Write;
use std::path::{Component, Path};

use columnade_columns::{DType, Scalar, TimeUnit};

/// What stands for null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The names and values in a path, the outermost first; null is `None`.
pub(super) fn partitions(path: &Path) -> Vec<(String, Option<String>)> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => partition(name.to_str()?),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect()
}

/// The name and the value of a folder that is called `name=value`.
pub(super) fn partition(folder: &str) -> Option<(String, Option<String>)> {
    let (name, value) = folder.split_once('=')?;
    let value = (value != NULL).then(|| decoded(value));
    (!name.is_empty()).then(|| (decoded(name), value))
}

/// The columns in the names of the folders of some files.
#[derive(Clone, Debug, Default)]
pub(super) struct Partitions {
    columns: Vec<(String, DType)>,
    /// The names and values of each file, the outermost first.
    files: Vec<Vec<(String, Option<String>)>>,
}

impl Partitions {
    pub(super) fn new<'a>(files: impl Iterator<Item = &'a [(String, Option<String>)]>) -> Self {
        let files: Vec<_> = files.map(<[_]>::to_vec).collect();
        let mut columns: Vec<(String, DType)> = Vec::new();
        for (name, _) in files.iter().flatten() {
            if columns.iter().all(|(known, _)| known != name) {
                let of_name = files.iter().flatten().filter(|(other, _)| other == name);
                let values = of_name.filter_map(|(_, value)| value.as_deref());
                columns.push((name.clone(), dtype(values)));
            }
        }
        Self { columns, files }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn dtype(&self, name: &str) -> Option<&DType> {
        self.columns.iter().find(|(column, _)| column == name).map(|(_, dtype)| dtype)
    }

    /// The text of a column in the names of a file's folders.
    pub(super) fn text(&self, file: usize, name: &str) -> Option<&str> {
        let mut innermost = self.files.get(file)?.iter().rev();
        innermost.find(|(column, _)| column == name)?.1.as_deref()
    }

    /// The value of a column, if it is one, in the rows of a file.
    pub(super) fn scalar(&self, file: usize, name: &str) -> Option<Scalar> {
        self.dtype(name).map(|dtype| scalar(self.text(file, name), dtype))
    }
}

/// The dtype of a column with these values: `int64` if all of them are whole numbers as they are printed, dates or timestamps if
/// all are in ISO 8601, else strings. A text such as `007` is no number, whose zeros would be lost.
fn dtype<'a>(values: impl Iterator<Item = &'a str>) -> DType {
    let mut found = None;
    for value in values {
        let kinds = [DType::Int64, DType::Date32, DType::Timestamp(TimeUnit::Micro)];
        let kind = kinds.into_iter().find(|kind| parsed(value, kind).is_some());
        if kind.is_none() || found.as_ref().is_some_and(|found| Some(found) != kind.as_ref()) {
            return DType::Utf8;
        }
        found = kind;
    }
    found.unwrap_or(DType::Utf8)
}

/// A text as a value of a dtype.
fn parsed(value: &str, dtype: &DType) -> Option<Scalar> {
    if *dtype == DType::Int64 {
        let number = value.parse::<i64>().ok().filter(|number| number.to_string() == value);
        return number.map(Scalar::Int64);
    }
    Scalar::parse(dtype, value).ok()
}

/// A value as one of a dtype that [`dtype`] found.
fn scalar(value: Option<&str>, dtype: &DType) -> Scalar {
    match value {
        Some(value) if *dtype == DType::Utf8 => Scalar::Utf8(value.to_owned()),
        value => value.and_then(|value| parsed(value, dtype)).unwrap_or_else(|| Scalar::Null(dtype.clone())),
    }
}

/// The name of the folder for the rows with this value in the column. A text that stands for null is encoded, so that it is
/// read as itself.
pub(super) fn folder(column: &str, value: Option<&str>) -> String {
    let value = match value {
        None => NULL.to_owned(),
        Some(NULL) => NULL.replacen('_', "%5F", 1),
        Some(value) => encoded(value),
    };
    format!("{}={value}", encoded(column))
}

/// Percent encoding of all bytes but ASCII letters, digits and `-_.~`, as in URLs. A name of dots alone, which would be another
/// folder, cannot come about beside the `=`.
fn encoded(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            name.push(char::from(byte));
        } else {
            // To a string, which never fails.
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

/// The text without percent encoding; as it stands where that gives no text.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code =
            tail.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_become_values_and_back() {
        for value in ["", "7", "Zürich", "a b/c=d%", "..", "100%25", "東京", ":"] {
            let folder = folder("the city", Some(value));
            assert!(!folder.contains('/') && folder.is_ascii(), "{folder}");
            assert_eq!(partition(&folder), Some(("the city".to_owned(), Some(value.to_owned()))));
        }
        assert_eq!(folder("n", None), "n=__HIVE_DEFAULT_PARTITION__");
        let text = folder("n", Some(NULL));
        assert_ne!(text, folder("n", None));
        assert_eq!(partition(&text), Some(("n".to_owned(), Some(NULL.to_owned()))));
        assert_eq!(partition("n=__HIVE_DEFAULT_PARTITION__"), Some(("n".to_owned(), None)));
        let path = Path::new("/data/year=2026/plain/%41=x%2Fy%zz%/part=0.parquet");
        let text = |text: &str| text.to_owned();
        let expected = [
            (text("year"), Some(text("2026"))),
            (text("A"), Some(text("x/y%zz%"))),
            (text("part"), Some(text("0.parquet"))),
        ];
        assert_eq!(partitions(path), expected);
        assert_eq!(
            (partition("=x"), partition("x"), partition("x=%ff")),
            (None, None, Some((text("x"), Some(text("%ff")))))
        );
        assert_eq!(dtype(["1", "-2", "0"].into_iter()), DType::Int64);
        // What a number would not be written as.
        for text in ["03", "+3", "-0", "-03", "00"] {
            assert_eq!(dtype(["1", text].into_iter()), DType::Utf8, "{text}");
        }
        assert_eq!(dtype(["1", "2.5"].into_iter()), DType::Utf8);
        assert_eq!(dtype(["99999999999999999999"].into_iter()), DType::Utf8);
        assert_eq!(dtype([].into_iter()), DType::Utf8);
        assert_eq!(dtype(["2026-01-31", "1969-12-31"].into_iter()), DType::Date32);
        assert_eq!(dtype(["2026-01-31", "2026-02-30"].into_iter()), DType::Utf8);
        assert_eq!(dtype(["2026-01-31", "7"].into_iter()), DType::Utf8);
        let times = ["2026-01-31 00:00:00", "2026-01-31 12:30:00.250000"];
        assert_eq!(dtype(times.into_iter()), DType::Timestamp(TimeUnit::Micro));
        assert_eq!(dtype(["true", "false"].into_iter()), DType::Utf8);
        assert_eq!(scalar(Some("1970-01-02"), &DType::Date32), Scalar::Date32(1));
        assert_eq!(scalar(None, &DType::Date32), Scalar::Null(DType::Date32));
    }
}
