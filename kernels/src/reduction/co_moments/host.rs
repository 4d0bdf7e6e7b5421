//! Host implementation of `co_moments`: a product of matrices, of columns that are packed row by row.

use super::{Shape, TILE_ROWS, pair_columns, pair_row};
use crate::bits::BitSlice;
use crate::parallel::for_each_part;
use crate::{Result, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;

/// Columns of a panel, and of a block of panels.
const PANEL: usize = 8;
const BLOCK: usize = 64;

/// A row of a panel.
type Lanes = [f64; PANEL];

/// The sums of a pair in a segment: of the products, of x, of y, of their squares, and the number of rows. Without masks only
/// the first one, and on the diagonal the second.
type Sums = [f64; 6];

struct Source<'a> {
    values: &'a [f64],
    valid: Option<BitSlice<'a>>,
    center: f64,
}

pub(super) fn co_moments(
    columns: &[ViewGuard<'_>],
    centers: &ViewGuard<'_>,
    shape: Shape,
    exec: &Exec,
) -> Result<[Buffer; 6]> {
    let is_center = centers.validity();
    let sources: Vec<Source<'_>> = columns
        .iter()
        .zip(centers.values::<f64>().iter().enumerate())
        .map(|(guard, (column, &center))| Source {
            values: guard.values::<f64>(),
            valid: guard.validity(),
            center: if is_center.is_none_or(|valid| valid.get(column)) { center } else { 0.0 },
        })
        .collect();
    let mut partial = Buffer::uninit(shape.segments() * shape.pairs * size_of::<Sums>(), exec)?;
    let mut partial = partial.write(exec)?;
    let partial = &mut partial.as_mut_slice::<f64>()[..shape.segments() * shape.pairs * 6];
    let (partial, _) = partial.as_chunks_mut::<6>();
    for_each_part(tasks(partial, sources.len(), shape), |_, task| task.run(&sources, shape));
    fold(partial, shape, exec)
}

/// The sums of the pairs of a block of columns with those before them, and with each other, in one segment.
struct Task<'a> {
    rows: Range<usize>,
    block: Range<usize>,
    sums: &'a mut [Sums],
}

fn tasks(partial: &mut [Sums], columns: usize, shape: Shape) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    if shape.pairs == 0 {
        return tasks;
    }
    for (segment, mut sums) in partial.chunks_mut(shape.pairs).enumerate() {
        let first = segment * shape.segment_rows;
        let rows = first..(first + shape.segment_rows).min(shape.rows);
        for start in (0..columns).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(columns);
            // The rows of a triangle follow each other.
            let (mine, rest) = sums.split_at_mut(pair_row(block.end, 0) - pair_row(block.start, 0));
            sums = rest;
            tasks.push(Task { rows: rows.clone(), block, sums: mine });
        }
    }
    tasks
}

impl Task<'_> {
    fn run(self, sources: &[Source<'_>], shape: Shape) {
        let Task { rows, block, sums } = self;
        sums.fill([0.0; 6]);
        let sources = &sources[..block.end];
        let mut panels: Vec<Panel> = sources.chunks(PANEL).map(|_| Panel::new(shape.is_masked)).collect();
        let first_pair = pair_row(block.start, 0);
        let kinds = if shape.is_masked { 6 } else { 1 };
        for start in rows.clone().step_by(TILE_ROWS) {
            let tile = start..(start + TILE_ROWS).min(rows.end);
            for (panel, sources) in panels.iter_mut().zip(sources.chunks(PANEL)) {
                panel.pack(sources, tile.clone());
            }
            for (p, left) in panels.iter().enumerate().skip(block.start / PANEL) {
                for (q, right) in panels[..=p].iter().enumerate() {
                    let width = PANEL.min(sources.len() - p * PANEL);
                    let products = left.products(right, tile.len(), width, kinds);
                    for lane in 0..width {
                        let column = p * PANEL + lane;
                        let row = pair_row(column, q * PANEL) - first_pair;
                        let others = PANEL.min(column + 1 - q * PANEL);
                        for (other, sums) in sums[row..row + others].iter_mut().enumerate() {
                            for (sum, product) in sums.iter_mut().zip(&products).take(kinds) {
                                *sum += product[lane][other];
                            }
                        }
                    }
                }
                if !shape.is_masked {
                    let totals = left.totals(tile.len());
                    for (column, total) in (p * PANEL..sources.len()).zip(totals) {
                        sums[pair_row(column, column) - first_pair][1] += total;
                    }
                }
            }
        }
    }
}

