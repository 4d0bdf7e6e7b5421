//! Calls against the results of pandas 3.1.1, on every device.
//!
//! `tests/golden/cases.jsonl` has a sample of the calls that `tests/golden/generate.py` makes; `COLUMNADE_TEST_GOLDEN` names a file with
//! all of them, as `cargo xtask golden` does. Each call is made on the frame and on a slice of a larger one.

mod calls;
mod decode;
mod index_calls;
mod label_calls;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use columnade_buffers::Device;
use columnade_columns::ErrorKind;
use serde_json::Value;

use crate::dataframe::{DataFrame, concat};
use crate::testing::on_every_device;
use calls::call;
use decode::Expected;

fn cases() -> String {
    // Part of the program, which also runs where the sources are not.
    let sample = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/cases.jsonl"));
    let Ok(path) = std::env::var("COLUMNADE_TEST_GOLDEN") else { return sample.to_owned() };
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Rows of `frame` between others.
fn sliced(frame: &DataFrame) -> DataFrame {
    let some = frame.head(3).and_then(|head| concat([&head, frame, &head]));
    some.and_then(|all| all.slice(frame.len().min(3), frame.len())).expect("rows of one frame")
}

/// What became of the calls.
#[derive(Default)]
struct Tally {
    equal: usize,
    not_implemented: usize,
    different: Vec<String>,
}

#[test]
fn calls_give_results_of_pandas() {
    let text = cases();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let (inputs, calls): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| line["op"].is_null());
    assert!(calls.len() > 100, "a sample of calls");
    let tally = RefCell::new(Tally::default());
    on_every_device(|device| {
        let frames: HashMap<&str, [DataFrame; 2]> = inputs
            .iter()
            .map(|line| {
                let frame = decode::frame(&line["columns"]);
                (line["input"].as_str().expect("a name"), [sliced(&frame), frame])
            })
            .collect();
        for line in &calls {
            check(device, line, &frames, &mut tally.borrow_mut());
        }
    });
    let Tally { equal, not_implemented, different } = tally.into_inner();
    println!("golden: {not_implemented} calls not implemented on a device");
    println!("golden: {} cases, {equal} equal, {} different", equal + different.len(), different.len());
    let shown = &different[..different.len().min(400)];
    assert!(different.is_empty(), "{}", shown.join("\n"));
}

fn check(device: Device, line: &Value, frames: &HashMap<&str, [DataFrame; 2]>, tally: &mut Tally) {
    let (op, input) = (line["op"].as_str().expect("a name"), line["frame"].as_str().expect("an input"));
    let refused = line["error"].as_str();
    let expected = refused.is_none().then(|| Expected::new(&line["expect"]));
    for (frame, view) in frames[input].iter().zip(["slice", "whole"]) {
        let what = || format!("{device} {view} {op} {} of {input}", line["args"]);
        match call(op, &line["args"], frame) {
            Ok(found) => match expected.as_ref().map(|expected| expected.differs(&found)) {
                Some(None) => tally.equal += 1,
                Some(Some(how)) => tally.different.push(format!("{}: {how}", what())),
                None => tally.different.push(format!("{}: pandas refuses it: {refused:?}", what())),
            },
            Err(error) if refused.is_some_and(|refused| is_kind(refused, error.kind())) => tally.equal += 1,
            Err(error) if error.kind() == ErrorKind::NotImplemented && device != Device::Host => {
                tally.not_implemented += 1;
            }
            Err(error) => tally.different.push(format!("{}: {error}", what())),
        }
    }
}

/// Whether an error is of the kind of an exception of pandas.
fn is_kind(exception: &str, kind: ErrorKind) -> bool {
    match exception {
        "KeyError" | "UnsortedIndexError" => kind == ErrorKind::Key,
        "IndexError" => kind == ErrorKind::Index,
        // Labels that have to be unique.
        "InvalidIndexError" | "NotImplementedError" | "ValueError" => kind == ErrorKind::Value,
        other => panic!("no kind of {other}"),
    }
}

#[test]
fn differences_of_labels_dtypes_rows_and_values_are_found() {
    let columns = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let found = r#"[{"label":"x","dtype":"float64","values":[1.0,null,"NaN"]}]"#;
    on_every_device(|_| {
        let frame = decode::frame(&columns(found));
        assert_eq!(Expected::new(&columns(found)).differs(&frame), None);
        for (expected, how) in [
            (r#"[{"label":"y","dtype":"float64","values":[1.0,null,"NaN"]}]"#, "columns"),
            (r#"[{"label":"x","dtype":"int64","values":[1,null,null]}]"#, "expected int64"),
            (r#"[{"label":"x","dtype":"float64","values":[1.0,null]}]"#, "3 rows, expected 2"),
            (r#"[{"label":"x","dtype":"float64","values":[1.001,null,"NaN"]}]"#, "row 0"),
            (r#"[{"label":"x","dtype":"float64","values":[1.0,"NaN","NaN"]}]"#, "row 1"),
            (r#"[{"label":"x","dtype":"float64","values":[1.0,null,null]}]"#, "row 2"),
        ] {
            let difference = Expected::new(&columns(expected)).differs(&frame).unwrap_or_default();
            assert!(difference.contains(how), "{expected}: {difference}");
        }
    });
}
