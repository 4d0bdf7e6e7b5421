//! Dtypes as text, and back.

use super::{Closed, DType, DecimalStorage, DictionaryType, Field, TimeUnit, TimeZone};
use crate::{Error, Result};
use columnade_kernels::Storage;
use std::fmt;
use std::str::FromStr;

/// The most levels of nesting, since parsing recurses once per level.
const MAX_DEPTH: usize = 64;

/// The dtypes that are a name and nothing else.
const NAMES: [(&str, DType); 15] = [
    ("bool", DType::Bool),
    ("int8", DType::Int8),
    ("int16", DType::Int16),
    ("int32", DType::Int32),
    ("int64", DType::Int64),
    ("uint8", DType::UInt8),
    ("uint16", DType::UInt16),
    ("uint32", DType::UInt32),
    ("uint64", DType::UInt64),
    ("float32", DType::Float32),
    ("float64", DType::Float64),
    ("utf8", DType::Utf8),
    ("binary", DType::Binary),
    ("date32", DType::Date32),
    ("null", DType::Null),
];

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DType::Timestamp(unit) => write!(f, "timestamp[{unit}]"),
            DType::TimestampTz(unit, zone) => write!(f, "timestamp[{unit}, {zone}]"),
            DType::Duration(unit) => write!(f, "duration[{unit}]"),
            DType::Time(unit @ (TimeUnit::Second | TimeUnit::Milli)) => write!(f, "time32[{unit}]"),
            DType::Time(unit) => write!(f, "time64[{unit}]"),
            DType::Decimal { precision, scale, storage } => {
                f.write_str("decimal")?;
                if *storage != DecimalStorage::for_precision(*precision) {
                    write!(f, "{}", storage.storage().bits())?;
                }
                write!(f, "({precision},{scale})")
            }
            DType::Dictionary(dictionary) => {
                let ordered = if dictionary.ordered { ", ordered" } else { "" };
                write!(f, "dictionary<int{}, {}{ordered}>", dictionary.codes.bits(), dictionary.values)
            }
            DType::Interval(interval) => write!(f, "interval<{}, {}>", interval.values, interval.closed),
            DType::List(items) => write!(f, "list<{items}>"),
            DType::Struct(fields) => {
                f.write_str("struct<")?;
                for (position, field) in fields.iter().enumerate() {
                    let comma = if position == 0 { "" } else { ", " };
                    write!(f, "{comma}{}: {}", quoted(&field.name), field.dtype)?;
                }
                f.write_str(">")
            }
            plain @ (DType::Bool
            | DType::Int8
            | DType::Int16
            | DType::Int32
            | DType::Int64
            | DType::UInt8
            | DType::UInt16
            | DType::UInt32
            | DType::UInt64
            | DType::Float32
            | DType::Float64
            | DType::Utf8
            | DType::Date32
            | DType::Binary
            | DType::Null) => f.write_str(
                NAMES.iter().find(|(_, dtype)| dtype == plain).map_or("unnamed", |(name, _)| name),
            ),
        }
    }
}

