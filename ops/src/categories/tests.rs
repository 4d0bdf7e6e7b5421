//! Functions of dictionaries on every device, against outputs of pandas.

use super::{
    add_categories, encode, remove_categories, remove_unused_categories, rename_categories,
    reorder_categories, set_categories, union_categoricals,
};
use crate::expression::{
    Expr, Literal, coalesce, col, concat_list, evaluate, len, lit, max_horizontal, min_horizontal, when,
};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, Scalar};
use columnade_kernels::Storage;
use std::sync::Arc;

/// `pd.Categorical(["b", None, "a", "b", "c"], categories=["c", "b", "a", "z"])`, after two rows of others.
fn sample(storage: Storage, exec: &Exec) -> Column {
    let codes = [Some(3), Some(0), Some(1), None, Some(2), Some(1), Some(0)];
    let codes = Column::from_options::<i32>(codes, exec).unwrap();
    let dictionary = Column::from_values(["c", "b", "a", "z"], exec).unwrap();
    let whole = CategoricalColumn::new(&codes, Arc::new(dictionary)).unwrap().with_codes(storage).unwrap();
    Column::Categorical(whole).slice(2, 5).unwrap()
}

fn texts(column: &Column) -> String {
    let texts: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

/// The values, the categories and the codes.
fn parts(column: &Column) -> [String; 3] {
    let Column::Categorical(categorical) = column else { panic!("{:?} is no dictionary", column.dtype()) };
    [texts(column), texts(categorical.dictionary()), texts(&categorical.codes())]
}

fn words(words: &[&str], exec: &Exec) -> Column {
    Column::from_values(words.iter().copied(), exec).unwrap()
}

#[test]
fn changes_of_categories_match_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for storage in [Storage::I8, Storage::I16, Storage::I32, Storage::I64] {
            let s = sample(storage, &exec);
            let to = |names: &[&str]| words(names, &exec);
            let what = format!("{device}, {storage}");
            let same = |found: Result<Column, Error>, expected: [&str; 3]| {
                let found = found.unwrap();
                assert_eq!(parts(&found), expected, "{what}");
                assert_eq!(found.dtype(), s.dtype(), "{what}");
            };
            same(add_categories(&s, &to(&["q"]), &exec), ["b <NA> a b c", "c b a z q", "1 <NA> 2 1 0"]);
            same(
                remove_categories(&s, &to(&["b"]), &exec),
                ["<NA> <NA> a <NA> c", "c a z", "<NA> <NA> 1 <NA> 0"],
            );
            same(remove_unused_categories(&s, &exec), ["b <NA> a b c", "c b a", "1 <NA> 2 1 0"]);
            let renamed = rename_categories(&s, &to(&["C", "B", "A", "Z"]), &exec);
            same(renamed, ["B <NA> A B C", "C B A Z", "1 <NA> 2 1 0"]);
            let reordered = reorder_categories(&s, &to(&["a", "b", "c", "z"]), &exec);
            same(reordered, ["b <NA> a b c", "a b c z", "1 <NA> 0 1 2"]);
            let set = set_categories(&s, &to(&["a", "new", "c"]), &exec);
            same(set, ["<NA> <NA> a <NA> c", "a new c", "<NA> <NA> 0 <NA> 2"]);
            same(
                remove_categories(&s, &to(&["a", "b", "c", "z"]), &exec),
                ["<NA> <NA> <NA> <NA> <NA>", "", "<NA> <NA> <NA> <NA> <NA>"],
            );
        }
        let many: Vec<String> = (0..130).map(|n| format!("n{n}")).collect();
        let many = Column::from_values(many.iter().map(String::as_str), &exec).unwrap();
        let wide = add_categories(&sample(Storage::I8, &exec), &many, &exec).unwrap();
        assert_eq!(texts(&wide), "b <NA> a b c", "{device}");
        assert_eq!(wide.dtype(), DType::dictionary(DType::Utf8), "{device}: 8 bits count 128 categories");
        let ordered =
            Column::Categorical(super::dictionary_of(&sample(Storage::I8, &exec)).unwrap().as_ordered());
        let ordered = set_categories(&ordered, &words(&["a", "b"], &exec), &exec).unwrap();
        assert!(super::dictionary_of(&ordered).unwrap().is_ordered(), "{device}");
    }
}

