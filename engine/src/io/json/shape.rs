//! The dtypes that JSON values have: a scan of the text, which looks at every value and makes none.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field};
use memchr::memchr2;

/// Lists and objects within each other; the library's limit is of this order.
pub(super) const MAX_DEPTH: usize = 64;

/// What the values of a column, a field or an item are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// There is none yet.
    Null,
    Bool,
    /// Integers of 64 bits, none of them negative.
    Unsigned,
    /// Integers of 64 bits, some of them negative.
    Int,
    /// Integers that are not negative, some of them from 2⁶³ on.
    LongUnsigned,
    Float,
    /// Strings, integers that 64 bits do not have together, and values of several kinds.
    Utf8,
    List(Box<Shape>),
    /// Fields in the order in which they are met.
    Struct(Vec<(String, Shape)>),
}

/// Text that is not read as a value.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is no JSON value.
    NotJson,
    /// Lists and objects are nested more than [`MAX_DEPTH`] deep.
    TooDeep,
    /// An object has a name twice: one value would be lost.
    Twice {
        /// The outermost field that it is in, or the name itself.
        column: String,
        name: String,
    },
}

use Fault::NotJson;

impl Shape {
    /// Takes in the value that `text` begins with, and returns the text after it.
    pub(super) fn scan<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8], Fault> {
        let mut scan = Scan { text, depth: 0 };
        scan.value(self)?;
        Ok(scan.text)
    }

    /// Takes in what another has.
    pub(super) fn join(&mut self, other: &Shape) {
        match (&mut *self, other) {
            (_, Shape::Null)
            | (Shape::Float, Shape::Int)
            | (Shape::Float | Shape::Int | Shape::LongUnsigned, Shape::Unsigned) => {}
            (Shape::Null, other) => *self = other.clone(),
            (Shape::Unsigned, Shape::Int | Shape::LongUnsigned | Shape::Float)
            | (Shape::Int, Shape::Float) => {
                *self = other.clone();
            }
            (Shape::List(item), Shape::List(other)) => item.join(other),
            (Shape::Struct(fields), Shape::Struct(others)) => {
                for (name, shape) in others {
                    match fields.iter_mut().find(|(field, _)| field == name) {
                        Some((_, field)) => field.join(shape),
                        None => fields.push((name.clone(), shape.clone())),
                    }
                }
            }
            (now, other) if *now == *other => {}
            _ => *self = Shape::Utf8,
        }
    }

    /// The type in the frame. Where there is no value, it is that of strings.
    pub(super) fn data_type(&self) -> DataType {
        match self {
            Shape::Null | Shape::Utf8 => DataType::Utf8,
            Shape::Bool => DataType::Boolean,
            Shape::Unsigned | Shape::Int => DataType::Int64,
            Shape::LongUnsigned => DataType::UInt64,
            Shape::Float => DataType::Float64,
            Shape::List(item) => DataType::List(Arc::new(Field::new("item", item.data_type(), true))),
            Shape::Struct(fields) => DataType::Struct(
                fields.iter().map(|(name, it)| Field::new(name, it.data_type(), true)).collect(),
            ),
        }
    }

    /// Whether the library would change a number to make it one of `data_type`: it truncates fractions.
    pub(super) fn loses_fractions(&self, data_type: &DataType) -> bool {
        match (self, data_type) {
            (Shape::Float, it) => it.is_integer(),
            (Shape::List(item), DataType::List(field) | DataType::LargeList(field)) => {
                item.loses_fractions(field.data_type())
            }
            (Shape::Struct(fields), DataType::Struct(types)) => fields.iter().any(|(name, shape)| {
                types.find(name).is_some_and(|(_, field)| shape.loses_fractions(field.data_type()))
            }),
            _ => false,
        }
    }
}

struct Scan<'a> {
    text: &'a [u8],
    depth: usize,
}