/// A name, in quotes unless it is a word.
fn quoted(name: &str) -> String {
    if !name.is_empty() && name.bytes().all(is_word) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl FromStr for DType {
    type Err = Error;

    /// The dtype that `Display` writes as `text`; blanks between the parts do not count. `string` and `str` are `utf8`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for text that is not a dtype, or one of more than 64 levels.
    fn from_str(text: &str) -> Result<DType> {
        let mut parser = Parser { rest: text.trim(), depth: 0 };
        match parser.dtype() {
            Some(dtype) if parser.rest.is_empty() => Ok(dtype),
            _ => Err(Error::InvalidArgument { name: "dtype", reason: format!("{text:?} is no dtype") }),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn dtype(&mut self) -> Option<DType> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let dtype = match self.take(is_word) {
            "timestamp" => {
                self.symbol('[')?;
                let unit = self.unit()?;
                let dtype = if self.symbol(',').is_some() {
                    let zone = self.take(|byte| byte != b']');
                    DType::TimestampTz(unit, TimeZone::new(zone.trim()).ok()?)
                } else {
                    DType::Timestamp(unit)
                };
                self.symbol(']')?;
                dtype
            }
            "duration" => {
                self.symbol('[')?;
                let unit = self.unit()?;
                self.symbol(']')?;
                DType::Duration(unit)
            }
            width @ ("time32" | "time64") => {
                self.symbol('[')?;
                let unit = self.unit()?;
                self.symbol(']')?;
                // Arrow has one width for each unit.
                if (width == "time32") != matches!(unit, TimeUnit::Second | TimeUnit::Milli) {
                    return None;
                }
                DType::Time(unit)
            }
            "decimal" => self.decimal(None)?,
            "decimal32" => self.decimal(Some(DecimalStorage::Bits32))?,
            "decimal64" => self.decimal(Some(DecimalStorage::Bits64))?,
            "decimal128" => self.decimal(Some(DecimalStorage::Bits128))?,
            "dictionary" => {
                self.symbol('<')?;
                let codes = match self.take(is_word) {
                    "int8" => Storage::I8,
                    "int16" => Storage::I16,
                    "int32" => Storage::I32,
                    "int64" => Storage::I64,
                    _ => return None,
                };
                self.symbol(',')?;
                let values = self.dtype()?;
                let ordered = self.symbol(',').is_some();
                if ordered && self.take(is_word) != "ordered" {
                    return None;
                }
                self.symbol('>')?;
                DType::Dictionary(Box::new(DictionaryType { codes, values, ordered }))
            }
            "interval" => {
                self.symbol('<')?;
                let values = self.dtype()?;
                self.symbol(',')?;
                let closed = Closed::from_str(self.take(is_word)).ok()?;
                self.symbol('>')?;
                DType::interval(values, closed)
            }
            "list" => {
                self.symbol('<')?;
                let items = self.dtype()?;
                self.symbol('>')?;
                DType::list(items)
            }
            "struct" => self.fields()?,
            "string" | "str" => DType::Utf8,
            name => NAMES.iter().find(|(known, _)| *known == name)?.1.clone(),
        };
        self.depth -= 1;
        Some(dtype)
    }

    /// The digits of a decimal; without a width, it is stored in the width of results.
    fn decimal(&mut self, storage: Option<DecimalStorage>) -> Option<DType> {
        self.symbol('(')?;
        let precision = self.take(|byte| byte != b',').trim().parse().ok()?;
        self.symbol(',')?;
        let scale = self.take(|byte| byte != b')').trim().parse().ok()?;
        self.symbol(')')?;
        let storage = storage.unwrap_or(DecimalStorage::for_precision(precision));
        DType::decimal_stored(precision, scale, storage).ok()
    }

    fn fields(&mut self) -> Option<DType> {
        self.symbol('<')?;
        let mut fields = Vec::new();
        if self.symbol('>').is_some() {
            return Some(DType::Struct(fields.into()));
        }
        loop {
            let name = self.name()?;
            self.symbol(':')?;
            fields.push(Field { name, dtype: self.dtype()? });
            if self.symbol(',').is_none() {
                self.symbol('>')?;
                return Some(DType::Struct(fields.into()));
            }
        }
    }

    /// A word, or anything in quotes.
    fn name(&mut self) -> Option<String> {
        if self.symbol('"').is_none() {
            return Some(self.take(is_word)).filter(|name| !name.is_empty()).map(str::to_owned);
        }
        let mut name = String::new();
        let mut characters = self.rest.char_indices();
        loop {
            match characters.next()?.1 {
                '"' => break,
                '\\' => name.push(characters.next()?.1),
                other => name.push(other),
            }
        }
        self.rest = characters.as_str().trim_start();
        Some(name)
    }

    fn unit(&mut self) -> Option<TimeUnit> {
        let name = self.take(is_word);
        TimeUnit::ALL.into_iter().find(|unit| unit.to_string() == name)
    }

    /// The longest prefix of the rest whose bytes are all `wanted`; skips the blanks after it.
    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let end = self.rest.bytes().position(|byte| !wanted(byte)).unwrap_or(self.rest.len());
        // Only bytes of ASCII end a part: the cut is between characters.
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        taken
    }

    /// Skips `symbol` if it is next, and the blanks after it unless it is a quote.
    fn symbol(&mut self, symbol: char) -> Option<()> {
        let rest = self.rest.strip_prefix(symbol)?;
        self.rest = if symbol == '"' { rest } else { rest.trim_start() };
        Some(())
    }
}
