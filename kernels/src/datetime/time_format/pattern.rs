//! Formats of times, as C and Python have them.

macro_rules! directives {
    ($($letter:literal => $name:ident: $meaning:literal;)*) => {
        /// A part of a format.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(super) enum Item {
            /// These bytes.
            Literal(Box<[u8]>),
            $(#[doc = concat!("`%", $letter, "`: ", $meaning, ".")] $name,)*
            /// `-` after `%`: the number that follows has no zeros before it.
            Unpadded,
        }

        /// An item of a program; `Code` of `time_format.cu`.
        #[derive(Clone, Copy)]
        enum Code {
            Literal,
            $($name,)*
            Unpadded,
        }

        impl Item {
            fn code(&self) -> Code {
                match self {
                    Item::Literal(_) => Code::Literal,
                    $(Item::$name => Code::$name,)*
                    Item::Unpadded => Code::Unpadded,
                }
            }

            /// Of the letter of a directive.
            fn of_letter(letter: char) -> Option<Self> {
                match letter {
                    $($letter => Some(Item::$name),)*
                    _ => None,
                }
            }
        }
    };
}

directives! {
    'Y' => Year: "the year in at least four digits";
    'y' => ShortYear: "the last two digits of the year";
    'm' => Month: "01 to 12";
    'd' => Day: "01 to 31";
    'e' => PaddedDay: "1 to 31, with a space before one digit";
    'j' => DayOfYear: "001 to 366";
    'H' => Hour: "00 to 23";
    'I' => ShortHour: "01 to 12";
    'p' => Half: "AM or PM";
    'M' => Minute: "00 to 59";
    'S' => Second: "00 to 59";
    'f' => Fraction: "six digits of the second";
    'b' => ShortMonthName: "the name of the month in three letters";
    'B' => MonthName: "the name of the month";
    'a' => ShortDayName: "the name of the day of the week in three letters";
    'A' => DayName: "the name of the day of the week";
    'u' => Weekday: "1 for Monday to 7";
    'w' => SundayWeekday: "0 for Sunday to 6";
    'G' => IsoYear: "the year of the ISO 8601 week";
    'V' => IsoWeek: "the ISO 8601 week";
    'z' => Offset: "the offset from UTC as +0200, nothing for a time without a zone";
    'C' => Century: "the year divided by 100, in at least two digits";
    'g' => ShortIsoYear: "the last two digits of the year of the ISO 8601 week";
    'k' => PaddedHour: "0 to 23, with a space before one digit";
    'l' => PaddedShortHour: "1 to 12, with a space before one digit";
    'P' => LowerHalf: "am or pm";
    's' => EpochSeconds: "seconds since 1970-01-01 00:00 UTC";
    'Z' => ZoneName: "the abbreviation of the time zone, which callers write; nothing for a time without a zone";
    '3' => Millis: "and `f`: three digits of the second";
    '6' => Micros: "and `f`: six digits of the second";
    '9' => Nanos: "and `f`: nine digits of the second";
    '.' => PointFraction: "and `f`: a point and three, six or nine digits of the second, nothing for a whole one";
}

