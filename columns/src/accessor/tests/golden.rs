//! What pandas answers to the same questions: `golden.py` wrote `golden.json`.
//!
//! Labels that pandas lets be there twice are an error here; `golden.py` leaves out what else is decided otherwise,
//! and says why.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{frame, origins};
use crate::{
    ColumnAccessor, DType, ErrorKind, Label, LabelIndex, LabelPart, LevelKey, Levels, Positions, RangeLabels,
    RenamedLevels, Result, TimeUnit, Wildcard,
};

const ANSWERS: &str = include_str!("golden.json");

fn answers() -> Value {
    serde_json::from_str(ANSWERS).unwrap()
}

fn part(value: &Value) -> LabelPart {
    match value {
        Value::Null => LabelPart::Null,
        Value::Bool(value) => (*value).into(),
        Value::String(text) => text.into(),
        Value::Number(number) => match number.as_i64() {
            Some(value) => value.into(),
            None => number.as_u64().unwrap().into(),
        },
        Value::Object(tagged) => {
            let (tag, value) = tagged.iter().next().unwrap();
            let number = || value.as_i64().unwrap();
            match tag.as_str() {
                "float" => value.as_str().unwrap().parse::<f64>().unwrap().into(),
                "timestamp" => LabelPart::Timestamp(number(), TimeUnit::Nano),
                "duration" => LabelPart::Duration(number(), TimeUnit::Nano),
                other => panic!("no part is a {other}"),
            }
        }
        Value::Array(_) => panic!("a part is no list"),
    }
}

fn label(value: &Value) -> Label {
    Label::from_parts(value.as_array().unwrap().iter().map(part)).unwrap()
}

fn labels(value: &Value) -> Vec<Label> {
    value.as_array().unwrap().iter().map(label).collect()
}

fn level(value: &Value) -> LevelKey {
    match value.as_i64() {
        Some(position) => LevelKey::Position(position.try_into().unwrap()),
        None => LevelKey::Name(part(value).into()),
    }
}

fn integers(value: &Value) -> Vec<isize> {
    value.as_array().unwrap().iter().map(|value| value.as_i64().unwrap().try_into().unwrap()).collect()
}

fn booleans(value: &Value) -> Vec<bool> {
    value.as_array().unwrap().iter().map(|value| value.as_bool().unwrap()).collect()
}

/// A frame of one row that holds the positions of its columns.
fn asked(value: &Value) -> ColumnAccessor {
    let names = value["names"].as_array().unwrap().iter();
    let levels = Levels::named(names.map(|name| (!name.is_null()).then(|| part(name).into()))).unwrap();
    frame(labels(&value["labels"])).relevel(levels).unwrap()
}

fn answer(frame: &ColumnAccessor, case: &Value) -> Result<ColumnAccessor> {
    let key = || label(&case["key"]);
    let new = || crate::Column::from_vec(vec![99_i64]);
    match case["operation"].as_str().unwrap() {
        "get" => {
            let column = frame.get(key())?.clone();
            assert!(frame.contains(key()));
            let position = frame.position(key())?;
            let mut one = ColumnAccessor::with_levels(frame.rows(), frame.levels().clone());
            one.insert(frame.labels()[position].clone(), column)?;
            Ok(one)
        }
        "select_grouped" => frame.select_grouped(key()),
        "select" => frame.select(labels(&case["keys"])),
        "without" => frame.without(labels(&case["keys"])),
        "select_mask" => frame.select_mask(&booleans(&case["mask"])),
        "select_slice" => {
            let end = |name: &str| (!case[name].is_null()).then(|| label(&case[name]));
            frame.select_by_label(crate::LabelKey::Slice { first: end("first"), last: end("last") })
        }
        "select_matching" => {
            frame.select_matching(case["pattern"].as_array().unwrap().iter().map(|value| {
                if value.get("any").is_some() { Wildcard::Any } else { Wildcard::Is(part(value)) }
            }))
        }
        "select_by_index" => frame.select_by_index(if let Some(one) = case.get("one") {
            Positions::One(one.as_i64().unwrap().try_into().unwrap())
        } else if let Some(list) = case.get("list") {
            Positions::List(integers(list))
        } else if let Some(mask) = case.get("mask") {
            Positions::Mask(booleans(mask))
        } else {
            let end = |at: usize| case["slice"][at].as_i64().map(|end| end.try_into().unwrap());
            Positions::Slice { start: end(0), stop: end(1), step: end(2).unwrap() }
        }),
        "insert" => {
            let mut longer = frame.clone();
            longer.insert_at(case["at"].as_i64().unwrap().try_into().unwrap(), key(), new())?;
            Ok(longer)
        }
        "set" => {
            let mut changed = frame.clone();
            changed.set(key(), new())?;
            Ok(changed)
        }
        "remove" => {
            let mut shorter = frame.clone();
            shorter.remove(key())?;
            Ok(shorter)
        }
        "swaplevel" => frame.swaplevel(level(&case["a"]), level(&case["b"])),
        "droplevel" => frame.droplevel(level(&case["level"])),
        "rename_levels" => {
            let pairs = case["map"].as_array().unwrap();
            let pairs: Vec<_> = pairs.iter().map(|pair| (part(&pair[0]), part(&pair[1]))).collect();
            let levels =
                if case["level"].is_null() { RenamedLevels::All } else { level(&case["level"]).into() };
            frame.rename_levels(levels, |part| {
                pairs.iter().find(|(from, _)| from == part).map(|(_, to)| to.clone())
            })
        }
        other => panic!("no operation is called {other}"),
    }
}

