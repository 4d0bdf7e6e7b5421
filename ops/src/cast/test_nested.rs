//! Casts of lists and structs, and between strings and bytes, against naive casts of their values.

use super::tests::texts;
use super::{CastMode, cast};
use crate::expression::{Expr, col, evaluate};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{
    BinaryColumn, CategoricalColumn, Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorKind, Field,
    ListColumn, StructColumn,
};
use columnade_kernels::OffsetWidth;

fn value(expr: Expr, column: &Column, exec: &Exec) -> Result<Column, Error> {
    let rows = ColumnAccessor::from_columns([("a", column.clone())]).unwrap();
    Ok(evaluate(&[expr], &rows, exec)?.swap_remove(0).1)
}

/// Lists of 0 to 3 numbers, every fifth null, after three that no cast may see: 1000 fits no `int8`.
fn lists(rows: usize, exec: &Exec) -> (Column, Vec<Option<Vec<i64>>>) {
    let list = |row: i64| (row % 5 != 4).then(|| (0..row % 4).map(|n| row % 100 + n).collect());
    let hidden = [Some(vec![1000]), None, Some(vec![1000, 1000])];
    let expected: Vec<Option<Vec<i64>>> = (0..).map(list).take(rows).collect();
    let all: Vec<_> = hidden.into_iter().chain(expected.iter().cloned()).collect();
    let items: Vec<i64> = all.iter().flatten().flatten().copied().collect();
    let items = Column::from_slice(&items, exec).unwrap();
    let lengths = all.iter().map(|list| list.as_ref().map(Vec::len));
    let whole = Column::List(ListColumn::from_lengths(&items, lengths, exec).unwrap());
    (whole.slice(3, rows).unwrap(), expected)
}

fn shown(list: Option<&Vec<i64>>, item: impl Fn(i64) -> String) -> String {
    list.map_or_else(
        || "<NA>".to_owned(),
        |items| format!("[{}]", items.iter().map(|&value| item(value)).collect::<Vec<_>>().join(", ")),
    )
}

/// The same values, in decimals of another width.
#[test]
fn widths_within_lists_and_structs_change() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (column, expected) = lists(65, &exec);
        let narrow = DType::decimal(9, 2).unwrap();
        let wide = DType::Decimal { precision: 9, scale: 2, storage: DecimalStorage::Bits128 };
        let decimals = cast(&column, &DType::list(narrow), CastMode::Checked, &exec).unwrap();
        let to = DType::list(wide);
        let expected: Vec<String> =
            expected.iter().map(|list| shown(list.as_ref(), |value| format!("{value}.00"))).collect();
        let structs = StructColumn::new([("x", decimals.clone())], None, 0, 65).map(Column::Struct).unwrap();
        let of_struct = DType::Struct([Field { name: "x".into(), dtype: to.clone() }].into());
        for made in [
            cast(&decimals, &to, CastMode::Checked, &exec),
            value(col("a").cast(to.clone()), &decimals, &exec),
            value(col("a").try_cast(to.clone()), &decimals, &exec),
        ] {
            let made = made.unwrap();
            assert_eq!((made.dtype(), texts(&made)), (to.clone(), expected.clone()), "{device}");
        }
        let made = value(col("a").cast(of_struct.clone()), &structs, &exec).unwrap();
        assert_eq!(made.dtype(), of_struct);
        assert_eq!(texts(&made)[1], "{x: [1.00]}");
    }
}

#[test]
fn items_of_lists_are_cast() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for rows in [0, 1, 31, 32, 33, 63, 64, 65, 300] {
            let (column, expected) = lists(rows, &exec);
            for (to, show) in [
                (DType::Int8, (|value| value.to_string()) as fn(i64) -> String),
                (DType::Float64, |value| format!("{value}.0")),
                (DType::Bool, |value| (value != 0).to_string()),
            ] {
                let to = DType::list(to);
                let expected: Vec<String> = expected.iter().map(|list| shown(list.as_ref(), show)).collect();
                let direct = cast(&column, &to, CastMode::Checked, &exec).unwrap();
                assert_eq!(
                    (direct.dtype(), texts(&direct)),
                    (to.clone(), expected.clone()),
                    "{device} {rows}"
                );
                for expr in [col("a").cast(to.clone()), col("a").try_cast(to.clone())] {
                    let cast = value(expr, &column, &exec).unwrap();
                    assert_eq!(
                        (cast.dtype(), texts(&cast)),
                        (to.clone(), expected.clone()),
                        "{device} {rows}"
                    );
                }
            }
        }
    }
}

