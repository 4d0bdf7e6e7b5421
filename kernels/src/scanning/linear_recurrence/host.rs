//! Host implementation of `linear_recurrence`.

use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

pub(super) fn linear_recurrence(
    scale: &Fixed<'_>,
    shift: &Fixed<'_>,
    starts: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let len = scale.len;
    let mut data = Buffer::uninit(len * size_of::<f64>(), exec)?;
    if len > 0 {
        let [scale, shift, starts] = [scale, shift, starts].map(|column| View::Fixed(*column).read(exec));
        let (scale, shift, starts) = (scale?, shift?, starts?);
        let (scale, shift, starts) = (scale.values::<f64>(), shift.values::<f64>(), starts.values::<i64>());
        let mut out = data.write(exec)?;
        let mut before = 0.0;
        for (row, value) in out.as_mut_slice::<f64>()[..len].iter_mut().enumerate() {
            let is_first = i64::try_from(row).is_ok_and(|number| number <= starts[row]);
            before = if is_first { shift[row] } else { scale[row] * before + shift[row] };
            *value = before;
        }
    }
    Ok(FixedData { storage: Storage::F64, len, data, validity: None })
}