/// pandas lets labels be there twice, which is an error here.
fn has_a_label_twice(answer: &Value) -> bool {
    let labels = labels_of(answer);
    labels.iter().enumerate().any(|(at, label)| labels[..at].contains(label))
}

fn labels_of(answer: &Value) -> Vec<Label> {
    answer.get("labels").map(labels).unwrap_or_default()
}

#[test]
fn selections_match_pandas() {
    let answers = answers();
    let frames: Vec<ColumnAccessor> = answers["frames"].as_array().unwrap().iter().map(asked).collect();
    let mut counted = BTreeMap::new();
    let mut differences = Vec::new();
    for case in answers["cases"].as_array().unwrap() {
        *counted.entry(case["operation"].as_str().unwrap()).or_insert(0) += 1;
        let frame = &frames[usize::try_from(case["frame"].as_u64().unwrap()).unwrap()];
        let before = (frame.labels().to_vec(), origins(frame));
        let found = answer(frame, case);
        assert_eq!(before, (frame.labels().to_vec(), origins(frame)), "{case} changed its frame");
        let expected = match case["answer"].get("error") {
            Some(kind) => Err(kind.as_str().unwrap().to_owned()),
            None if has_a_label_twice(&case["answer"]) => Err(ErrorKind::Value.to_string()),
            None => Ok((labels_of(&case["answer"]), integers(&case["answer"]["from"]))),
        };
        let got = match &found {
            Ok(found) => Ok((found.labels().to_vec(), origins(found))),
            Err(error) => Err(error.kind().to_string()),
        };
        if got != expected {
            differences.push(format!("{case}\n  expected {expected:?}\n  found    {got:?}"));
            continue;
        }
        if let Ok(found) = &found {
            let names: Vec<Value> = case["answer"]["names"].as_array().unwrap().clone();
            let names: Vec<Option<Label>> =
                names.iter().map(|name| (!name.is_null()).then(|| part(name).into())).collect();
            assert_eq!(found.levels().names(), names, "{case}");
            assert_eq!(found.rows(), 1);
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(counted.len(), 14, "{counted:?}");
}

#[test]
fn label_equality_matches_pandas() {
    let answers = answers();
    let values = labels(&answers["equality"]["labels"]);
    for (a, row) in values.iter().zip(answers["equality"]["equal"].as_array().unwrap()) {
        for (b, equal) in values.iter().zip(booleans(row)) {
            assert_eq!(a == b, equal, "{a:?} and {b:?}");
            let both = ColumnAccessor::from_columns([a, b].map(|label| (label, super::one_row(0))));
            assert_eq!(both.is_err(), equal, "{a:?} and {b:?}");
        }
    }
}

#[test]
fn common_dtype_of_labels_matches_pandas() {
    for case in answers()["dtypes"].as_array().unwrap() {
        let LabelIndex::Single { dtype, name: None } = frame(labels(&case["labels"])).label_index() else {
            panic!("labels of one level without a name");
        };
        assert_eq!(dtype.map(|dtype| dtype.to_string()).as_deref(), case["dtype"].as_str(), "{case}");
    }
}

#[test]
fn range_labels_stay_range_while_regular() {
    let levels = Levels::default().with_range(RangeLabels::Yes).unwrap();
    for case in answers()["ranges"].as_array().unwrap() {
        let index = frame(labels(&case["labels"])).relevel(levels.clone()).unwrap().label_index();
        match index {
            LabelIndex::Range { start, stop, step, name: None } => {
                let expected: Vec<i64> =
                    case["range"].as_array().unwrap().iter().map(|end| end.as_i64().unwrap()).collect();
                // pandas ends where the labels were to end, this where they do.
                let expected_labels = labels(&case["labels"]);
                assert_eq!(
                    (start, step),
                    (expected[0], if expected_labels.len() < 2 { 1 } else { expected[2] })
                );
                assert_eq!(stop, start + step * i64::try_from(expected_labels.len()).unwrap(), "{case}");
            }
            other => assert!(case["range"].is_null(), "{case}: {other:?}"),
        }
    }
}

#[test]
fn declared_label_dtypes_are_kept() {
    for case in answers()["inserted"].as_array().unwrap() {
        let dtype = match case["dtype"].as_str().unwrap() {
            "int8" => DType::Int8,
            "uint8" => DType::UInt8,
            "float32" => DType::Float32,
            other => panic!("{other}"),
        };
        let levels = Levels::default().with_dtypes([Some(dtype.clone())]).unwrap();
        let mut columns = frame(labels(&case["labels"])).relevel(levels).unwrap();
        assert_eq!(columns.label_index(), LabelIndex::Single { name: None, dtype: Some(dtype.clone()) });
        columns.insert(label(&case["new"]), super::one_row(0)).unwrap();
        let LabelIndex::Single { dtype: after, .. } = columns.label_index() else { panic!("one level") };
        assert_eq!(after == Some(dtype), case["kept"].as_bool().unwrap(), "{case}");
    }
}