impl<'a> Scan<'a> {
    fn value(&mut self, shape: &mut Shape) -> Result<(), Fault> {
        match self.next()? {
            b'{' => self.nested(shape, Shape::Struct(Vec::new()), Self::object),
            b'[' => self.nested(shape, Shape::List(Box::new(Shape::Null)), Self::array),
            b'"' => {
                self.string()?;
                shape.join(&Shape::Utf8);
                Ok(())
            }
            b't' => self.word(b"rue", shape, &Shape::Bool),
            b'f' => self.word(b"alse", shape, &Shape::Bool),
            b'n' => self.word(b"ull", shape, &Shape::Null),
            first @ (b'-' | b'0'..=b'9') => self.number(first, shape),
            _ => Err(NotJson),
        }
    }

    /// The first byte that is not white space, which is behind then.
    fn next(&mut self) -> Result<u8, Fault> {
        let start = self.text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let start = start.ok_or(NotJson)?;
        let byte = self.text[start];
        self.text = &self.text[start + 1..];
        Ok(byte)
    }

    fn word(&mut self, rest: &[u8], shape: &mut Shape, found: &Shape) -> Result<(), Fault> {
        self.text = self.text.strip_prefix(rest).ok_or(NotJson)?;
        shape.join(found);
        Ok(())
    }

    /// The rest of a number after its first byte.
    fn number(&mut self, first: u8, shape: &mut Shape) -> Result<(), Fault> {
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
        let len = self.text.iter().position(|byte| !is_part(byte)).unwrap_or(self.text.len());
        let (rest, after) = self.text.split_at(len);
        self.text = after;
        let is_negative = first == b'-';
        let integers =
            rest.iter().take_while(|byte| byte.is_ascii_digit()).count() + usize::from(!is_negative);
        let leading = if is_negative { rest.first().copied().unwrap_or_default() } else { first };
        let fraction = &rest[integers - usize::from(!is_negative)..];
        // The decoder takes zeros in front, and a point or an exponent without digits.
        if integers == 0 || (leading == b'0' && integers > 1) || !is_fraction(fraction) {
            return Err(NotJson);
        }
        let integer = if is_negative { Shape::Int } else { Shape::Unsigned };
        shape.join(&match fraction {
            [] if len < 18 => integer,
            [] => integer_of(first, rest, integer),
            _ => Shape::Float,
        });
        Ok(())
    }

    /// The rest of a string, and whether it has escapes.
    fn string(&mut self) -> Result<(&'a [u8], bool), Fault> {
        let (text, mut at, mut has_escape) = (self.text, 0, false);
        loop {
            at += memchr2(b'"', b'\\', text.get(at..).ok_or(NotJson)?).ok_or(NotJson)?;
            if text[at] == b'"' {
                self.text = &text[at + 1..];
                return Ok((&text[..at], has_escape));
            }
            has_escape = true;
            at += 2;
        }
    }

    /// A list or an object, where the column so far has no value or such ones. Otherwise its values are of several kinds.
    fn nested(
        &mut self,
        shape: &mut Shape,
        empty: Shape,
        scan: fn(&mut Self, &mut Shape) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::TooDeep);
        }
        if *shape == Shape::Null {
            *shape = empty;
        } else if std::mem::discriminant(shape) != std::mem::discriminant(&empty) {
            *shape = Shape::Utf8;
        }
        scan(self, shape)?;
        self.depth -= 1;
        Ok(())
    }

    fn array(&mut self, shape: &mut Shape) -> Result<(), Fault> {
        let mut ignored = Shape::Null;
        let item = if let Shape::List(item) = shape { item } else { &mut ignored };
        let mut before = self.text;
        if self.next()? == b']' {
            return Ok(());
        }
        loop {
            self.text = before;
            self.value(item)?;
            match self.next()? {
                b',' => before = self.text,
                b']' => return Ok(()),
                _ => return Err(NotJson),
            }
        }
    }

    fn object(&mut self, shape: &mut Shape) -> Result<(), Fault> {
        let mut ignored = Vec::new();
        let fields = if let Shape::Struct(fields) = shape { fields } else { &mut ignored };
        // Objects mostly have the same fields in the same order.
        let mut expected = 0;
        let mut places = None;
        let mut seen = None;
        loop {
            match self.next()? {
                b'}' if expected == 0 => return Ok(()),
                b'"' => {}
                _ => return Err(NotJson),
            }
            let (name, has_escape) = self.string()?;
            if self.next()? != b':' {
                return Err(NotJson);
            }
            let at = field(fields, expected, name, has_escape, &mut places)?;
            if is_repeated(&mut seen, expected, at) {
                let name = fields[at].0.clone();
                return Err(Fault::Twice { column: name.clone(), name });
            }
            expected = at + 1;
            let (column, shape) = &mut fields[at];
            self.value(shape).map_err(|fault| fault.within(column))?;
            match self.next()? {
                b',' => {}
                b'}' => return Ok(()),
                _ => return Err(NotJson),
            }
        }
    }
}

