//! What the trials came to.

use std::fmt;

use columnade::Device;

/// What became of the failures of all operations.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<Line>,
}

/// What became of the failures of one operation on one device.
pub(crate) struct Line {
    device: Device,
    operator: &'static str,
    /// Steps of one run without a failure, under each budget.
    pub(crate) steps: Vec<u64>,
    /// Runs in which steps failed, by what came out.
    pub(crate) answers: u64,
    pub(crate) errors: u64,
    lost: u64,
    /// Steps that the choice left out.
    pub(crate) left_out: u64,
}

impl Report {
    pub(crate) fn begin(&mut self, device: Device, operator: &'static str) -> &mut Line {
        self.lines.push(Line {
            device,
            operator,
            steps: Vec::new(),
            answers: 0,
            errors: 0,
            lost: 0,
            left_out: 0,
        });
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.lines.iter().all(|line| line.lost == 0)
    }
}

impl Line {
    /// Says what was lost when `failed` failed.
    pub(crate) fn lost(&mut self, failed: &str, what: &str) {
        self.lost += 1;
        println!("LOST {} on {}, {failed}: {what}", self.operator, self.device);
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, operator, steps, answers, errors, lost, .. } = self;
        let steps = steps.iter().map(u64::to_string).collect::<Vec<_>>().join("/");
        write!(f, "{:<8}{operator:<40} {steps:>16} steps: ", device.to_string())?;
        write!(f, "{answers:>4} right answers, {errors:>4} errors, {lost} lost")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&Line) -> u64| self.lines.iter().map(of).sum::<u64>();
        let (survived, lost) = (sum(|line| line.answers + line.errors), sum(|line| line.lost));
        let (left_out, steps) = (sum(|line| line.left_out), sum(|line| line.steps.iter().sum()));
        if left_out > 0 {
            writeln!(f, "sampled: {} of {steps} steps; --all makes each of them fail", steps - left_out)?;
        }
        write!(f, "faults: {} injected, {survived} survived, {lost} lost", survived + lost)
    }
}