#[test]
fn encoded_values_decode_to_the_same() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let floats = [Some(0.0), None, Some(f64::NAN), Some(-0.0), Some(f64::NAN), Some(1.5)];
        let floats = Column::from_options(floats, &exec).unwrap().slice(1, 5).unwrap();
        let encoded = encode(&floats, &exec).unwrap();
        assert_eq!(texts(&encoded.codes()), "<NA> 0 1 0 2", "{device}");
        assert_eq!(texts(encoded.dictionary()), "NaN -0.0 1.5", "{device}");
        let strings = Column::from_options([Some("é"), Some(""), None, Some("é")], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("s", strings.clone())]).unwrap();
        let run = |expr: Expr| evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1;
        let decoded = run(col("s").cat().encode().cat().decode());
        assert_eq!((decoded.dtype(), texts(&decoded)), (DType::Utf8, texts(&strings)), "{device}");
        assert_eq!(texts(&run(col("s").cat().encode().cat().codes() * 2)), "0 2 <NA> 0", "{device}");
        let none = Column::full_null(&DType::Utf8, 0, &exec).unwrap();
        assert_eq!(encode(&none, &exec).unwrap().dictionary().size(), 0, "{device}");
    }
}

#[test]
fn ordered_categories_compare_by_their_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let s = sample(Storage::I8, &exec);
        let other = Column::Categorical(super::dictionary_of(&s).unwrap().as_ordered());
        let flipped = reorder_categories(&other, &words(&["z", "a", "b", "c"], &exec), &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("s", s), ("o", other.clone()), ("f", flipped)]).unwrap();
        let run = |expr: Expr| evaluate(&[expr], &frame, &exec).map(|mut all| all.swap_remove(0).1);
        let show = |expr: Expr| texts(&run(expr).unwrap());
        let ordered = || col("s").cat().as_ordered();
        // pandas, `s.cat.as_ordered() < "a"` and `>= "b"`, where a null gives false.
        for o in [ordered(), col("o")] {
            assert_eq!(show(o.clone().lt("a")), "true <NA> false true true", "{device}");
            assert_eq!(show(o.clone().ge("b")), "true <NA> true true false", "{device}");
            assert_eq!(show(o.clone().lt(col("o"))), "false <NA> false false false", "{device}");
            assert_eq!(show(o.clone().le(ordered())), "true <NA> true true true", "{device}");
            assert_eq!(show(o.eq("nope")), "false <NA> false false false", "{device}");
        }
        let least = [col("o").min().alias("min"), col("o").max().alias("max"), len()];
        let least = aggregate(&frame, None, &[], &least, GroupOptions::default(), &exec).unwrap();
        assert_eq!(
            (texts(&least.columns()[0]), texts(&least.columns()[1])),
            ("c".into(), "a".into()),
            "{device}"
        );
        let error = |expr: Expr| run(expr).unwrap_err();
        let unknown = error(col("o").lt("nope"));
        assert!(
            matches!(&unknown, Error::Context { source, .. } if matches!(**source, Error::UnknownCategory { .. })),
            "{unknown:?}"
        );
        assert!(error(col("o").lt(col("f"))).to_string().contains("(o < f): categories"), "{device}");
        let mismatch = error(col("o").lt(col("s")));
        assert!(mismatch.to_string().contains("(o < s)"), "{device}: {mismatch}");
    }
}

#[test]
fn union_of_dictionaries_matches_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let a = Column::from_options([Some("y"), Some("x"), None], &exec).unwrap();
        let a = Column::Categorical(encode(&a, &exec).unwrap());
        let codes = Column::from_slice(&[1_i32, 2], &exec).unwrap();
        let dictionary = Arc::new(words(&["z", "x", "a"], &exec));
        let b = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
        let joined = union_categoricals(&[&a, &b], false, &exec).unwrap();
        assert_eq!(parts(&joined), ["y x <NA> x a", "y x z a", "0 1 <NA> 1 3"], "{device}");
        let sorted = union_categoricals(&[&a, &b], true, &exec).unwrap();
        assert_eq!(parts(&sorted), ["y x <NA> x a", "a x y z", "2 1 <NA> 1 0"], "{device}");
        let ordered =
            |column: &Column| Column::Categorical(super::dictionary_of(column).unwrap().as_ordered());
        let refused = union_categoricals(&[&ordered(&a), &ordered(&b)], false, &exec);
        assert!(matches!(refused, Err(Error::InvalidArgument { .. })), "{refused:?}");
        assert!(union_categoricals(&[&ordered(&a), &ordered(&a)], true, &exec).is_err());
        let plain = words(&["a"], &exec);
        let refused = union_categoricals(&[&a, &plain], false, &exec).unwrap_err().to_string();
        assert!(refused.contains("key 1") && refused.contains("utf8"), "{refused}");
    }
}