#[test]
fn item_that_does_not_fit_is_an_error_or_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let items = Column::from_slice(&[1_i64, 300, -5, 7], &exec).unwrap();
        let lengths = [Some(2), None, Some(2)];
        let column = Column::List(ListColumn::from_lengths(&items, lengths, &exec).unwrap());
        let to = DType::list(DType::Int8);
        let error = value(col("a").cast(to.clone()), &column, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let cast = value(col("a").try_cast(to), &column, &exec).unwrap();
        assert_eq!(texts(&cast), ["[1, <NA>]", "<NA>", "[-5, 7]"], "{device}");
        let to = DType::list(DType::list(DType::Int64));
        let error = value(col("a").cast(to), &column, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
    }
}

#[test]
fn fields_of_structs_are_cast_by_name() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // The third row is null, and holds what does not fit.
        let x = Column::from_slice(&[1_i64, 2, 999, 4], &exec).unwrap();
        let y = Column::from_slice(&[0.5_f64, -0.0, 1e300, 2.0], &exec).unwrap();
        let mask = Buffer::from_slice(&[0b1011_u8], &exec).unwrap();
        let column = Column::Struct(StructColumn::new([("x", x), ("y", y)], Some(mask), 0, 4).unwrap());
        let to = DType::structure([("y", DType::Float32), ("x", DType::Int8), ("z", DType::Int64)]);
        let cast = value(col("a").cast(to.clone()), &column, &exec).unwrap();
        let expected =
            ["{y: 0.5, x: 1, z: <NA>}", "{y: -0.0, x: 2, z: <NA>}", "<NA>", "{y: 2.0, x: 4, z: <NA>}"];
        assert_eq!(
            (cast.dtype(), texts(&cast)),
            (to.clone(), expected.map(str::to_owned).to_vec()),
            "{device}"
        );
        let sliced = value(col("a").cast(to), &column.slice(1, 3).unwrap(), &exec).unwrap();
        assert_eq!(texts(&sliced), expected[1..], "{device}");
        let to = DType::structure([("x", DType::Int64)]);
        assert_eq!(texts(&value(col("a").cast(to), &column, &exec).unwrap())[3], "{x: 4}");
        let to = DType::structure([("other", DType::Int64)]);
        let error = value(col("a").cast(to), &column, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type, "{error}");
    }
}

#[test]
fn strings_become_bytes_and_bytes_strings() {
    let words = [Some("tea"), None, Some(""), Some("é\0x"), Some("日本")];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = Column::from_options(words.to_vec(), &exec).unwrap();
        let encoded = CategoricalColumn::encode(&column).unwrap();
        let encoded = Column::Categorical(encoded).to_device(&exec).unwrap();
        let shown = [r#"b"tea""#, "<NA>", r#"b"""#, r#"b"\xc3\xa9\x00x""#, r#"b"\xe6\x97\xa5\xe6\x9c\xac""#];
        for column in [&column, &encoded] {
            let bytes = value(col("a").cast(DType::Binary), column, &exec).unwrap();
            assert_eq!((bytes.dtype(), texts(&bytes)), (DType::Binary, shown.map(str::to_owned).to_vec()));
            let back = value(col("a").cast(DType::Utf8), &bytes.slice(1, 4).unwrap(), &exec).unwrap();
            let expected = words[1..].iter().map(|word| word.map(str::to_owned)).collect::<Vec<_>>();
            assert_eq!(back.to_options::<String>().unwrap(), expected, "{device}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_named() {
    for device in Device::available() {
        check_wrong_bytes(&Exec::new(device).unwrap());
    }
}

fn check_wrong_bytes(exec: &Exec) {
    // The second row is null and no text, the third ends within a character, which the fourth goes on with.
    let bytes = Buffer::from_slice(b"ab\xff\xc3\xa9x", exec).unwrap();
    for (offsets, width) in [
        (Buffer::from_slice(&[0_i32, 2, 3, 4, 5, 6], exec).unwrap(), OffsetWidth::I32),
        (Buffer::from_slice(&[0_i64, 2, 3, 4, 5, 6], exec).unwrap(), OffsetWidth::I64),
    ] {
        let mask = Buffer::from_slice(&[0b1_1101_u8], exec).unwrap();
        let column = BinaryColumn::new(offsets, width, bytes.clone(), Some(mask), 0, 5).map(Column::Binary);
        let column = column.unwrap();
        let error = value(col("a").cast(DType::Utf8), &column, exec).unwrap_err();
        assert!(error.to_string().contains("row 2"), "{error}");
        let cast = value(col("a").try_cast(DType::Utf8), &column, exec).unwrap();
        assert_eq!(texts(&cast), ["ab", "<NA>", "<NA>", "<NA>", "x"]);
        let valid = value(col("a").cast(DType::Utf8), &column.slice(0, 2).unwrap(), exec).unwrap();
        assert_eq!(texts(&valid), ["ab", "<NA>"]);
    }
}
