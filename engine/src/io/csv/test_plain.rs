//! Rows without quotes, against the library's decoder.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_schema::DataType;
use columnade_tests::Rng;

use super::Options;
use super::format::CsvFormat;
use super::plain::{columns, field_end};
use super::types::ColumnType;

fn format(types: &[DataType], delimiter: u8) -> CsvFormat {
    let types: Vec<_> =
        types.iter().map(|data_type| ColumnType { data_type: data_type.clone(), is_given: false }).collect();
    CsvFormat {
        options: Arc::new(Options { delimiter, ..Options::default() }),
        names: (0..types.len()).map(|at| format!("c{at}")).collect(),
        selected: (0..types.len()).collect(),
        types,
    }
}

const INTEGERS: [&str; 8] = ["", "0", "-0", "7", "007", "-12", "999999999999999999", "-123456789012345678"];
const FLOATS: [&str; 12] = [
    "",
    "0",
    "-0",
    "-0.0",
    "1.5",
    "0.1",
    "23.405",
    "123456789012345.5",
    "0.000000000000001",
    "-99.99",
    "12345678901234567890.125",
    "179769313486231570000000000000000000000000000000000000000000.5",
];
const STRINGS: [&str; 6] = ["", "a", "Größe", "id0000042", " spaces ", "a text that is longer than eight"];

/// Rows of fields that this decodes, against the library.
#[test]
fn plain_rows_decode_as_by_the_library() {
    let mut rng = Rng::new(3);
    let mut pick = |from: &[&'static str]| from[usize::try_from(rng.below(from.len() as u64)).unwrap_or(0)];
    for delimiter in [b',', b'\t', b'|'] {
        let separator = char::from(delimiter).to_string();
        for rows in [0, 1, 2, 7, 31, 32, 33, 64, 65, 300] {
            let types = [DataType::Utf8, DataType::Int64, DataType::Float64, DataType::Utf8, DataType::Int64];
            let format = format(&types, delimiter);
            for ending in ["\n", "", "\n\n"] {
                let lines: Vec<String> = (0..rows)
                    .map(|_| {
                        let texts = &STRINGS;
                        [pick(texts), pick(&INTEGERS), pick(&FLOATS), pick(texts), pick(&INTEGERS)]
                            .join(&separator)
                    })
                    .collect();
                let text = lines.join("\n") + ending;
                for selected in [&[0, 1, 2, 3, 4][..], &[4, 2], &[3], &[1, 0]] {
                    let bytes = text.as_bytes();
                    let plain = columns(&format, bytes, selected).expect("nothing else is in it");
                    let library = format.decoded(bytes, selected).expect("rows");
                    if library.num_columns() == 0 {
                        assert!(plain.iter().all(|column| column.is_empty()), "{text:?}");
                        continue;
                    }
                    for (at, column) in selected.iter().zip(&plain) {
                        let position = library.schema().index_of(&format.names[*at]).expect("a column");
                        let expected = library.column(position);
                        assert_eq!(column, expected, "{text:?}");
                        if types[*at] == DataType::Float64 {
                            let bits = |array: &ArrayRef| -> Vec<_> {
                                let floats = array.as_primitive::<Float64Type>();
                                floats.iter().map(|value| value.map(f64::to_bits)).collect()
                            };
                            assert_eq!(bits(column), bits(expected), "{text:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn other_rows_are_left_to_the_library() {
    let two = format(&[DataType::Int64, DataType::Float64], b',');
    for text in [
        "1\n",
        "1,2,3\n",
        "1,2\n3\n",
        "1,\"2\"\n",
        "1,2\r\n",
        "x,2\n",
        "1,x\n",
        "+1,2\n",
        "1, 2\n",
        "1,1e5\n",
        "1,.5\n",
        "1,5.\n",
        "1,NaN\n",
        "1,--2\n",
        "1,1.2.3\n",
        "9223372036854775807,1\n",
        "-,1\n",
        "1,-\n",
        "1,2\n3,",
    ] {
        let is_whole = text == "1,2\n3,";
        assert_eq!(columns(&two, text.as_bytes(), &[0, 1]).is_some(), is_whole, "{text:?}");
    }
    assert!(columns(&two, b"1,2\n\xFF,3\n", &[0, 1]).is_none());
    let one = format(&[DataType::Utf8], b',');
    assert!(columns(&one, b"a\n\nb\n", &[0]).is_none() && columns(&one, b"a\nb", &[0]).is_some());
    let flags = format(&[DataType::Boolean], b',');
    assert!(columns(&flags, b"true\n", &[0]).is_none());
    // What is not read is not looked at.
    assert!(columns(&two, b"x,2\n", &[1]).is_some());
}

#[test]
fn ends_of_fields_are_found_at_every_position() {
    for len in 0..40 {
        for at in 0..=len {
            let mut bytes = vec![b'x'; len];
            assert_eq!(field_end(&bytes, at, b','), len);
            for found in at..len {
                for end in *b",\n" {
                    bytes[found] = end;
                    assert_eq!(field_end(&bytes, at, b','), found);
                    bytes[found] = b'x';
                }
            }
        }
    }
    // Bytes that a borrow in the search would mark.
    assert_eq!(field_end(b"\x2d\x2d\x2d\x2d-,\x2d\x2d", 0, b','), 5);
}
