//! Formats of times, as C and Python have them.

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// These bytes.
    Literal(Box<[u8]>),
    /// `%Y`: the year in at least four digits.
    Year,
    /// `%y`: the last two digits of the year.
    ShortYear,
    /// `%m`: 01 to 12.
    Month,
    /// `%d`: 01 to 31.
    Day,
    /// `%e`: 1 to 31, with a space before one digit.
    PaddedDay,
    /// `%j`: 001 to 366.
    DayOfYear,
    /// `%H`: 00 to 23.
    Hour,
    /// `%I`: 01 to 12.
    ShortHour,
    /// `%p`: AM or PM.
    Half,
    /// `%M`: 00 to 59.
    Minute,
    /// `%S`: 00 to 59.
    Second,
    /// `%f`: six digits of the second.
    Fraction,
    /// `%b`, `%B`: the name of the month, in three letters or in full.
    MonthName { full: bool },
    /// `%a`, `%A`: the name of the day of the week, in three letters or in full.
    DayName { full: bool },
    /// `%u`: 1 for Monday to 7.
    Weekday,
    /// `%w`: 0 for Sunday to 6.
    SundayWeekday,
    /// `%G`: the year of the ISO 8601 week.
    IsoYear,
    /// `%V`: the ISO 8601 week.
    IsoWeek,
    /// `%z`: the offset from UTC as +0200.
    Offset,
}

/// A format of times: text with the directives `%Y %y %m %d %e %j %H %I %p %M %S %f %b %B %a %A %u %w %G %V %z %%`, and the
/// short forms `%F` for `%Y-%m-%d`, `%T` for `%H:%M:%S`, `%D` for `%m/%d/%y`, `%R` for `%H:%M` and `%h` for `%b`.
///
/// ```
/// use columnade_kernels::datetime::time_format::TimeFormat;
///
/// assert!(TimeFormat::new("%Y-%m-%d %H:%M").is_ok());
/// assert_eq!(TimeFormat::new("%Y/%Q").unwrap_err(), (3, "an unknown directive"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFormat {
    pub(super) items: Vec<Item>,
}

impl TimeFormat {
    /// The format of a text.
    ///
    /// # Errors
    /// The character that is wrong, from 0, and why.
    pub fn new(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut items = Vec::new();
        let mut literal = String::new();
        let mut characters = text.chars().enumerate();
        while let Some((position, character)) = characters.next() {
            if character != '%' {
                literal.push(character);
                continue;
            }
            let Some((_, directive)) = characters.next() else {
                return Err((position, "a directive is expected after %"));
            };
            if directive == '%' {
                literal.push('%');
                continue;
            }
            let made = directive_of(directive).ok_or((position, "an unknown directive"))?;
            for item in made {
                if let Item::Literal(bytes) = item {
                    literal.extend(bytes.iter().map(|&byte| char::from(byte)));
                    continue;
                }
                if !literal.is_empty() {
                    items.push(Item::Literal(std::mem::take(&mut literal).into_bytes().into()));
                }
                items.push(item);
            }
        }
        if !literal.is_empty() {
            items.push(Item::Literal(literal.into_bytes().into()));
        }
        Ok(Self { items })
    }

    /// Whether a year can be read.
    pub(super) fn has_year(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Year | Item::ShortYear))
    }

    /// Whether it has directives of the clock and no other.
    pub fn is_clock(&self) -> bool {
        let is_clock = |item: &Item| {
            matches!(
                item,
                Item::Literal(_)
                    | Item::Hour
                    | Item::ShortHour
                    | Item::Half
                    | Item::Minute
                    | Item::Second
                    | Item::Fraction
            )
        };
        self.items.iter().all(is_clock)
    }

    /// Whether the offset from UTC is part of it.
    pub fn has_offset(&self) -> bool {
        self.items.contains(&Item::Offset)
    }
}

/// An item of a program; `Code` of `time_format.cu`.
#[derive(Clone, Copy)]
enum Code {
    Literal,
    Year,
    ShortYear,
    Month,
    Day,
    PaddedDay,
    DayOfYear,
    Hour,
    ShortHour,
    Half,
    Minute,
    Second,
    Fraction,
    ShortMonthName,
    MonthName,
    ShortDayName,
    DayName,
    Weekday,
    SundayWeekday,
    IsoYear,
    IsoWeek,
    Offset,
}

impl Item {
    /// Its code.
    fn code(&self) -> Code {
        match self {
            Item::Literal(_) => Code::Literal,
            Item::Year => Code::Year,
            Item::ShortYear => Code::ShortYear,
            Item::Month => Code::Month,
            Item::Day => Code::Day,
            Item::PaddedDay => Code::PaddedDay,
            Item::DayOfYear => Code::DayOfYear,
            Item::Hour => Code::Hour,
            Item::ShortHour => Code::ShortHour,
            Item::Half => Code::Half,
            Item::Minute => Code::Minute,
            Item::Second => Code::Second,
            Item::Fraction => Code::Fraction,
            Item::MonthName { full: false } => Code::ShortMonthName,
            Item::MonthName { full: true } => Code::MonthName,
            Item::DayName { full: false } => Code::ShortDayName,
            Item::DayName { full: true } => Code::DayName,
            Item::Weekday => Code::Weekday,
            Item::SundayWeekday => Code::SundayWeekday,
            Item::IsoYear => Code::IsoYear,
            Item::IsoWeek => Code::IsoWeek,
            Item::Offset => Code::Offset,
        }
    }
}

impl TimeFormat {
    /// The format for kernels: a byte for each item, and for text its length, at most 255, and its bytes. Text that is longer
    /// is several items.
    pub(super) fn program(&self) -> Vec<u8> {
        let mut program = Vec::new();
        for item in &self.items {
            let Item::Literal(text) = item else {
                program.push(item.code() as u8);
                continue;
            };
            for part in text.chunks(u8::MAX.into()) {
                program.extend([Code::Literal as u8, part.len() as u8]);
                program.extend(part);
            }
        }
        program
    }
}

fn directive_of(directive: char) -> Option<Vec<Item>> {
    let literal = |byte: u8| Item::Literal(Box::new([byte]));
    let single = match directive {
        'F' => return Some(vec![Item::Year, literal(b'-'), Item::Month, literal(b'-'), Item::Day]),
        'T' => return Some(vec![Item::Hour, literal(b':'), Item::Minute, literal(b':'), Item::Second]),
        'D' => return Some(vec![Item::Month, literal(b'/'), Item::Day, literal(b'/'), Item::ShortYear]),
        'R' => return Some(vec![Item::Hour, literal(b':'), Item::Minute]),
        'Y' => Item::Year,
        'y' => Item::ShortYear,
        'm' => Item::Month,
        'd' => Item::Day,
        'e' => Item::PaddedDay,
        'j' => Item::DayOfYear,
        'H' => Item::Hour,
        'I' => Item::ShortHour,
        'p' => Item::Half,
        'M' => Item::Minute,
        'S' => Item::Second,
        'f' => Item::Fraction,
        'b' | 'h' => Item::MonthName { full: false },
        'B' => Item::MonthName { full: true },
        'a' => Item::DayName { full: false },
        'A' => Item::DayName { full: true },
        'u' => Item::Weekday,
        'w' => Item::SundayWeekday,
        'G' => Item::IsoYear,
        'V' => Item::IsoWeek,
        'z' => Item::Offset,
        _ => return None,
    };
    Some(vec![single])
}
