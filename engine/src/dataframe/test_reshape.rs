//! Reshaping on every device, against outputs of pandas 3.1.1.

use columnade_columns::{AsLabel, DType, ErrorKind, Label, Scalar};
use columnade_ops::expression::{col, len};

use super::{Crosstab, DataFrame, Dummies, Melt, Normalize, Pivot, PivotTable, WideToLong, crosstab};
use crate::builders::categories;
use crate::error::Result;
use crate::series::Series;
use crate::testing::on_every_device;

fn made(frame: Result<DataFrame>) -> DataFrame {
    frame.expect("a frame")
}

/// Labels, and the rows as text.
fn table(frame: &DataFrame) -> Vec<String> {
    let header = frame.columns().iter().map(|label| format!("{label:?}")).collect::<Vec<_>>().join(" ");
    let columns: Vec<Vec<Scalar>> = frame.columns().iter().map(|label| values(frame, label)).collect();
    let row = |row: usize| columns.iter().map(|column| column[row].to_string()).collect::<Vec<_>>().join(" ");
    std::iter::once(header).chain((0..frame.len()).map(row)).collect()
}

fn values(frame: &DataFrame, label: impl AsLabel) -> Vec<Scalar> {
    crate::testing::values(frame, label)
}

fn kind<T>(result: Result<T>) -> ErrorKind {
    result.err().expect("an error").kind()
}

fn sales() -> DataFrame {
    made(crate::df! {
        "a" => ["x", "y", "x", "y", "x", "z"],
        "b" => [2_i64, 1, 1, 2, 2, 1],
        "c" => [true, false, true, true, false, false],
        "v" => [Some(1.0), Some(2.0), Some(3.0), Some(4.0), Some(5.0), None],
        "w" => [1_i64, 2, 3, 4, 5, 6],
    })
}

#[test]
fn pivot_table_matches_pandas() {
    on_every_device(|_| {
        let frame = sales();
        let by = || PivotTable::new().index("a").columns("b");
        let found = |options: PivotTable| table(&made(frame.pivot_table(&options)));
        assert_eq!(
            found(by().values(col("w").sum()).fill_value(0).margins("All")),
            ["\"a\" 1 2 \"All\"", "x 3 6 9", "y 2 4 6", "z 6 0 6", "All 11 10 21"]
        );
        // The key z has no value.
        assert_eq!(found(by().values(col("v").mean())), ["\"a\" 1 2", "x 3.0 3.0", "y 2.0 4.0"]);
        assert_eq!(
            found(by().values(col("v").mean()).dropna(false)),
            ["\"a\" 1 2", "x 3.0 3.0", "y 2.0 4.0", "z <NA> <NA>"]
        );
        assert_eq!(
            found(PivotTable::new().index(["a", "c"]).columns("b").values([col("v").sum(), col("w").sum()])),
            [
                "(\"a\", \"\") (\"c\", \"\") (\"v\", 1) (\"v\", 2) (\"w\", 1) (\"w\", 2)",
                "x false <NA> 5.0 <NA> 5",
                "x true 3.0 1.0 3 1",
                "y false 2.0 <NA> 2 <NA>",
                "y true <NA> 4.0 <NA> 4",
                "z false 0.0 <NA> 6 <NA>",
            ]
        );
        assert_eq!(
            found(PivotTable::new().index("a").values(col("w").max()).margins("All")),
            ["\"a\" \"w\"", "x 5", "y 4", "z 6", "All 6"]
        );
        // Keys of rows that are no strings are null in the margin.
        assert_eq!(
            found(PivotTable::new().index("b").columns("a").values(len()).margins("All").fill_value(0)),
            ["\"b\" \"x\" \"y\" \"z\" \"All\"", "1 1 1 1 3", "2 2 1 0 3", "<NA> 3 2 1 6"]
        );
        assert_eq!(
            found(PivotTable::new().columns("a").values(col("w").sum())),
            ["\"x\" \"y\" \"z\"", "9 6 6"]
        );
        let names = made(frame.pivot_table(&by().values(len())));
        assert_eq!(names.frame().accessor().levels().names(), [Some(Label::from("b"))]);

        let none = made(frame.head(0)).pivot_table(&by().values(len()).margins("All"));
        assert_eq!(table(&made(none)), ["\"a\""]);
        assert_eq!(kind(frame.pivot_table(&by())), ErrorKind::Value);
        assert_eq!(kind(frame.pivot_table(&by().values(col("no").sum()))), ErrorKind::Key);
        assert_eq!(kind(frame.pivot_table(&by().values(len()).fill_value("none"))), ErrorKind::Value);
        let margin = PivotTable::new().index("b").columns("a").values(len()).margins("x");
        assert_eq!(kind(frame.pivot_table(&margin)), ErrorKind::Value);
    });
}