/// A format of times: text with the directives `%Y %C %y %m %d %e %j %H %k %I %l %p %P %M %S %f %s %b %B %a %A %u %w %G %g %V %z
/// %Z %%`, and the short forms of the C locale: `%F` for `%Y-%m-%d`, `%T` and `%X` for `%H:%M:%S`, `%D` and `%x` for `%m/%d/%y`,
/// `%R` for `%H:%M`, `%r` for `%I:%M:%S %p`, `%c` for `%a %b %e %H:%M:%S %Y`, `%h` for `%b`, `%n` for a new line and `%t` for a
/// tab. `%C %g %s %Z` are written and not read. `%3f %6f %9f` are so many digits of the second, with a point before them `%.3f
/// %.6f %.9f`, and `%.f` as many as the time has, as in Polars. A `-` leaves out the zeros before a number, `%-d`: of
/// `%d %m %y %j %H %I %M %S`, where a `0` changes nothing, `%0d`; a `_` puts a space in their place, `%_d`: of `%d %H %I`.
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
            let mut next = || characters.next().map(|(_, character)| character);
            let made = match directive {
                '-' => next().and_then(unpadded),
                // Zeros are what a number has before it anyway.
                '0' => next().filter(|letter| unpadded(*letter).is_some()).and_then(directive_of),
                '_' => match next() {
                    Some('d') => directive_of('e'),
                    Some('H') => directive_of('k'),
                    Some('I') => directive_of('l'),
                    _ => None,
                },
                '3' | '6' | '9' => {
                    Item::of_letter(directive).filter(|_| next() == Some('f')).map(|item| vec![item])
                }
                '.' => match next() {
                    Some('f') => Some(vec![Item::PointFraction]),
                    Some(digits @ ('3' | '6' | '9')) if next() == Some('f') => {
                        Item::of_letter(digits).map(|item| vec![Item::Literal(Box::new(*b".")), item])
                    }
                    _ => None,
                },
                _ => directive_of(directive),
            };
            let made = made.ok_or((position, "an unknown directive"))?;
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

    /// Whether a year can be read: with an ISO 8601 week, that of the week.
    pub(super) fn has_year(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Year | Item::ShortYear))
            || self.items.contains(&Item::IsoYear) && self.items.contains(&Item::IsoWeek)
    }

    /// Whether it has a week of ISO 8601, or the year of one, without the other, or beside a year of the calendar.
    pub fn mixes_weeks(&self) -> bool {
        let has = |wanted: &[Item]| self.items.iter().any(|item| wanted.contains(item));
        let (year, week) = (has(&[Item::IsoYear]), has(&[Item::IsoWeek]));
        (year || week) && !(year && week && !has(&[Item::Year, Item::ShortYear, Item::DayOfYear]))
    }

    /// Whether no directive is only written.
    pub(super) fn is_read(&self) -> bool {
        let is_written = |item: &Item| {
            matches!(item, Item::Century | Item::ShortIsoYear | Item::EpochSeconds | Item::ZoneName)
        };
        !self.items.iter().any(is_written)
    }

    /// Whether it has directives of the clock and no other.
    pub fn is_clock(&self) -> bool {
        let is_clock = |item: &Item| {
            matches!(
                item,
                Item::Literal(_)
                    | Item::Hour
                    | Item::ShortHour
                    | Item::PaddedHour
                    | Item::PaddedShortHour
                    | Item::Half
                    | Item::LowerHalf
                    | Item::Minute
                    | Item::Second
                    | Item::Fraction
                    | Item::Millis
                    | Item::Micros
                    | Item::Nanos
                    | Item::PointFraction
                    | Item::Unpadded
            )
        };
        self.items.iter().all(is_clock)
    }

    /// Whether the offset from UTC is part of it.
    pub fn has_offset(&self) -> bool {
        self.items.contains(&Item::Offset)
    }

    /// Whether what is written depends on the offset from UTC.
    pub fn needs_offset(&self) -> bool {
        self.has_offset() || self.items.contains(&Item::EpochSeconds)
    }

    /// The formats between abbreviations of the zone, one more than there are of these.
    pub fn between_zone_names(&self) -> Vec<Self> {
        let parts = self.items.split(|item| *item == Item::ZoneName);
        parts.map(|items| Self { items: items.to_vec() }).collect()
    }
}

impl TimeFormat {
    /// The format for kernels: a byte for each item, and for text its length, at most 255, and its bytes. Text that is longer
    /// is several items.
    pub(super) fn program(&self) -> Vec<u8> {
        Self::program_of(self.items.iter())
    }

    /// The [program](Self::program) for reading: numbers are read with fewer digits anyway.
    pub(super) fn read_program(&self) -> Vec<u8> {
        Self::program_of(self.items.iter().filter(|item| **item != Item::Unpadded))
    }

    fn program_of<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<u8> {
        let mut program = Vec::new();
        for item in items {
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

/// A number without zeros before it.
fn unpadded(directive: char) -> Option<Vec<Item>> {
    let item = Item::of_letter(directive).filter(|_| "dmyjHIMS".contains(directive))?;
    Some(vec![Item::Unpadded, item])
}

fn directive_of(directive: char) -> Option<Vec<Item>> {
    let literal = |byte: u8| Item::Literal(Box::new([byte]));
    let clock = |hour: Item| vec![hour, literal(b':'), Item::Minute, literal(b':'), Item::Second];
    match directive {
        'c' => {
            let date =
                [Item::ShortDayName, literal(b' '), Item::ShortMonthName, literal(b' '), Item::PaddedDay];
            let year = [literal(b' '), Item::Year];
            Some([date.to_vec(), vec![literal(b' ')], clock(Item::Hour), year.to_vec()].concat())
        }
        'r' => Some([clock(Item::ShortHour), vec![literal(b' '), Item::Half]].concat()),
        'n' => Some(vec![literal(b'\n')]),
        't' => Some(vec![literal(b'\t')]),
        'F' => Some(vec![Item::Year, literal(b'-'), Item::Month, literal(b'-'), Item::Day]),
        'T' | 'X' => Some(clock(Item::Hour)),
        'D' | 'x' => Some(vec![Item::Month, literal(b'/'), Item::Day, literal(b'/'), Item::ShortYear]),
        'R' => Some(vec![Item::Hour, literal(b':'), Item::Minute]),
        'h' => Some(vec![Item::ShortMonthName]),
        letter => Item::of_letter(letter).map(|item| vec![item]),
    }
}
