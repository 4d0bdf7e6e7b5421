//! Columns as such: made, copied, moved between devices, given to Arrow.

use columnade::builders::{IntoColumn, categories, decimals, from_iter, intervals, timestamps};
use columnade::column::ColumnAccessor;
use columnade::{Closed, Column, DType, Exec, Scalar, TimeUnit};
use columnade_buffers::Buffer;
use columnade_columns::{CategoricalColumn, NumericColumn};

use super::Operator;
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new("columns: to the host", &["columns::column::to_device"], |inputs| {
        let host = Exec::host();
        Ok(inputs.columns().map(inputs.frame.len(), |column| column.to_device(&host))?.into())
    }),
    Operator::new("columns: from the host", &["columns::column::to_device"], |inputs| {
        let batch = ColumnAccessor::from_record_batch(&inputs.batch)?;
        Ok(batch.map(batch.rows(), |column| column.to_device(&inputs.exec))?.into())
    }),
    Operator::new("columns: nested, to the host and back", &["columns::column::to_device"], |inputs| {
        let (columns, host) = (inputs.rare.frame().accessor(), Exec::host());
        let away = columns.map(columns.rows(), |column| column.to_device(&host))?;
        Ok(away.map(away.rows(), |column| column.to_device(&inputs.exec))?.into())
    }),
    Operator::new(
        "columns: nested, to_record_batch",
        &["columns::arrow::batch::to_record_batch"],
        |inputs| Ok(inputs.rare.frame().accessor().to_record_batch()?.into()),
    ),
    Operator::new("columns: nested, concat", &["columns::column::concat"], |inputs| {
        let columns = inputs.rare.frame().accessor();
        let twice =
            |column: &Column| Column::concat(&[column, &column.slice(100, 300)?, column], &inputs.exec);
        Ok(columns.map(2 * columns.rows() + 300, twice)?.into())
    }),
    Operator::new("columns: nested, from values", &["columns::column::scalars::from_scalars"], |inputs| {
        let columns = inputs.rare.frame().accessor();
        let again =
            |column: &Column| Column::from_scalars(&column.dtype(), &column.to_scalars()?, &inputs.exec);
        Ok(columns.map(columns.rows(), again)?.into())
    }),
    Operator::new("columns: to_record_batch", &["columns::arrow::batch::to_record_batch"], |inputs| {
        Ok(inputs.columns().to_record_batch()?.into())
    }),
    Operator::new(
        "columns: from_record_batches",
        &["columns::arrow::batch::from_record_batches"],
        |inputs| {
            let batches = [inputs.batch.slice(0, 700), inputs.batch.slice(700, 850)];
            Ok(ColumnAccessor::from_record_batches(&batches, &inputs.exec)?.into())
        },
    ),
    Operator::new("columns: deep_copy", &["columns::accessor::deep_copy"], |inputs| {
        Ok(inputs.columns().deep_copy(&inputs.exec)?.into())
    }),
    Operator::new("columns: shallow_copy", &["columns::accessor::shallow_copy"], |inputs| {
        let mut data = Buffer::from_slice(&(0..1000).collect::<Vec<i64>>(), &inputs.exec)?;
        // A consumer that has the address may write at any time.
        data.expose(&inputs.exec)?;
        let column = Column::Numeric(NumericColumn::new(DType::Int64, data, None, 0, 1000)?);
        let columns =
            ColumnAccessor::from_columns([("n", column), ("word", inputs.column("word")?.head(1000)?)])?;
        Ok(columns.shallow_copy(&inputs.exec)?.into())
    }),
    Operator::new("columns: adopt", &["columns::column::copies::adopt"], |inputs| {
        let batch = ColumnAccessor::from_record_batch(&inputs.batch)?;
        let adopted = |column: &Column| {
            let mut column = column.clone();
            column.adopt(&inputs.exec)?;
            Ok(column)
        };
        Ok(batch.map(batch.rows(), adopted)?.into())
    }),
    Operator::new("columns: nested, deep_copy", &["columns::accessor::deep_copy"], |inputs| {
        Ok(inputs.rare.frame().accessor().deep_copy(&inputs.exec)?.into())
    }),
    Operator::new("columns: concat", &["columns::column::concat"], |inputs| {
        let (word, exact) = (inputs.column("word")?, inputs.column("exact")?);
        let word = Column::concat(&[word, inputs.other_column("word")?], &inputs.exec)?;
        let exact = Column::concat(&[exact, inputs.other_column("exact")?], &inputs.exec)?;
        Ok(ColumnAccessor::from_columns([("word", word), ("exact", exact)])?.into())
    }),
    Operator::new("columns: one dictionary", &["columns::column::dictionary::unify"], |inputs| {
        let (Column::Categorical(left), Column::Categorical(right)) =
            (inputs.column("kind")?, inputs.other_column("kind")?)
        else {
            return Ok(Made::String("no dictionaries".to_owned()));
        };
        let unified = CategoricalColumn::unify(&[left, right], &inputs.exec)?;
        let unified = unified.into_iter().map(Column::Categorical).collect::<Vec<_>>();
        Ok(Column::concat(&unified.iter().collect::<Vec<_>>(), &inputs.exec)?.into())
    }),
    Operator::new("columns: from values", &["columns::column::build::from_options"], |inputs| {
        let exec = &inputs.exec;
        let text = (0..1000).map(|row| (row % 7 != 0).then(|| format!("ä{row}")));
        let flags = (0..1000).map(|row| (row % 5 != 0).then_some(row % 2 == 0));
        let columns =
            [("text", Column::from_options(text, exec)?), ("flags", Column::from_options(flags, exec)?)];
        Ok(ColumnAccessor::from_columns(columns)?.into())
    }),
    Operator::new("columns: of numbers and categories", &["columns::column::build::into_column"], |inputs| {
        let exec = &inputs.exec;
        let numbers: Vec<Option<i64>> = (0..1000).map(|row| (row % 7 != 0).then_some(row)).collect();
        let words = from_iter((0..1000).map(|row| if row % 3 == 0 { "ä" } else { "b" }));
        let columns = [
            ("times", timestamps(&numbers, TimeUnit::Milli).into_column(exec)?),
            ("digits", decimals(&numbers, 30, 2).into_column(exec)?),
            ("words", categories(words).among(["b", "ä"]).into_column(exec)?),
            ("spans", intervals(&numbers, &numbers, Closed::Left).into_column(exec)?),
        ];
        Ok(ColumnAccessor::from_columns(columns)?.into())
    }),
    Operator::new("columns: from a scalar", &["columns::column::build::from_scalar"], |inputs| {
        let (exec, decimal) = (&inputs.exec, Scalar::decimal(12_345, 2)?);
        let columns = [
            ("text", Column::from_scalar(&Scalar::from("naïve"), 900, exec)?),
            ("decimal", Column::from_scalar(&decimal, 900, exec)?),
            ("null", Column::full_null(&DType::dictionary(DType::Utf8), 900, exec)?),
            ("nothing", Column::full_null(&DType::Utf8, 900, exec)?),
        ];
        Ok(ColumnAccessor::from_columns(columns)?.into())
    }),
    Operator::new("columns: get", &["columns::column::read::get"], |inputs| {
        let scalars =
            ["n", "word", "kind", "exact"].map(|label| inputs.column(label)?.get(700).map_err(Into::into));
        Ok(scalars.into_iter().collect::<columnade::Result<Vec<Scalar>>>()?.into())
    }),
    Operator::new("columns: null_count", &["columns::column::null_count"], |inputs| {
        let counts = inputs.columns().columns().iter().map(|column| column.null_count(&inputs.exec));
        Ok(Made::String(format!("{:?}", counts.collect::<columnade_columns::Result<Vec<usize>>>()?)))
    }),
];