#[test]
fn pivot_table_of_slice_of_categories_has_margins() {
    on_every_device(|_| {
        let keys = categories([Some("m"), Some("k"), None, Some("k"), Some("m")]);
        let frame = made(crate::df! { "k" => keys, "n" => [9_i64, 1, 2, 3, 4] });
        let frame = made(frame.slice(1, 4));
        let table_of = |dropna| {
            let by = PivotTable::new().index("k").values(col("n").sum()).margins("all").dropna(dropna);
            table(&made(frame.pivot_table(&by)))
        };
        assert_eq!(table_of(true), ["\"k\" \"n\"", "k 4", "m 4", "all 8"]);
        assert_eq!(table_of(false), ["\"k\" \"n\"", "k 4", "m 4", "<NA> 2", "all 10"]);
    });
}

#[test]
fn pivot_matches_pandas() {
    on_every_device(|_| {
        let frame = made(crate::df! {
            "r" => [Some("y"), Some("x"), None, Some("x")],
            "c" => [Some(2_i64), Some(1), Some(2), None],
            "v" => ["a", "ß", "c", "d"],
            "n" => [1.5, 2.5, f64::NAN, 4.5],
        });
        let by = Pivot::new().index("r").columns("c");
        assert_eq!(
            table(&made(frame.pivot(&by.clone().values("v")))),
            ["\"r\" 1 2 null", "x ß <NA> d", "y <NA> a <NA>", "<NA> <NA> c <NA>"]
        );
        assert_eq!(
            table(&made(frame.pivot(&by.clone())))[0],
            "(\"r\", \"\") (\"v\", 1) (\"v\", 2) (\"v\", null) (\"n\", 1) (\"n\", 2) (\"n\", null)"
        );
        let twice = frame.pivot(&Pivot::new().index("r").columns("r").values("v"));
        assert_eq!(twice.unwrap_err().to_string(), "pivot: the entry (x, x) occurs more than once");
        let none = frame.pivot(&Pivot::new()).unwrap_err().to_string();
        assert!(none.starts_with("pivot: columns: none is named"), "{none}");
        assert_eq!(kind(frame.pivot(&by.values("no"))), ErrorKind::Key);
    });
}

#[test]
fn crosstab_matches_pandas() {
    on_every_device(|_| {
        let frame = sales();
        let (a, b) = (frame.column("a").expect("a column"), frame.column("b").expect("a column"));
        let found = |options: Crosstab| made(crosstab(&a, &b, options));
        assert_eq!(table(&found(Crosstab::new())), ["\"a\" 1 2", "x 1 2", "y 1 1", "z 1 0"]);
        let (third, sixth) = (1.0 / 3.0, 1.0 / 6.0);
        for (normalize, without, with) in [
            (
                Normalize::All,
                vec![vec![sixth, sixth, sixth], vec![third, sixth, 0.0]],
                vec![
                    vec![sixth, sixth, sixth, 0.5],
                    vec![third, sixth, 0.0, 0.5],
                    vec![0.5, third, sixth, 1.0],
                ],
            ),
            (
                Normalize::Index,
                vec![vec![third, 0.5, 1.0], vec![2.0 * third, 0.5, 0.0]],
                vec![vec![third, 0.5, 1.0, 0.5], vec![2.0 * third, 0.5, 0.0, 0.5]],
            ),
            (
                Normalize::Columns,
                vec![vec![third, third, third], vec![2.0 * third, third, 0.0]],
                vec![vec![third, third, third], vec![2.0 * third, third, 0.0], vec![0.5, third, sixth]],
            ),
        ] {
            for (options, expected) in [(Crosstab::new(), without), (Crosstab::new().margins("All"), with)] {
                let found = found(options.normalize(normalize));
                assert_eq!(found.columns().len(), expected.len() + 1, "{normalize:?}");
                for (label, expected) in found.columns().iter().skip(1).zip(expected) {
                    let shares = found.column(label).and_then(|series| series.to_vec::<f64>());
                    let shares = shares.expect("numbers");
                    assert!(
                        shares.len() == expected.len()
                            && shares.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-15),
                        "{normalize:?} {label}: {shares:?}"
                    );
                }
            }
        }
        let unnamed = Series::new([Some("p"), None, Some("p")]).expect("a series");
        let found = made(crosstab(&unnamed, &unnamed, ..));
        assert_eq!(table(&found), ["\"row_0\" \"p\"", "p 2"]);
        // The rows of labels that both have.
        assert_eq!(made(crosstab(&unnamed, &b, ..)).len(), 1);
        assert_eq!(kind(crosstab(&a, &a, ..)), ErrorKind::Value);
    });
}

