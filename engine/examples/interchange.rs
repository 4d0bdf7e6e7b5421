//! Frames for other libraries without a copy: Arrow's C device interface and DLPack, and what happens to memory that is
//! exported.
//!
//! `cargo run --release --example interchange` runs on the device that `COLUMNADE_DEVICE` names.

use columnade::arrow::{ArrowDeviceArray, CopyPolicy, ExportOptions, ImportOptions, Validation};
use columnade::dlpack::TensorRequest;
use columnade::prelude::*;

fn main() -> columnade::Result<()> {
    let frame = df! { "x" => [1.0, 2.0, 3.0], "y" => [10.0, 20.0, 30.0] }?;

    // A consumer in any language takes the two structs by pointer. Here the consumer is this program.
    let (schema, mut array) = frame.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default())?;
    let options = ImportOptions { copy: CopyPolicy::Never, validate: Validation::Full };
    let received = DataFrame::from_arrow_c(&schema, &mut array, &options)?;
    println!("received without a copy: {}", received.equals(&frame)?);

    // Neither side can change what the other reads: a write works on a copy.
    let changed = received.with_column("x", col("x") * 2)?;
    println!("sum of x: {} there, {} here", sum(&changed)?, sum(&frame)?);

    // DLPack: one dtype, no nulls, one column as a tensor of one dimension.
    let mut tensor = frame.column("y")?.to_dlpack(&TensorRequest::default())?;
    let y = Series::from_dlpack(&mut tensor, CopyPolicy::Never)?;
    println!("y: {:?}", y.to_vec::<f64>()?);
    Ok(())
}

fn sum(frame: &DataFrame) -> columnade::Result<Scalar> {
    frame.column("x")?.sum()
}
