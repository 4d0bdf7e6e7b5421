//! Labels as values: how they are made, written and compared.

use super::{AsLabel, Label, LabelPart, LabelPartRef};
use crate::{DType, Error, Scalar, TimeUnit};

#[test]
fn label_parts_of_every_kind_print() {
    let noon = LabelPart::Timestamp(43_200, TimeUnit::Second);
    for (label, text, quoted) in [
        (Label::from("a b"), "a b", r#""a b""#),
        (Label::from("ß\n"), "ß\n", r#""ß\n""#),
        (Label::from(""), "", r#""""#),
        (Label::from(-7), "-7", "-7"),
        (Label::from(u64::MAX), "18446744073709551615", "18446744073709551615"),
        (Label::from(1.0), "1.0", "1.0"),
        (Label::from(f64::NAN), "NaN", "NaN"),
        (Label::from(true), "true", "true"),
        (Label::NULL, "null", "null"),
        (LabelPart::Date(10_471).into(), "1998-09-02", "1998-09-02"),
        (noon.clone().into(), "1970-01-01 12:00:00", "1970-01-01 12:00:00"),
        (("a", 1).into(), r#"("a", 1)"#, r#"("a", 1)"#),
        (("a", (2.5, "b"), noon).into(), r#"("a", 2.5, "b", 1970-01-01 12:00:00)"#, ""),
    ] {
        assert_eq!(label.to_string(), text);
        assert_eq!(format!("{label:?}"), if quoted.is_empty() { text } else { quoted });
    }
    assert_eq!(format!("[{:>5}]", Label::from("é")), "[    é]");
    assert_eq!(format!("[{:<4}]", Label::from(5)), "[5   ]");
}

#[test]
fn label_parts_and_text() {
    let path = Label::from(("a", 1));
    assert_eq!(path.parts(), ["a".into(), LabelPart::from(1)]);
    assert_eq!(
        (path.as_text(), Label::from("a").as_text(), Label::from(1).as_text()),
        (None, Some("a"), None)
    );
    assert_eq!(Label::from_parts(["a"]).unwrap(), "a", "a tuple of one is its part");
    assert_eq!(Label::from_parts(path.parts().iter().cloned()).unwrap(), path);
    assert!(matches!(Label::from_parts([] as [&str; 0]), Err(Error::InvalidArgument { .. })));
    assert_eq!((("a", 1), "b").depth(), 3);
    assert_eq!(("a", ("b", 2)).part(2), LabelPartRef::Int(2));
    assert_eq!(("a", "b").part(7), LabelPartRef::Null);
    assert_eq!(("a", "b", 3, 4.5).to_label().parts().len(), 4);
}

#[test]
fn labels_equal_their_parts() {
    let owned = "a".to_owned();
    let label = Label::from(&owned);
    assert!(label == "a" && label == owned);
    assert!("a" == label && owned == label);
    assert!(label != "b" && label != 1 && label != ("a", "a"));
    assert!(Label::from(("a", 1)) == ("a", 1.0) && Label::from(("a", 1)) != ("a", "1"));
    assert_eq!(vec![Label::from("a"), "b".into()], ["a", "b"]);
}

#[test]
fn numeric_and_temporal_labels_compare_by_value() {
    let second = LabelPart::Timestamp(1, TimeUnit::Second);
    assert_eq!(second, LabelPart::Timestamp(1_000, TimeUnit::Milli));
    assert_ne!(second, LabelPart::Timestamp(1, TimeUnit::Milli));
    assert_ne!(second, LabelPart::Duration(1, TimeUnit::Second));
    assert_eq!(LabelPart::Duration(2, TimeUnit::Second), LabelPart::Duration(2_000_000_000, TimeUnit::Nano));
    assert_ne!(LabelPart::Date(0), LabelPart::Timestamp(0, TimeUnit::Second), "a date is not a timestamp");
    assert_ne!(LabelPart::Date(0), LabelPart::Int(0));
    assert_eq!(LabelPart::from(2.0_f64.powi(63)), LabelPart::from(1_u64 << 63));
    assert_eq!(LabelPart::from(-(2.0_f64.powi(63))), LabelPart::from(i64::MIN));
    assert_ne!(LabelPart::from(2.0_f64.powi(64)), LabelPart::from(u64::MAX));
    assert_ne!(LabelPart::from(2.0_f64.powi(127)), LabelPart::from(-(2.0_f64.powi(127))));
    assert_eq!(LabelPart::UInt(5), LabelPart::Int(5));
    assert_ne!(LabelPart::from((1_i64 << 53) + 1), LabelPart::from(2.0_f64.powi(53)), "no digit is lost");
    assert_ne!(LabelPart::from(f64::INFINITY), LabelPart::from(f64::NEG_INFINITY));
    assert_eq!(LabelPart::from(-0.0), LabelPart::from(0));
    assert_eq!(LabelPart::from(0.5_f32), LabelPart::from(0.5));
}

#[test]
fn scalars_convert_to_labels() {
    for (scalar, part) in [
        (Scalar::Null(DType::Int8), LabelPart::Null),
        (Scalar::Bool(true), true.into()),
        (Scalar::UInt64(u64::MAX), u64::MAX.into()),
        (Scalar::Float32(0.5), 0.5.into()),
        (Scalar::from("a"), "a".into()),
        (Scalar::Date32(5), LabelPart::Date(5)),
        (Scalar::Timestamp(5, TimeUnit::Micro), LabelPart::Timestamp(5, TimeUnit::Micro)),
        (Scalar::Duration(5, TimeUnit::Micro), LabelPart::Duration(5, TimeUnit::Micro)),
        (Scalar::Time(5, TimeUnit::Micro), LabelPart::Time(5, TimeUnit::Micro)),
    ] {
        assert_eq!(LabelPart::try_from(&scalar), Ok(part), "{scalar:?}");
    }
    let decimal = Scalar::decimal(5, 1).unwrap();
    assert!(matches!(LabelPart::try_from(&decimal), Err(Error::UnsupportedDType { .. })));
}