#[test]
fn wrong_categories_are_typed_errors() {
    let exec = Exec::host();
    let s = sample(Storage::I8, &exec);
    let to = |names: &[&str]| words(names, &exec);
    let unknown = |name: &str| Error::UnknownCategory { category: name.to_owned() };
    assert_eq!(remove_categories(&s, &to(&["b", "no"]), &exec).unwrap_err(), unknown("no"));
    assert_eq!(reorder_categories(&s, &to(&["a", "b", "c", "no"]), &exec).unwrap_err(), unknown("no"));
    let reason = |found: Result<Column, Error>| found.unwrap_err().to_string();
    assert!(reason(reorder_categories(&s, &to(&["a", "b", "c"]), &exec)).contains("z is missing"));
    assert!(reason(add_categories(&s, &to(&["q", "b"]), &exec)).contains("b is there already"));
    assert!(reason(add_categories(&s, &to(&["q", "q"]), &exec)).contains("q is there already"));
    let null = Column::from_options([Some("q"), None], &exec).unwrap();
    assert!(reason(set_categories(&s, &null, &exec)).contains("null"));
    let two = reason(rename_categories(&s, &to(&["a", "b"]), &exec));
    assert!(two.contains("4 are there, 2 given"), "{two}");
    let numbers = Column::from_slice(&[1_i64], &exec).unwrap();
    let mismatch = Error::DTypeMismatch { left: DType::Utf8, right: DType::Int64 };
    assert_eq!(add_categories(&s, &numbers, &exec).unwrap_err(), mismatch);
    let refused = Error::UnsupportedDType { dtype: DType::Int64 };
    assert_eq!(remove_unused_categories(&numbers, &exec).unwrap_err(), refused);
    let list = Column::full_null(&DType::list(DType::Int8), 2, &exec).unwrap();
    assert!(matches!(encode(&list, &exec), Err(Error::UnsupportedDType { .. })));
}

#[test]
fn changes_of_categories_in_expressions_are_those_of_columns() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for storage in [Storage::I8, Storage::I16, Storage::I32, Storage::I64] {
            let s = sample(storage, &exec);
            let frame = ColumnAccessor::from_columns([("s", s.clone())]).unwrap();
            let cat = || col("s").cat();
            for (expr, text, expected) in [
                (
                    cat().add_categories(["q"]),
                    "s.cat().add_categories([\"q\"])",
                    ["b <NA> a b c", "c b a z q", "1 <NA> 2 1 0"],
                ),
                (
                    cat().remove_categories(["b", "z"]),
                    "s.cat().remove_categories([\"b\", \"z\"])",
                    ["<NA> <NA> a <NA> c", "c a", "<NA> <NA> 1 <NA> 0"],
                ),
                (
                    cat().rename_categories(["C", "é", "A", "Z"]),
                    "s.cat().rename_categories([\"C\", \"é\", \"A\", \"Z\"])",
                    ["é <NA> A é C", "C é A Z", "1 <NA> 2 1 0"],
                ),
                (
                    cat().reorder_categories(["a", "b", "c", "z"]).cat().as_ordered(),
                    "s.cat().reorder_categories([\"a\", \"b\", \"c\", \"z\"]).cat().as_ordered()",
                    ["b <NA> a b c", "a b c z", "1 <NA> 0 1 2"],
                ),
                (
                    cat().set_categories(["q", "a"]),
                    "s.cat().set_categories([\"q\", \"a\"])",
                    ["<NA> <NA> a <NA> <NA>", "q a", "<NA> <NA> 1 <NA> <NA>"],
                ),
            ] {
                assert_eq!(expr.to_string(), text);
                let (label, made) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
                assert_eq!(
                    (label.to_string().as_str(), parts(&made)),
                    ("s", expected.map(str::to_owned)),
                    "{text} on {device}"
                );
                let DType::Dictionary(dictionary) = made.dtype() else { panic!("{}", made.dtype()) };
                assert_eq!((dictionary.codes, dictionary.ordered), (storage, text.contains("as_ordered")));
            }
            let after = cat().set_categories(["a", "b"]).cat().as_ordered().lt("b");
            let (_, made) = evaluate(&[after], &frame, &exec).unwrap().swap_remove(0);
            assert_eq!(texts(&made), "false <NA> true false <NA>", "{device}");
        }
        let frame = ColumnAccessor::from_columns([
            ("s", sample(Storage::I8, &exec)),
            ("w", words(&["a", "b", "c", "d", "e"], &exec)),
        ]);
        let frame = frame.unwrap();
        let error = |expr: Expr| evaluate(&[expr], &frame, &exec).unwrap_err().to_string();
        let cat = || col("s").cat();
        for (expr, expected) in [
            (cat().add_categories(["a"]), "a is there already"),
            (cat().add_categories(["q", "q"]), "q is there already"),
            (cat().set_categories([super::Literal::Null]), "a null is no category"),
            (cat().add_categories([1]), "utf8"),
            (cat().remove_categories(["q"]), "\"q\" is no category"),
            (cat().reorder_categories(["a", "b"]), "is missing"),
            (cat().rename_categories(["a", "b"]), "4 are there, 2 given"),
            (cat().add_categories((0..125).map(|number| number.to_string())), "does not fit dict"),
            (col("w").cat().add_categories(["q"]), "utf8"),
        ] {
            let text = expr.to_string();
            let error = error(expr);
            assert!(error.contains(expected) && error.contains(".cat()."), "{text}: {error}");
        }
    }
}

