//! Inputs and results of kernels: borrowed views of columns, and owned buffers.

use crate::abi::ColumnDesc;
use crate::bits::BitSlice;
use crate::strings_view::{StringOffsets, Strings};
use crate::{Element, Error, OffsetWidth, Result, Storage};
use columnade_buffers::{Buffer, Exec, ReadGuard};
use smallvec::SmallVec;

/// A range of bits: `len` of them from bit `offset` of `buffer`, least significant first.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    /// The bytes.
    pub buffer: &'a Buffer,
    /// The first bit.
    pub offset: usize,
    /// The number of bits.
    pub len: usize,
}

/// `len` rows of a fixed-width column from row `offset` of its buffers.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<'a> {
    /// The storage type of the values.
    pub storage: Storage,
    /// The values.
    pub data: &'a Buffer,
    /// One bit per row, 1 = valid; `None`: no nulls.
    pub validity: Option<&'a Buffer>,
    /// The first row, in `data` and in `validity`.
    pub offset: usize,
    /// The number of rows.
    pub len: usize,
}

/// `len` rows of a string column from row `offset`.
#[derive(Clone, Copy, Debug)]
pub struct StringsView<'a> {
    /// `offset + len + 1` offsets into `chars`, at least one.
    pub offsets: &'a Buffer,
    /// The width of the offsets.
    pub offset_width: OffsetWidth,
    /// UTF-8 bytes.
    pub chars: &'a Buffer,
    /// One bit per row, 1 = valid; `None`: no nulls.
    pub validity: Option<&'a Buffer>,
    /// The first row, in `offsets` and in `validity`.
    pub offset: usize,
    /// The number of rows.
    pub len: usize,
}

/// A view of a column.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// Fixed width.
    Fixed(Fixed<'a>),
    /// Variable-length strings.
    String(StringsView<'a>),
}

impl<'a> Bits<'a> {
    /// Takes a guard that makes the bits readable on `exec`.
    ///
    /// # Errors
    /// If the bytes cannot be unspilled.
    pub fn read<'b>(&self, exec: &'b Exec) -> Result<ReadGuard<'b>>
    where
        'a: 'b,
    {
        Ok(self.buffer.read(exec)?)
    }
}

impl<'a> Fixed<'a> {
    /// The validity bits of these rows.
    pub fn validity_bits(&self) -> Option<Bits<'a>> {
        self.validity.map(|buffer| Bits { buffer, offset: self.offset, len: self.len })
    }

    /// The values of a bit column.
    pub fn data_bits(&self) -> Bits<'a> {
        Bits { buffer: self.data, offset: self.offset, len: self.len }
    }
}

impl<'a> View<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            View::Fixed(fixed) => fixed.len,
            View::String(strings) => strings.len,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both have the same type: strings of any offset width, or values of one storage type.
    pub(crate) fn same_type(&self, other: &View<'_>) -> bool {
        match (self, other) {
            (View::Fixed(a), View::Fixed(b)) => a.storage == b.storage,
            (View::String(_), View::String(_)) => true,
            _ => false,
        }
    }

    /// The first row within the buffers.
    pub fn offset(&self) -> usize {
        match self {
            View::Fixed(fixed) => fixed.offset,
            View::String(strings) => strings.offset,
        }
    }

    /// The validity bits of these rows.
    pub fn validity_bits(&self) -> Option<Bits<'a>> {
        let buffer = match self {
            View::Fixed(fixed) => fixed.validity,
            View::String(strings) => strings.validity,
        };
        buffer.map(|buffer| Bits { buffer, offset: self.offset(), len: self.len() })
    }

    /// The fixed-width view, if the column has fixed width.
    ///
    /// # Errors
    /// [`Error::UnsupportedStrings`] for a string column.
    pub fn as_fixed(&self) -> Result<Fixed<'a>> {
        match self {
            View::Fixed(fixed) => Ok(*fixed),
            View::String(_) => Err(Error::UnsupportedStrings),
        }
    }

    /// Takes guards that make the column readable on `exec`.
    ///
    /// # Errors
    /// If the bytes cannot be unspilled.
    pub fn read<'b>(&self, exec: &'b Exec) -> Result<ViewGuard<'b>>
    where
        'a: 'b,
    {
        let mut guards = access(std::slice::from_ref(self), exec)?;
        Ok(guards.swap_remove(0))
    }
}

impl<'a> From<Fixed<'a>> for View<'a> {
    fn from(fixed: Fixed<'a>) -> Self {
        View::Fixed(fixed)
    }
}

impl<'a> From<StringsView<'a>> for View<'a> {
    fn from(strings: StringsView<'a>) -> Self {
        View::String(strings)
    }
}

/// A view whose memory is readable until the guard is dropped.
#[derive(Debug)]
pub struct ViewGuard<'a> {
    view: View<'a>,
    data: ReadGuard<'a>,
    validity: Option<ReadGuard<'a>>,
    offsets: Option<ReadGuard<'a>>,
}

