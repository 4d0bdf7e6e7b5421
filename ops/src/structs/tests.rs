//! Functions of structs on every device, against known answers.

use crate::expression::{Expr, col, evaluate, struct_of, when};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, StructColumn};

fn texts(column: &Column) -> String {
    let texts: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[test]
fn functions_of_structs_give_known_answers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_options([None, Some(9_i64), Some(1), None, Some(3)], &exec).unwrap();
        let y = Column::from_values(["-", "-", "a", "é", ""], &exec).unwrap();
        // The bits of the mask are those of a column of booleans; the last row is null.
        let mask = Column::from_values([true, true, true, true, false], &exec).unwrap();
        let structs = StructColumn::new([("x", x), ("y", y)], mask.data().cloned(), 0, 5).unwrap();
        let structs = Column::Struct(structs).slice(2, 3).unwrap();
        let n = Column::from_slice(&[10_i32, 20, 30], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("s", structs), ("n", n)]).unwrap();
        let run = |expr: Expr| evaluate(&[expr], &frame, &exec).map(|mut all| all.swap_remove(0));
        let show = |expr: Expr| texts(&run(expr).unwrap().1);
        let s = || col("s").struct_();
        assert_eq!(show(s().field("x")), "1 <NA> <NA>", "{device}");
        assert_eq!(show(s().field("y")), "a é <NA>", "{device}");
        assert_eq!(run(s().field("y")).unwrap().0.to_string(), "y", "{device}");
        assert_eq!(show(s().field("x") + col("n")), "11 <NA> <NA>", "{device}");
        assert_eq!(show(s().rename_fields(["a", "b"])), "{a: 1, b: a} {a: <NA>, b: é} <NA>", "{device}");
        let both = struct_of([col("n"), (col("n") * 2).alias("m"), col("s")]);
        let expected =
            "{n: 10, m: 20, s: {x: 1, y: a}} {n: 20, m: 40, s: {x: <NA>, y: é}} {n: 30, m: 60, s: <NA>}";
        assert_eq!(show(both.clone()), expected, "{device}");
        assert_eq!(
            run(both).unwrap().1.dtype(),
            DType::structure([
                ("n", DType::Int32),
                ("m", DType::Int32),
                ("s", DType::structure([("x", DType::Int64), ("y", DType::Utf8)])),
            ])
        );
        assert_eq!(show(when(col("s").is_null()).then(0).otherwise(col("n"))), "10 20 0", "{device}");
        assert_eq!(show(col("s").eq(col("s"))), "true true <NA>", "{device}");

        let error = |expr: Expr| run(expr).unwrap_err().to_string();
        let text = error(s().field("z"));
        assert!(text.contains("s.struct_().field(\"z\")") && text.contains("\"x\""), "{text}");
        assert!(error(col("n").struct_().field("x")).contains("int32"));
        assert!(error(s().rename_fields(["a"])).contains("1 for 2 fields"));
        assert!(error(s().rename_fields(["a", "a"])).contains("duplicate"));
        assert!(error(struct_of([])).contains("there are none"));
        assert!(matches!(run(struct_of([col("n"), col("n")])), Err(Error::Context { .. })));
    }
}
