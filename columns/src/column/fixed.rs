//! The layout of columns whose values all have one width.

use super::rows::{Rows, check_bytes, to_device};
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Fixed, FixedData, Storage};

/// Values of one storage type, and which rows of them.
#[derive(Clone, Debug)]
pub(crate) struct FixedLayout {
    pub(crate) storage: Storage,
    pub(crate) data: Buffer,
    pub(crate) rows: Rows,
}

impl FixedLayout {
    pub(crate) fn new(
        storage: Storage,
        data: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        check_bytes("data", &data, storage.bytes(offset + size))?;
        let rows = Rows::new(mask, offset, size, data.device())?;
        Ok(Self { storage, data, rows })
    }

    pub(crate) fn from_data(data: FixedData) -> Result<Self> {
        Self::new(data.storage, data.data, data.validity, 0, data.len)
    }

    pub(crate) fn view(&self) -> Fixed<'_> {
        Fixed {
            storage: self.storage,
            data: &self.data,
            validity: self.rows.mask.as_ref(),
            offset: self.rows.offset,
            len: self.rows.size,
        }
    }

    pub(crate) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let (rows, at) = self.rows.slice(offset, len)?;
        let data = self.data.slice(self.storage.bytes(at.skipped), self.storage.bytes(at.offset + len));
        Ok(Self { storage: self.storage, data, rows })
    }

    pub(crate) fn to_device(&self, exec: &Exec) -> Result<Self> {
        Ok(Self {
            storage: self.storage,
            data: to_device(&self.data, exec)?,
            rows: self.rows.to_device(exec)?,
        })
    }
}