#[test]
fn melt_names_variables_as_pandas() {
    on_every_device(|_| {
        let frame = made(crate::df! { "id" => [1_i64, 2], "p" => [1.5, 2.5], "q" => [Some(3_i64), None] });
        let found = made(frame.melt(&Melt::new().id_vars("id")));
        assert_eq!(
            table(&found),
            ["\"id\" \"variable\" \"value\"", "1 p 1.5", "2 p 2.5", "1 q 3.0", "2 q <NA>"]
        );
        let some = Melt::new().id_vars(["q", "id"]).value_vars("p").var_name("what").value_name("much");
        assert_eq!(
            table(&made(frame.melt(&some))),
            ["\"q\" \"id\" \"what\" \"much\"", "3 1 p 1.5", "<NA> 2 p 2.5"]
        );
        let levels = made(DataFrame::new([(("a", 1), [5_i64]), (("b", 2), [6])]));
        assert_eq!(
            table(&made(levels.melt(&Melt::new()))),
            ["\"variable_0\" \"variable_1\" \"value\"", "a 1 5", "b 2 6"]
        );
        let pivoted = made(found.pivot(&Pivot::new().index("id").columns("variable").values("value")));
        assert_eq!(table(&pivoted), ["\"id\" \"p\" \"q\"", "1 1.5 3.0", "2 2.5 <NA>"]);
        assert_eq!(kind(frame.melt(&Melt::new().id_vars("no"))), ErrorKind::Key);
        assert_eq!(kind(frame.melt(&Melt::new().id_vars("id").value_name("id"))), ErrorKind::Value);
        assert_eq!(kind(sales().melt(&Melt::new().value_vars(["a", "b"]))), ErrorKind::Type);
    });
}

#[test]
fn wide_to_long_matches_pandas() {
    on_every_device(|_| {
        let frame = made(crate::df! {
            "id" => [1_i64, 2], "A1970" => ["a", "b"], "A1980" => ["d", "e"], "B1980" => [2.5, 1.25],
            "X" => [7_i64, 8],
        });
        let found = made(frame.wide_to_long(&WideToLong::new(["A", "B"], "year").i("id")));
        assert_eq!(
            table(&found),
            [
                "\"id\" \"year\" \"X\" \"A\" \"B\"",
                "1 1970 7 a <NA>",
                "2 1970 8 b <NA>",
                "1 1980 7 d 2.5",
                "2 1980 8 e 1.25",
            ]
        );
        let named =
            made(crate::df! { "k" => ["p"], "s-one" => [1_i64], "s-two" => [2_i64], "s-" => [3_i64] });
        let by = WideToLong::new("s", "which").i("k").separator("-");
        assert_eq!(
            table(&made(named.wide_to_long(&by.clone().any_suffix()))),
            ["\"k\" \"which\" \"s-\" \"s\"", "p one 3 1", "p two 3 2"]
        );
        assert_eq!(made(named.wide_to_long(&by)).len(), 0);
        assert_eq!(kind(frame.wide_to_long(&WideToLong::new("X", "j"))), ErrorKind::Value);
        assert_eq!(kind(frame.wide_to_long(&WideToLong::new("A", "j").i("no"))), ErrorKind::Key);
    });
}

