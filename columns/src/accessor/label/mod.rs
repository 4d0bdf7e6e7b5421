//! What columns are called.

mod part;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Error, Result};

pub use part::{LabelPart, LabelPartOf, LabelPartRef};
pub(super) use part::{nanoseconds, whole};

/// The label of a column: a string, another scalar, or several of them, one for each level of the labels.
///
/// Labels are cheap to clone. Methods that look for a label take anything that is [`AsLabel`]; those that keep one
/// take `impl Into<Label>`. A tuple of one part is the part itself.
///
/// Labels are equal when their parts are: one NaN is another, one null is another, and numbers are equal by value as
/// in Python, so that `1`, `1.0` and `true` are one label.
///
/// ```
/// use columnade_columns::Label;
///
/// let year = Label::from(1998);
/// let path = Label::from(("price", f64::NAN));
/// assert!(year == 1998.0 && path == ("price", f64::NAN) && path != "price");
/// assert_eq!(path.to_string(), r#"("price", NaN)"#);
/// ```
///
/// # Source
/// pandas labels: hashable scalars, and tuples of them in a `MultiIndex`.
#[derive(Clone)]
pub struct Label(Parts);

#[derive(Clone)]
enum Parts {
    One(LabelPart),
    /// Two or more.
    Several(Arc<[LabelPart]>),
}

/// Labels are in errors, and errors are passed up by value.
const _: () = assert!(size_of::<Label>() == 24, "as large as a string");

/// The parts, in order.
#[cfg(feature = "serde")]
impl serde::Serialize for Label {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.parts())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Label {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Vec::<LabelPart>::deserialize(deserializer)?;
        Self::from_parts(parts).map_err(serde::de::Error::custom)
    }
}

impl Label {
    /// The label of columns without a value to be called by. All nulls are one label, which is not that of NaN.
    pub const NULL: Label = Label(Parts::One(LabelPart::Null));

    /// The label of these parts.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] without parts.
    pub fn from_parts(parts: impl IntoIterator<Item = impl Into<LabelPart>>) -> Result<Self> {
        let parts: Vec<LabelPart> = parts.into_iter().map(Into::into).collect();
        if parts.is_empty() {
            let reason = "a label has at least one".to_owned();
            return Err(Error::InvalidArgument { name: "parts", reason });
        }
        Ok(Self::of(parts))
    }

    /// The parts must be at least one; of none the label is null.
    pub(super) fn of(mut parts: Vec<LabelPart>) -> Self {
        if parts.len() > 1 {
            Self(Parts::Several(parts.into()))
        } else {
            parts.pop().map_or(Self::NULL, Self::from)
        }
    }

    /// The parts, at least one.
    pub fn parts(&self) -> &[LabelPart] {
        match &self.0 {
            Parts::One(part) => std::slice::from_ref(part),
            Parts::Several(parts) => parts,
        }
    }

    /// The text of a label that is text alone.
    pub fn as_text(&self) -> Option<&str> {
        match &self.0 {
            Parts::One(LabelPart::String(text)) => Some(text),
            Parts::One(_) | Parts::Several(_) => None,
        }
    }
}

/// What can be compared with a [`Label`] without becoming one: strings, numbers, labels, and tuples of these, which are
/// all their parts in order.
pub trait AsLabel {
    /// The number of parts, at least one.
    fn depth(&self) -> usize;

    /// The part at a level below [`depth`](Self::depth).
    fn part(&self, level: usize) -> LabelPartRef<'_>;

    /// The label itself.
    fn to_label(&self) -> Label {
        Label::of((0..self.depth()).map(|level| self.part(level).to_part()).collect())
    }
}

impl AsLabel for Label {
    fn depth(&self) -> usize {
        self.parts().len()
    }

    fn part(&self, level: usize) -> LabelPartRef<'_> {
        self.parts()[level].as_part()
    }

    fn to_label(&self) -> Label {
        self.clone()
    }
}

impl<T: AsLabel + ?Sized> AsLabel for &T {
    fn depth(&self) -> usize {
        (**self).depth()
    }

    fn part(&self, level: usize) -> LabelPartRef<'_> {
        (**self).part(level)
    }

    fn to_label(&self) -> Label {
        (**self).to_label()
    }
}

impl<L: AsLabel + ?Sized> PartialEq<L> for Label {
    fn eq(&self, other: &L) -> bool {
        let parts = self.parts();
        parts.len() == other.depth()
            && parts.iter().enumerate().all(|(level, part)| part.as_part() == other.part(level))
    }
}

impl Eq for Label {}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self, state);
    }
}

/// Hashes anything that is a label as the label itself.
pub(super) fn hash<H: Hasher>(label: &(impl AsLabel + ?Sized), state: &mut H) {
    for level in 0..label.depth() {
        label.part(level).hash(state);
    }
}

impl fmt::Display for Label {
    /// A string as it is; several parts in parentheses, strings among them in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Parts::One(part) => part.fmt(f),
            Parts::Several(_) => f.pad(&format!("{self:?}")),
        }
    }
}

impl fmt::Debug for Label {
    /// As errors show it: strings in quotes, several parts in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Parts::One(part) => part.fmt(f),
            Parts::Several(parts) => {
                f.write_str("(")?;
                for (level, part) in parts.iter().enumerate() {
                    if level > 0 {
                        f.write_str(", ")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl<P: Into<LabelPart>> From<P> for Label {
    fn from(part: P) -> Self {
        Self(Parts::One(part.into()))
    }
}

impl From<&Label> for Label {
    fn from(label: &Label) -> Self {
        label.clone()
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: AsLabel),*> AsLabel for ($($name,)*) {
            fn depth(&self) -> usize {
                #[expect(non_snake_case, reason = "a value is named as its type")]
                let ($($name,)*) = self;
                0 $(+ $name.depth())*
            }

            fn part(&self, level: usize) -> LabelPartRef<'_> {
                #[expect(non_snake_case, reason = "a value is named as its type")]
                let ($($name,)*) = self;
                let mut at = level;
                $(
                    if at < $name.depth() {
                        return $name.part(at);
                    }
                    at -= $name.depth();
                )*
                // Beyond the depth there is nothing.
                let _ = at;
                LabelPartRef::Null
            }
        }

        impl<$($name: AsLabel),*> From<($($name,)*)> for Label {
            fn from(parts: ($($name,)*)) -> Self {
                parts.to_label()
            }
        }
    };
}

tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

impl PartialEq<Label> for str {
    fn eq(&self, other: &Label) -> bool {
        other == self
    }
}

impl PartialEq<Label> for &str {
    fn eq(&self, other: &Label) -> bool {
        other == self
    }
}

impl PartialEq<Label> for String {
    fn eq(&self, other: &Label) -> bool {
        other == self
    }
}