impl Fault {
    /// The fault, which is in a value of a field.
    fn within(mut self, field: &str) -> Self {
        if let Fault::Twice { column, .. } = &mut self {
            field.clone_into(column);
        }
        self
    }
}

/// Whether an object had field `at` before, and notes it. `expected` is the one after the last. As long as an object has all fields
/// in their order, `seen` is not needed.
fn is_repeated(seen: &mut Option<Vec<bool>>, expected: usize, at: usize) -> bool {
    if seen.is_none() && at == expected {
        return false;
    }
    let seen = seen.get_or_insert_with(|| vec![true; expected]);
    if seen.len() <= at {
        seen.resize(at + 1, false);
    }
    std::mem::replace(&mut seen[at], true)
}

/// Of fewer fields, names are looked for one by one.
const FEW: usize = 64;

/// The position of a field, a new one if there is none of this name. `places` has those of many fields, once one is not where
/// it is expected.
fn field(
    fields: &mut Vec<(String, Shape)>,
    expected: usize,
    name: &[u8],
    has_escape: bool,
    places: &mut Option<HashMap<String, usize>>,
) -> Result<usize, Fault> {
    let unescaped;
    let name = if has_escape {
        let quoted = [b"\"", name, b"\""].concat();
        unescaped = serde_json::from_slice::<String>(&quoted).map_err(|_| NotJson)?;
        &unescaped
    } else {
        std::str::from_utf8(name).map_err(|_| NotJson)?
    };
    if fields.get(expected).is_some_and(|(field, _)| field == name) {
        return Ok(expected);
    }
    let known = if fields.len() < FEW {
        fields.iter().position(|(field, _)| field == name)
    } else {
        let of_all = || fields.iter().zip(0..).map(|((field, _), at)| (field.clone(), at)).collect();
        let places = places.get_or_insert_with(of_all);
        let known = places.get(name).copied();
        if known.is_none() {
            places.insert(name.to_owned(), fields.len());
        }
        known
    };
    Ok(known.unwrap_or_else(|| {
        fields.push((name.to_owned(), Shape::Null));
        fields.len() - 1
    }))
}

/// Whether a number may go on like this after its digits: `.5`, `e-3`, both or neither.
fn is_fraction(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let exponent = match text {
        [b'.', rest @ ..] if digits(rest) > 0 => &rest[digits(rest)..],
        other => other,
    };
    match exponent {
        [] => true,
        [b'e' | b'E', b'+' | b'-', rest @ ..] | [b'e' | b'E', rest @ ..] => {
            digits(rest) > 0 && digits(rest) == rest.len()
        }
        _ => false,
    }
}

/// A number of only digits after its first byte, which is `short` if it has 64 bits with a sign.
fn integer_of(first: u8, rest: &[u8], short: Shape) -> Shape {
    let text = [&[first], rest].concat();
    let Ok(text) = std::str::from_utf8(&text) else { return Shape::Utf8 };
    match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(_), _) => short,
        (_, Ok(_)) => Shape::LongUnsigned,
        _ => Shape::Utf8,
    }
}