#[test]
fn dummies_match_pandas() {
    on_every_device(|_| {
        let frame = made(
            crate::df! { "k" => [Some("p"), None, Some("q")], "n" => [3_i64, 3, 4], "s" => ["p", "p", "p"] },
        );
        let found = |options: Dummies| table(&made(frame.get_dummies(options)));
        assert_eq!(
            found(Dummies::new()),
            ["\"n\" \"k_p\" \"k_q\" \"s_p\"", "3 true false true", "3 false false true", "4 false true true"]
        );
        assert_eq!(
            found(Dummies::new().columns("n").drop_first(true)),
            ["\"k\" \"s\" \"n_4\"", "p p false", "<NA> p false", "q p true"]
        );
        assert_eq!(
            found(Dummies::new().columns("k").dummy_na(true).prefix_sep("=")),
            [
                "\"n\" \"s\" \"k=p\" \"k=q\" \"k=nan\"",
                "3 p true false false",
                "3 p false false true",
                "4 p false true false",
            ]
        );
        let floats = made(crate::df! { "f" => [Some(1.5), Some(f64::NAN), None] });
        assert_eq!(
            table(&made(floats.get_dummies(Dummies::new().columns("f")))),
            ["\"f_1.5\" \"f_NaN\"", "true false", "false true", "false false"]
        );
        let nulls = made(crate::df! { "k" => [None::<&str>, None] });
        assert_eq!(made(nulls.get_dummies(..)).shape(), (2, 0));
        let dummies = made(crate::df! {
            "a_x" => [1_i64, 0, 0], "b_u" => [true, true, false], "a_y" => [0_i64, 1, 0], "b_v" => [false, false, true],
        });
        assert_eq!(
            table(&made(dummies.from_dummies("_", Some("none")))),
            ["\"a\" \"b\"", "x u", "y u", "none v"]
        );
        let refused =
            |frame: Result<DataFrame>| frame.and_then(|frame| frame.from_dummies("_", None)).unwrap_err();
        assert_eq!(
            refused(Ok(dummies.clone())).to_string(),
            "from_dummies: frame: row 2 has no value of \"a\""
        );
        assert_eq!(
            refused(dummies.with_column("b_v", [false, true, true])).to_string(),
            "from_dummies: frame: row 2 has no value of \"a\""
        );
        assert_eq!(
            refused(made(dummies.select(["b_u", "b_v"])).with_column("b_v", [false, true, true])).to_string(),
            "from_dummies: frame: row 1 has several values of \"b\""
        );
        assert_eq!(refused(made(dummies.head(1)).rename([("a_x", "ax")])).kind(), ErrorKind::Value);
        assert_eq!(refused(dummies.with_column("a_x", [Some(1), None, None])).kind(), ErrorKind::Value);
        assert_eq!(refused(made(dummies.head(1)).with_column("a_x", ["1"])).kind(), ErrorKind::Type);
        let whole = made(made(dummies.select(["b_u", "b_v"])).from_dummies("", None));
        assert_eq!(table(&whole), ["\"\"", "b_u", "b_u", "b_v"]);
    });
}

#[test]
fn transposed_rows_are_columns() {
    on_every_device(|_| {
        let frame = made(crate::df! { "a" => [Some(1_i64), None, Some(3)], "b" => [0.5, 1.5, 2.5] });
        let turned = made(frame.transpose());
        assert_eq!(table(&turned), ["0 1 2", "1.0 <NA> 3.0", "0.5 1.5 2.5"]);
        assert_eq!(turned.dtypes(), vec![DType::Float64; 3]);
        assert_eq!(turned.index().to_scalars().expect("labels"), [["a", "b"].map(Scalar::from)]);
        let again = made(turned.transpose());
        assert_eq!(table(&again), ["\"a\" \"b\"", "1.0 0.5", "<NA> 1.5", "3.0 2.5"]);
        assert_eq!(again.index().to_scalars().expect("labels"), [[0_i64, 1, 2].map(Scalar::from)]);
        assert_eq!(values(&made(frame.tile(2)), "b")[3], 0.5.into());
        assert_eq!(made(frame.repeat(0)).shape(), (0, 2));
        let mixed = frame.with_column("c", ["x", "y", "z"]);
        assert_eq!(kind(made(mixed).interleave_columns()), ErrorKind::Type);
        assert_eq!(made(DataFrame::empty()).transpose().expect("no columns").shape(), (0, 0));
    });
}
