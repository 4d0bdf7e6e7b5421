//! Host implementation of `exponential_mean`.

use super::Weights;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

/// The values of a range so far.
struct Running {
    mean: f64,
    /// The sum of their weights, of which the newest value has 1; 0 without values.
    weight: f64,
    /// What the rows after the newest value multiply weights by.
    after: f64,
    values: u64,
}

/// Not 0 because it is too small: an infinite mean stays infinite.
fn product(a: f64, b: f64) -> f64 {
    let both = a * b;
    if both == 0.0 && a != 0.0 && b != 0.0 { f64::from_bits(1) } else { both }
}

pub(super) fn exponential_mean(
    values: &Fixed<'_>,
    starts: Option<&Fixed<'_>>,
    weights: Weights,
    exec: &Exec,
) -> Result<FixedData> {
    let len = values.len;
    let mut data = Buffer::uninit_write(len * size_of::<f64>(), exec)?;
    let mut validity = Buffer::uninit_write(len.div_ceil(8), exec)?;
    let values = View::Fixed(*values);
    let starts = starts.map(|starts| View::Fixed(*starts));
    let values = values.read(exec)?;
    let starts = starts.as_ref().map(|starts| starts.read(exec)).transpose()?;
    let (valid, rows) = (values.validity(), values.values::<f64>());
    let starts = starts.as_ref().map(|starts| (starts.validity(), starts.values::<i64>()));
    let (out, bits) = (data.as_mut_slice::<f64>(), validity.as_mut_slice::<u8>());
    bits.fill(0);
    let least = weights.min_values.max(1);
    let mut now = Running { mean: 0.0, weight: 0.0, after: 1.0, values: 0 };
    for (row, (out, &value)) in out.iter_mut().zip(rows).enumerate() {
        let (in_range, begins) = match &starts {
            None => (true, row == 0),
            Some((valid, starts)) => {
                let in_range = valid.as_ref().is_none_or(|valid| valid.get(row));
                (in_range, !in_range || row as i64 <= starts[row])
            }
        };
        if begins {
            now = Running { mean: 0.0, weight: 0.0, after: 1.0, values: 0 };
        }
        if valid.as_ref().is_none_or(|valid| valid.get(row)) && !value.is_nan() {
            let earlier = product(now.after, weights.decay) * now.weight;
            let weight = earlier + 1.0;
            let mean =
                if now.values == 0 { value } else { now.mean * (earlier / weight) + value * (1.0 / weight) };
            now = Running { mean, weight, after: 1.0, values: now.values + 1 };
        } else if !weights.ignores_nulls {
            now.after = product(now.after, weights.decay);
        }
        *out = now.mean;
        bits[row / 8] |= u8::from(in_range && now.values >= least) << (row % 8);
    }
    let (data, validity) = (data.into_buffer(), Some(validity.into_buffer()));
    Ok(FixedData { storage: Storage::F64, len, data, validity })
}