/// Takes the guards of several views at once: all of them or none.
///
/// # Errors
/// If the bytes of a view cannot be unspilled.
pub fn access<'a>(views: &[View<'a>], exec: &'a Exec) -> Result<SmallVec<[ViewGuard<'a>; 4]>> {
    let mut reads: SmallVec<[&'a Buffer; 12]> = SmallVec::new();
    for view in views {
        match view {
            View::Fixed(fixed) => {
                reads.push(fixed.data);
                reads.extend(fixed.validity);
            }
            View::String(strings) => {
                reads.push(strings.chars);
                reads.extend(strings.validity);
                reads.push(strings.offsets);
            }
        }
    }
    let mut guards = exec.access(&reads, [])?.reads.into_iter();
    let mut next = || guards.next().ok_or(Error::Internal { invariant: "each read has a guard" });
    views
        .iter()
        .map(|view| {
            let data = next()?;
            let validity = if view.validity_bits().is_some() { Some(next()?) } else { None };
            let offsets = if matches!(view, View::String(_)) { Some(next()?) } else { None };
            Ok(ViewGuard { view: *view, data, validity, offsets })
        })
        .collect()
}

impl<'a> ViewGuard<'a> {
    /// The guarded view.
    pub(crate) fn view(&self) -> View<'a> {
        self.view
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }

    /// On the host: the values of a fixed-width column, one per row.
    ///
    /// # Panics
    /// If the memory is not host memory or `T` has another width than the column's storage type.
    pub fn values<T: columnade_buffers::Pod>(&self) -> &[T] {
        if let View::Fixed(fixed) = self.view {
            assert_eq!(
                fixed.storage.width(),
                Some(size_of::<T>()),
                "values of {} read as another width",
                fixed.storage
            );
        }
        if self.is_empty() {
            return &[];
        }
        &self.data.as_slice::<T>()[self.view.offset()..][..self.len()]
    }

    /// On the host: the values of a boolean column.
    pub fn value_bits(&self) -> BitSlice<'_> {
        BitSlice::new(self.data.as_slice(), self.view.offset(), self.len())
    }

    /// On the host: the characters of a string column that its offsets refer to.
    pub fn chars(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// On the host: the `rows + 1` offsets of a string column; `T` is `i32` or `i64` by its offset width.
    ///
    /// # Panics
    /// If the memory is not host memory.
    pub fn offsets<T: Element>(&self) -> &[T] {
        match &self.offsets {
            Some(offsets) => &offsets.as_slice::<T>()[self.view.offset()..=self.view.offset() + self.len()],
            None => &[],
        }
    }

    /// On the host: the strings of a string column.
    pub(crate) fn strings(&self) -> Strings<'_> {
        match self.view {
            View::String(StringsView { offset_width: OffsetWidth::I64, .. }) => {
                Strings::new(self.chars(), StringOffsets::I64(self.offsets()))
            }
            _ => Strings::new(self.chars(), StringOffsets::I32(self.offsets())),
        }
    }

    /// On the host: the validity bits; `None` if the column has no mask.
    pub fn validity(&self) -> Option<BitSlice<'_>> {
        self.validity.as_ref().map(|mask| BitSlice::new(mask.as_slice(), self.view.offset(), self.len()))
    }

    /// The column for the `.cu` files. The pointers are valid while the guard lives.
    pub(crate) fn desc(&self) -> ColumnDesc {
        let (storage, offset_width) = match self.view {
            View::Fixed(fixed) => (fixed.storage as i32, 0),
            View::String(strings) => (ColumnDesc::STRING, strings.offset_width as i32),
        };
        ColumnDesc {
            data: self.data.as_ptr().cast(),
            validity: self.validity.as_ref().map_or(std::ptr::null(), |mask| mask.as_ptr().cast()),
            offsets: self.offsets.as_ref().map_or(std::ptr::null(), |offsets| offsets.as_ptr().cast()),
            offset: self.view.offset() as i64,
            rows: self.len() as i64,
            storage,
            offset_width,
            data_bytes: self.data.len() as i64,
        }
    }
}

/// The buffers of a fixed-width result: `len` rows from row 0.
#[derive(Clone, Debug)]
pub struct FixedData {
    /// The storage type of the values.
    pub storage: Storage,
    /// The number of rows.
    pub len: usize,
    /// The values.
    pub data: Buffer,
    /// One bit per row, 1 = valid; `None`: no nulls.
    pub validity: Option<Buffer>,
}

/// The buffers of a string result: `len` rows from row 0.
#[derive(Clone, Debug)]
pub struct StringData {
    /// The number of rows.
    pub len: usize,
    /// `len + 1` offsets.
    pub offsets: Buffer,
    /// The width of the offsets.
    pub offset_width: OffsetWidth,
    /// UTF-8 bytes.
    pub chars: Buffer,
    /// One bit per row, 1 = valid; `None`: no nulls.
    pub validity: Option<Buffer>,
}

/// The buffers of a result.
#[derive(Clone, Debug)]
pub enum ColumnData {
    /// Fixed width.
    Fixed(FixedData),
    /// Variable-length strings.
    String(StringData),
}

impl FixedData {
    /// A view of all rows.
    pub fn view(&self) -> Fixed<'_> {
        Fixed {
            storage: self.storage,
            data: &self.data,
            validity: self.validity.as_ref(),
            offset: 0,
            len: self.len,
        }
    }
}

impl StringData {
    /// A view of all rows.
    pub fn view(&self) -> StringsView<'_> {
        StringsView {
            offsets: &self.offsets,
            offset_width: self.offset_width,
            chars: &self.chars,
            validity: self.validity.as_ref(),
            offset: 0,
            len: self.len,
        }
    }
}

impl ColumnData {
    /// A view of all rows.
    pub fn view(&self) -> View<'_> {
        match self {
            ColumnData::Fixed(fixed) => View::Fixed(fixed.view()),
            ColumnData::String(strings) => View::String(strings.view()),
        }
    }
}