/// Some columns, row by row: deviations, which are 0 where null; with masks their squares, and 1 where valid.
struct Panel {
    x: Vec<Lanes>,
    squares: Vec<Lanes>,
    valid: Vec<Lanes>,
}

impl Panel {
    fn new(is_masked: bool) -> Self {
        let lanes = |rows| vec![[0.0; PANEL]; rows];
        let masked = if is_masked { TILE_ROWS } else { 0 };
        Self { x: lanes(TILE_ROWS), squares: lanes(masked), valid: lanes(masked) }
    }

    fn pack(&mut self, sources: &[Source<'_>], rows: Range<usize>) {
        for (lane, source) in sources.iter().enumerate() {
            for (x, value) in self.x.iter_mut().zip(&source.values[rows.clone()]) {
                x[lane] = value - source.center;
            }
            if self.valid.is_empty() {
                continue;
            }
            match source.valid {
                None => self.valid.iter_mut().for_each(|valid| valid[lane] = 1.0),
                Some(bits) => {
                    for ((x, valid), row) in self.x.iter_mut().zip(&mut self.valid).zip(rows.clone()) {
                        valid[lane] = if bits.get(row) { 1.0 } else { 0.0 };
                        x[lane] = if bits.get(row) { x[lane] } else { 0.0 };
                    }
                }
            }
        }
        for (square, x) in self.squares.iter_mut().zip(&self.x) {
            *square = x.map(|x| x * x);
        }
    }

    /// The sums of products of each of the first `width` columns with each of another panel, by kind as in [`Sums`].
    fn products(&self, other: &Self, rows: usize, width: usize, kinds: usize) -> [[Lanes; PANEL]; 6] {
        let mut sums = [[[0.0; PANEL]; PANEL]; 6];
        let factors = [
            (&self.x, &other.x),
            (&self.x, &other.valid),
            (&self.valid, &other.x),
            (&self.squares, &other.valid),
            (&self.valid, &other.squares),
            (&self.valid, &other.valid),
        ];
        for ((left, right), sums) in factors.into_iter().zip(&mut sums).take(kinds) {
            products(&left[..rows], &right[..rows], width, sums);
        }
        sums
    }

    /// The sum of the deviations of each column.
    fn totals(&self, rows: usize) -> Lanes {
        let mut totals = [0.0; PANEL];
        for x in &self.x[..rows] {
            for (total, x) in totals.iter_mut().zip(x) {
                *total += x;
            }
        }
        totals
    }
}

vectorised! {
    /// The sums of the products of the first `width` lanes on the left and each on the right, row by row. Half of the left
    /// lanes at a time: their sums stay in registers.
    fn products[](left: &[Lanes], right: &[Lanes], width: usize, out: &mut [Lanes; PANEL]) -> () {
        const HALF: usize = PANEL / 2;
        for (half, out) in out.chunks_exact_mut(HALF).enumerate().take(width.div_ceil(HALF)) {
            let mut sums = [[0.0; PANEL]; HALF];
            for (left, right) in left.iter().zip(right) {
                for lane in 0..HALF {
                    for other in 0..PANEL {
                        sums[lane][other] += left[half * HALF + lane] * right[other];
                    }
                }
            }
            out.copy_from_slice(&sums);
        }
    }
}

/// Adds up the sums of segments, in their order: columns of the pairs in the order of [`CoMoments`](super::CoMoments).
fn fold(partial: &[Sums], shape: Shape, exec: &Exec) -> Result<[Buffer; 6]> {
    let column = |kind: usize, place: fn(usize, usize) -> usize| {
        morsel::build_values(shape.pairs, exec, |rows, out| {
            let (mut i, mut j) = pair_columns(rows.start);
            for out in out {
                let sums = partial.iter().skip(place(i, j)).step_by(shape.pairs);
                *out = sums.fold(0.0, |sum, sums| sum + sums[kind]);
                (i, j) = if j == i { (i + 1, 0) } else { (i, j + 1) };
            }
        })
    };
    if shape.is_masked {
        let of = |kind| column(kind, pair_row);
        return Ok([of(5)?, of(1)?, of(2)?, of(3)?, of(4)?, of(0)?]);
    }
    #[expect(clippy::cast_precision_loss, reason = "numbers of rows below 2^53")]
    let rows = shape.rows as f64;
    let n = morsel::build_values(shape.pairs, exec, |_, out| out.fill(rows))?;
    let (of_x, of_y) = (|i, _| pair_row(i, i), |_, j| pair_row(j, j));
    Ok([n, column(1, of_x)?, column(1, of_y)?, column(0, of_x)?, column(0, of_y)?, column(0, pair_row)?])
}
