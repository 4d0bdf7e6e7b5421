//! Constants whose value stays on its device.

use super::typed::{Typed, TypedNode, cast};
use super::weak::constant;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, DeviceScalar, Result, Scalar};
use std::fmt;
use std::sync::Arc;

/// A [`DeviceScalar`] of an expression. It equals only itself, so that it is compared without being read.
#[derive(Clone, Debug)]
pub struct OneRow(Arc<DeviceScalar>);

impl OneRow {
    /// What the value means.
    pub(super) fn dtype(&self) -> DType {
        self.0.dtype()
    }

    /// The operand that it is, in the dtypes that a column is read in; of the host a constant, unless it is one of the strings
    /// of an ordered dictionary, which has the categories and their order.
    ///
    /// # Errors
    /// Those of [`DeviceScalar::to_scalar`].
    pub(super) fn resolve(&self) -> Result<Typed> {
        if self.dtype().logical().is_bytes()
            && let Some(category) = self.category()
        {
            return Ok(category);
        }
        if self.0.device() == Device::Host {
            return self.to_scalar().map(constant);
        }
        let typed = Typed { dtype: self.dtype(), node: TypedNode::OneRow(self.clone()) };
        if let DType::Dictionary(dictionary) = self.dtype() {
            return Ok(Typed { dtype: dictionary.values.clone(), node: TypedNode::Decode(Arc::new(typed)) });
        }
        let dtype = if typed.dtype.is_decimal() { typed.dtype.canonical() } else { typed.dtype.clone() };
        Ok(cast(typed, &dtype))
    }

    /// One of the categories of an ordered dictionary; `None` for other values.
    pub(super) fn category(&self) -> Option<Typed> {
        let dtype = self.dtype();
        let is_ordered = matches!(&dtype, DType::Dictionary(dictionary) if dictionary.ordered);
        is_ordered.then(|| Typed { dtype, node: TypedNode::OneRow(self.clone()) })
    }

    /// The value on the host. Waits for its device.
    ///
    /// # Errors
    /// Those of [`DeviceScalar::to_scalar`].
    pub(crate) fn to_scalar(&self) -> Result<Scalar> {
        self.0.to_scalar()
    }

    /// The value in each of `rows` rows.
    ///
    /// # Errors
    /// [`Error::Memory`](columnade_columns::Error::Memory).
    pub(super) fn broadcast(&self, rows: usize, exec: &Exec) -> Result<Column> {
        crate::copying::broadcast(&self.0.to_device(exec)?, rows, exec)
    }
}

impl From<DeviceScalar> for OneRow {
    fn from(scalar: DeviceScalar) -> Self {
        Self(Arc::new(scalar))
    }
}

impl PartialEq for OneRow {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Display for OneRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scalar of {}", self.dtype())
    }
}

#[cfg(feature = "serde")]
mod serialized {
    use super::{Column, DType, DeviceScalar, Exec, OneRow, Scalar};
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl OneRow {
        /// The value, after the categories in their order.
        fn values(&self) -> columnade_columns::Result<Vec<Scalar>> {
            let mut values = Vec::new();
            if let Column::Categorical(column) = self.0.column() {
                values = column.dictionary().to_device(&Exec::host())?.to_scalars()?;
            }
            values.push(self.to_scalar()?);
            Ok(values)
        }
    }

    impl Serialize for OneRow {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (self.dtype(), self.values().map_err(S::Error::custom)?).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for OneRow {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (dtype, values) = <(DType, Vec<Scalar>)>::deserialize(deserializer)?;
            let last = values.len().checked_sub(1).ok_or_else(|| D::Error::custom("there is no value"))?;
            let column = Column::from_scalars(&dtype, &values, &Exec::host());
            let scalar = column.and_then(|column| DeviceScalar::from_row(&column, last));
            let scalar = scalar.map_err(D::Error::custom)?;
            Ok(scalar.into())
        }
    }
}
