//! Tests of strings, plain or in a dictionary.

use super::{Lowering, compare};
use crate::distinct::members;
use crate::expression::typed::{Typed, TypedNode};
use crate::expression::{Comparison, Match, Members};
use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Result, Scalar};
use columnade_kernels::bits::combine;
use columnade_kernels::elementwise::compare::CompareOp;
use columnade_kernels::expression::{Builder, Op, Register, Source, Table, evaluate};
use columnade_kernels::joining::hash_join::NullEquality;
use columnade_kernels::strings::matches::MatchOp;
use columnade_kernels::{Storage, View};
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn string_compare(&mut self, op: Comparison, left: &Typed, right: &Typed) -> Result<Register> {
        match (&left.node, &right.node) {
            (_, TypedNode::Constant(scalar)) if self.input(left)?.is_some() => {
                self.string_literal(compare(op), left, scalar)
            }
            (TypedNode::Constant(scalar), _) if self.input(right)?.is_some() => {
                self.string_literal(compare(op.flipped()), right, scalar)
            }
            _ if left.dtype.is_bytes() && left.dtype == right.dtype => {
                match (self.input(left)?, self.input(right)?) {
                    (Some(lhs), Some(rhs)) => {
                        let op = Op::StringCompareColumns { op: compare(op), lhs, rhs };
                        Ok(self.builder.step(op, Storage::Bit))
                    }
                    _ => Err(not_comparable(left, right)),
                }
            }
            _ => Err(not_comparable(left, right)),
        }
    }

    /// The test of each value of a dictionary, and a look-up for each row.
    pub(super) fn dictionary_is_in(&mut self, arg: &Typed, values: &Members) -> Result<Register> {
        let codes = self.string_input(arg, "is_in")?;
        let Column::Categorical(column) = &self.inputs[codes] else {
            return Err(Error::Internal { invariant: "a column has the dtype of its expression" });
        };
        let answers =
            members(column.dictionary(), &*values.on_device(self.exec)?, NullEquality::Unequal, self.exec)?;
        let View::Fixed(view) = answers.view()? else {
            return Err(Error::Internal { invariant: "answers are bits" });
        };
        let bits = combine::copy(view.data_bits(), self.exec)?.to_vec(self.exec)?;
        let table = Table { bits: words(&bits), validity: None, len: answers.size() };
        Ok(self.builder.step(Op::Lookup { codes, table }, Storage::Bit))
    }

    /// The register of strings that are an input.
    fn string_input(&self, arg: &Typed, what: &str) -> Result<Register> {
        self.input(arg)?.ok_or_else(|| Error::NotImplemented {
            feature: format!("{what} of anything but a column or a part of its strings"),
        })
    }

    fn string_literal(&mut self, op: CompareOp, arg: &Typed, scalar: &Scalar) -> Result<Register> {
        let literal: Box<[u8]> = match scalar {
            Scalar::Utf8(text) => text.as_bytes().into(),
            Scalar::Binary(bytes) => bytes.as_slice().into(),
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
            | Scalar::Time(..)
            | Scalar::Interval(_)
            | Scalar::List { .. }
            | Scalar::Struct(_) => return Ok(self.builder.step(Op::Constant(None), Storage::Bit)),
        };
        let by_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let input = self.string_input(arg, "a comparison")?;
        if by_order
            && let Column::Categorical(column) = &self.inputs[input]
            && column.is_ordered()
        {
            let dictionary = Arc::clone(column.dictionary());
            return self.category_literal(op, input, &dictionary, &literal);
        }
        self.test(arg, |arg| Op::StringCompare { op, arg, literal })
    }

    /// A comparison of the categories of an ordered dictionary with one of them, by their order.
    fn category_literal(
        &mut self,
        op: CompareOp,
        codes: Register,
        dictionary: &Column,
        literal: &[u8],
    ) -> Result<Register> {
        let values = dictionary.to_device(&Exec::host())?.to_vec::<String>()?;
        let Some(at) = values.iter().position(|value| value.as_bytes() == literal) else {
            return Err(Error::UnknownCategory { category: String::from_utf8_lossy(literal).into_owned() });
        };
        let mut bits = vec![0_u64; values.len().div_ceil(64)];
        for position in 0..values.len() {
            let holds = match op {
                CompareOp::Eq => position == at,
                CompareOp::Ne => position != at,
                CompareOp::Lt => position < at,
                CompareOp::Le => position <= at,
                CompareOp::Gt => position > at,
                CompareOp::Ge => position >= at,
            };
            bits[position / 64] |= u64::from(holds) << (position % 64);
        }
        let table = Table { bits, validity: None, len: values.len() };
        Ok(self.builder.step(Op::Lookup { codes, table }, Storage::Bit))
    }

    pub(super) fn string_match(&mut self, test: Match, arg: &Typed, text: &str) -> Result<Register> {
        self.string_input(arg, test.name())?;
        let op = match test {
            Match::Prefix => MatchOp::Prefix,
            Match::Suffix => MatchOp::Suffix,
            Match::Contains => MatchOp::Contains,
            Match::Like => MatchOp::Like,
            Match::LikeEscape(escape) | Match::IlikeEscape(escape) => MatchOp::LikeEscape(escape),
        };
        let pattern: Box<str> = text.into();
        self.test(arg, |arg| Op::StringMatch { op, arg, pattern })
    }

    /// A test of a string column. For a dictionary, every value is tested once, and each row looks up its
    /// code.
    fn test(&mut self, arg: &Typed, op: impl FnOnce(Register) -> Op) -> Result<Register> {
        let register = self.string_input(arg, "a test")?;
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
        let bits = words(&answers.data.to_vec(self.exec)?);
        let validity = answers.validity.map(|mask| mask.to_vec(self.exec)).transpose()?;
        let validity = validity.as_deref().map(words);
        let table = Table { bits, validity, len: dictionary.size() };
        Ok(self.builder.step(Op::Lookup { codes: register, table }, Storage::Bit))
    }
}

fn not_comparable(left: &Typed, right: &Typed) -> Error {
    Error::NotImplemented {
        feature: format!(
            "comparing {} with {} unless they are columns or constants",
            left.dtype, right.dtype
        ),
    }
}

/// The words of bits.
fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).map(word).collect()
}
