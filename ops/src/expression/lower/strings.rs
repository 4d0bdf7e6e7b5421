//! Tests of strings, plain or in a dictionary.

use super::{Lowering, compare};
use crate::expression::typed::{Typed, TypedNode};
use crate::expression::{Comparison, Match};
use columnade_columns::{Column, Error, Label, Result, Scalar};
use columnade_kernels::elementwise::compare::CompareOp;
use columnade_kernels::expression::{Builder, Op, Register, Source, Table, evaluate};
use columnade_kernels::strings::matches::MatchOp;
use columnade_kernels::{Storage, View};

impl Lowering<'_> {
    pub(super) fn string_compare(&mut self, op: Comparison, left: &Typed, right: &Typed) -> Result<Register> {
        match (&left.node, &right.node) {
            (TypedNode::Column(label), TypedNode::Constant(scalar)) => {
                self.string_literal(compare(op), label, scalar)
            }
            (TypedNode::Constant(scalar), TypedNode::Column(label)) => {
                self.string_literal(compare(op.flipped()), label, scalar)
            }
            (TypedNode::Column(l), TypedNode::Column(r))
                if left.dtype.is_bytes() && left.dtype == right.dtype =>
            {
                let (lhs, rhs) = (self.column(l)?, self.column(r)?);
                Ok(self.builder.step(Op::StringCompareColumns { op: compare(op), lhs, rhs }, Storage::Bit))
            }
            _ => Err(Error::NotImplemented {
                feature: format!("comparing {} with {} unless one is a constant", left.dtype, right.dtype),
            }),
        }
    }

    fn string_literal(&mut self, op: CompareOp, label: &Label, scalar: &Scalar) -> Result<Register> {
        let literal: Box<str> = match scalar {
            Scalar::Utf8(text) => text.as_str().into(),
            Scalar::Binary(bytes) => std::str::from_utf8(bytes)
                .map_err(|_| {
                    let feature = "comparing binary with a constant that is not UTF-8".to_owned();
                    Error::NotImplemented { feature }
                })?
                .into(),
            Scalar::Null(_)
            | Scalar::Bool(_)
            | Scalar::Int8(_)
            | Scalar::Int16(_)
            | Scalar::Int32(_)
            | Scalar::Int64(_)
            | Scalar::UInt8(_)
            | Scalar::UInt16(_)
            | Scalar::UInt32(_)
            | Scalar::UInt64(_)
            | Scalar::Float32(_)
            | Scalar::Float64(_)
            | Scalar::Date32(_)
            | Scalar::Timestamp(..)
            | Scalar::Decimal { .. }
            | Scalar::TimestampTz(..)
            | Scalar::Duration(..)
            | Scalar::Interval(_)
            | Scalar::List { .. }
            | Scalar::Struct(_) => return Ok(self.builder.step(Op::Constant(None), Storage::Bit)),
        };
        let by_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        if by_order
            && matches!(&self.inputs[self.column(label)?], Column::Categorical(column) if column.is_ordered())
        {
            let feature = "comparing an ordered categorical column by the order of its dictionary".to_owned();
            return Err(Error::NotImplemented { feature });
        }
        self.test(label, |arg| Op::StringCompare { op, arg, literal })
    }

    pub(super) fn string_match(&mut self, test: Match, arg: &Typed, text: &str) -> Result<Register> {
        let TypedNode::Column(label) = &arg.node else {
            return Err(Error::NotImplemented {
                feature: format!("{} of anything but a column", test.name()),
            });
        };
        let op = match test {
            Match::Prefix => MatchOp::Prefix,
            Match::Suffix => MatchOp::Suffix,
            Match::Contains => MatchOp::Contains,
            Match::Like => MatchOp::Like,
        };
        let pattern: Box<str> = text.into();
        self.test(label, |arg| Op::StringMatch { op, arg, pattern })
    }

    /// A test of a string column. For a dictionary, every value is tested once, and each row looks up its
    /// code.
    fn test(&mut self, label: &Label, op: impl FnOnce(Register) -> Op) -> Result<Register> {
        let register = self.column(label)?;
        let column = &self.inputs[register];
        let Column::Categorical(categorical) = column else {
            return Ok(self.builder.step(op(register), Storage::Bit));
        };
        let dictionary = categorical.dictionary().clone();
        let mut builder = Builder::new(vec![Source::String]);
        let answer = builder.step(op(0), Storage::Bit);
        let values: View<'_> = dictionary.view()?;
        let answers =
            evaluate::evaluate(&builder.finish(), &[values], dictionary.size(), &[answer], self.exec)?
                .swap_remove(0);
        let words = |bytes: Vec<u8>| -> Vec<u64> {
            bytes
                .chunks(8)
                .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
                .collect()
        };
        let bits = words(answers.data.to_vec(self.exec)?);
        let validity = answers.validity.map(|mask| mask.to_vec(self.exec)).transpose()?.map(words);
        let table = Table { bits, validity, len: dictionary.size() };
        Ok(self.builder.step(Op::Lookup { codes: register, table }, Storage::Bit))
    }
}