#[test]
fn ordered_categories_of_numbers_compare_by_their_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let codes = Column::from_options([Some(9), Some(0), Some(1), None, Some(2)], &exec).unwrap();
        let numbers = Column::from_slice(&[30_i64, 10, 20, 1, 1, 1, 1, 1, 1, 1], &exec).unwrap();
        let whole = CategoricalColumn::new(&codes, Arc::new(numbers)).unwrap();
        let plain = Column::Categorical(whole.clone()).slice(1, 4).unwrap();
        let ordered = Column::Categorical(whole.as_ordered()).slice(1, 4).unwrap();
        let keys = Column::from_slice(&[1, 1, 2, 2], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("k", keys), ("p", plain), ("o", ordered)]).unwrap();
        let run = |expr: Expr| evaluate(&[expr], &frame, &exec).map(|mut all| all.swap_remove(0).1);
        let show = |expr: Expr| texts(&run(expr).unwrap());
        // 30 < 10 < 20.
        for o in [col("o"), col("p").cat().as_ordered()] {
            assert_eq!(show(o.clone().lt(10)), "true false <NA> false", "{device}");
            assert_eq!(show(o.clone().ge(10)), "false true <NA> true", "{device}");
            assert_eq!(show(lit(10).le(o.clone())), "false true <NA> true", "{device}");
            assert_eq!(show(o.clone().gt(Scalar::Int64(30))), "false true <NA> true", "{device}");
            assert_eq!(show(o.clone().le(col("o"))), "true true <NA> true", "{device}");
            assert_eq!(show(o.clone().lt(Literal::Null)), "<NA> <NA> <NA> <NA>", "{device}");
            assert_eq!(show(o.clone().min()), "30 30 30 30", "{device}");
            assert_eq!(show(o.clone().max().over(col("k"))), "10 10 20 20", "{device}");
            assert_eq!(show(o.clone().arg_max()), "3 3 3 3", "{device}");
            assert_eq!(show(o.clone().cum_max()), "30 10 <NA> 20", "{device}");
            let error = run(o.lt(11)).unwrap_err();
            assert!(error.to_string().contains("11"), "{error}");
        }
        assert_eq!(show(col("o").eq(10)), "false true <NA> false", "{device}");
        assert_eq!(show(col("p").lt(20)), "false true <NA> false", "{device}");
        assert!(run(col("o").lt(col("p"))).is_err(), "{device}: one has no order");
        let of_groups = [col("o").min(), col("o").max().alias("max")];
        let found = aggregate(&frame, None, &[col("k")], &of_groups, GroupOptions::default(), &exec).unwrap();
        assert_eq!(texts(found.get("o").unwrap()), "30 20", "{device}");
        assert_eq!(texts(found.get("max").unwrap()), "10 20", "{device}");
    }
}

