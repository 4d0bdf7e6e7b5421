//! Values of Thrift's compact protocol, which headers of pages and footers are written in.

pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub(super) const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
pub(super) const STRUCT: u8 = 12;

/// Takes values off bytes; `None` where they are damaged.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A signed number, whose sign is its last bit.
    pub(super) fn int(&mut self) -> Option<i32> {
        let number = self.number()?;
        i32::try_from((number >> 1).cast_signed() ^ -((number & 1).cast_signed())).ok()
    }

    /// A number that is not negative.
    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.int()?).ok()
    }

    fn advance(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.split_at_checked(count)?.1;
        Some(())
    }

    /// Bytes with their length before them, as text.
    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// Gives each item of a list to `take`, which reads it: its kind.
    pub(super) fn items(&mut self, take: &mut dyn FnMut(&mut Self, u8) -> Option<()>) -> Option<()> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
        (0..count).try_for_each(|_| take(self, head & 0xf))
    }

    /// Gives each field of a struct to `take`, which reads its value: its number and its kind.
    pub(super) fn fields(
        &mut self,
        depth: usize,
        take: &mut dyn FnMut(&mut Self, i32, u8) -> Option<()>,
    ) -> Option<()> {
        depth.checked_sub(1)?;
        let mut field = 0_i32;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field = match head >> 4 {
                0 => self.int()?,
                step => field.checked_add(step.into())?,
            };
            take(self, field, head & 0xf)?;
        }
    }

    /// Takes a value of a kind off, of at most so many structs and lists in one another.
    pub(super) fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.advance(1),
            I16 | I32 | I64 => self.number().map(drop),
            DOUBLE => self.advance(8),
            BINARY => {
                let length = self.number()?;
                self.advance(usize::try_from(length).ok()?)
            }
            LIST | SET => {
                let depth = depth.checked_sub(1)?;
                self.items(&mut |reader, kind| match kind {
                    // Booleans in lists take a byte.
                    TRUE | FALSE => reader.advance(1),
                    kind => reader.skip(kind, depth),
                })
            }
            STRUCT => self.fields(depth, &mut |reader, _, kind| reader.skip(kind, depth.checked_sub(1)?)),
            _ => None,
        }
    }
}
