//! Prices of two shares over days: returns, moving averages by share, and a summary of each month.
//!
//! `cargo run --release --example time_series`

use columnade::date_range;
use columnade::prelude::*;

fn main() -> columnade::Result<()> {
    let days = date_range(&DType::Date32, "2026-01-29", "2026-02-03", "D")?.to_vec::<Date>()?;
    let prices = df! {
        "day" => days.iter().chain(&days).copied().collect::<Vec<_>>(),
        "share" => ["A", "A", "A", "A", "A", "A", "B", "B", "B", "B", "B", "B"],
        "price" => [10.0, 10.5, 10.0, 11.0, 11.5, 12.0, 50.0, 49.0, 49.5, 51.0, 50.0, 52.0],
    }?;

    // `over` computes by share and keeps every row.
    let trends = prices.select((
        "day",
        "share",
        "price",
        col("price").pct_change(1).over("share").round(4).alias("return"),
        col("price").rolling_mean(3).over("share").round(2).alias("mean of 3"),
    ))?;
    println!("{trends}");

    let months = prices
        .group_by(("share", col("day").dt().truncate("1mo").alias("month")))
        .agg((col("price").last().alias("close"), col("price").max().alias("high")))?
        .sort_values(["share", "month"])?;
    println!("{months}");
    Ok(())
}