/// What is chosen of an ordered dictionary and of constants keeps the order.
#[test]
fn constants_beside_ordered_dictionaries_are_categories() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let Column::Categorical(s) = sample(Storage::I8, &exec) else { panic!("a dictionary") };
        // "c" is less than "b", and that less than "a".
        let ordered = Column::Categorical(s.as_ordered());
        let dtype = ordered.dtype();
        let frame = ColumnAccessor::from_columns([("s", ordered)]).unwrap();
        let s = || col("s");
        let is_b = || s().eq("b");
        let null = || lit(Literal::Null);
        for (expr, expected) in [
            (s().fill_null("c"), "b c a b c"),
            (s().clip("b", "a"), "b <NA> a b b"),
            (s().clip("c", "b"), "b <NA> b b c"),
            (when(is_b()).then("z").otherwise(s()), "z <NA> a z c"),
            (when(is_b()).then(null()).otherwise(s()), "<NA> <NA> a <NA> c"),
            (max_horizontal([s(), lit("b")]), "b b a b b"),
            (min_horizontal([lit("b"), s()]), "b b b b c"),
            (coalesce([s(), lit("z")]), "b z a b c"),
            (s().fill_null("c").max(), "a a a a a"),
            (when(is_b()).then(null()).otherwise(s()).min(), "c c c c c"),
        ] {
            let found = evaluate(std::slice::from_ref(&expr), &frame, &exec);
            let found = found.unwrap_or_else(|error| panic!("{device} {expr}: {error}")).swap_remove(0).1;
            assert_eq!((texts(&found).as_str(), found.dtype()), (expected, dtype.clone()), "{device} {expr}");
        }
        let unknown = evaluate(&[s().fill_null("q")], &frame, &exec).unwrap_err();
        assert_eq!(unknown.kind(), columnade_columns::ErrorKind::Value, "{device}");
        assert!(unknown.to_string().contains("\"q\""), "{device}: {unknown}");
    }
}

/// An operand has the values of a dictionary of numbers and times, and not its codes.
#[test]
fn numbers_and_times_of_dictionaries_are_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let encoded = |column: &Column| Column::Categorical(encode(column, &exec).unwrap());
        let days = Column::from_slice(&[100_i32, 50, -3, 50, 100], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 2, 1, 2, 1], &exec).unwrap()),
            ("n", encoded(&Column::from_slice(&[100_i64, 50, 100, -3, 7], &exec).unwrap())),
            ("f", encoded(&Column::from_slice(&[1.5, 2.5, 1.5, -0.5, 7.0], &exec).unwrap())),
            ("nan", encoded(&Column::from_slice(&[1.5, 2.5, f64::NAN, -0.5, 1.0], &exec).unwrap())),
            ("b", encoded(&Column::from_values([true, false, true, true, false], &exec).unwrap())),
            ("d", encoded(&days.reinterpret(&DType::Date32).unwrap())),
        ])
        .unwrap();
        let (n, f, b, d) = (|| col("n"), || col("f"), || col("b"), || col("d"));
        let dates = "1970-04-11 1970-02-20 1969-12-29 1970-02-20 1970-04-11";
        for (expr, expected) in [
            (n().sum(), "254 254 254 254 254"),
            (n().mean(), "50.8 50.8 50.8 50.8 50.8"),
            (n().sum().over("k"), "207 47 207 47 207"),
            (n().mean().over("k"), "69.0 23.5 69.0 23.5 69.0"),
            (n().filter(n().gt(0)).sum(), "257 257 257 257 257"),
            (n().max(), "100 100 100 100 100"),
            (n().min().over("k"), "7 -3 7 -3 7"),
            // NaN is an extreme of NaNs alone.
            (col("nan").max(), "2.5 2.5 2.5 2.5 2.5"),
            (col("nan").max().over("k"), "1.5 2.5 1.5 2.5 1.5"),
            (f().sum(), "12.0 12.0 12.0 12.0 12.0"),
            (f().mean().over("k"), "3.3333333333333335 1.0 3.3333333333333335 1.0 3.3333333333333335"),
            (b().sum(), "3 3 3 3 3"),
            (concat_list([n(), n()]).list().sum(), "200 100 200 -6 14"),
            (concat_list([n(), n()]).list().mean(), "100.0 50.0 100.0 -3.0 7.0"),
            (d().dt().strftime("%Y-%m-%d"), dates),
            (d().cast(DType::Utf8), dates),
            (d().dt().month_name(), "April February December February April"),
        ] {
            let found = evaluate(std::slice::from_ref(&expr), &frame, &exec);
            let found = found.unwrap_or_else(|error| panic!("{device} {expr}: {error}")).swap_remove(0).1;
            assert_eq!(texts(&found), expected, "{device} {expr}");
        }
        let sums = [n().sum(), f().mean().alias("f"), n().collect().list().sum().alias("l")];
        let groups = aggregate(&frame, None, &[col("k")], &sums, GroupOptions::default(), &exec).unwrap();
        assert_eq!(
            groups.columns().iter().map(texts).collect::<Vec<_>>()[1..],
            ["207 47", "3.3333333333333335 1.0", "207 47"]
        );
    }
}
