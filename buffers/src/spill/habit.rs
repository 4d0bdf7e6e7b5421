//! What uses have in common, learnt from what came back.

use crate::owner::{Absence, Guess};
use crate::sync::global::{AtomicI32, AtomicU64, Ordering};

/// Which guess at the next use holds of allocations whose own rhythm is not known.
///
/// Of what is used in turn and does not fit, the longest unused is the worst victim, for it is wanted first: then the
/// last used leaves. Which of the two is right shows when a victim is wanted again. While it was away others were used:
/// most of those at home if the choice was good, few if it was bad.
///
/// # Source
///
/// The idea of letting two policies compete by what each missed is that of adaptive insertion (Qureshi et al., ISCA
/// 2007) and of EELRU (Smaragdakis et al., SIGMETRICS 1999).
#[derive(Debug, Default)]
pub(super) struct Habit {
    /// For recency where positive, for turns where negative.
    evidence: AtomicI32,
    /// The time between two uses of what came back last.
    turn: AtomicU64,
}

/// More evidence is not kept, so that a change of habits shows soon.
const MOST: i32 = 2;

impl Habit {
    /// How long a turn takes where all allocations are used in turn.
    pub(super) fn turn(&self) -> Option<u64> {
        (self.evidence.load(Ordering::Relaxed) < 0).then(|| self.turn.load(Ordering::Relaxed))
    }

    /// A victim is wanted again `now`, and of `asked` allocations at home `used` were used while it was away.
    ///
    /// Of two threads at once one may be forgotten: no more than an estimate is lost.
    pub(super) fn learn(&self, absence: Absence, now: u64, (asked, used): (usize, usize)) {
        self.turn.store(now.saturating_sub(absence.used_before), Ordering::Relaxed);
        if asked == 0 {
            return;
        }
        let was_right = 2 * used >= asked;
        let step = if was_right == (absence.guess == Guess::Recency) { 1 } else { -1 };
        let evidence = self.evidence.load(Ordering::Relaxed);
        self.evidence.store((evidence + step).clamp(-MOST, MOST), Ordering::Relaxed);
    }
}

#[cfg(test)]
#[cfg(not(shuttle))]
mod tests {
    use super::*;

    fn after(returns: &[(Guess, usize)]) -> Option<u64> {
        let habit = Habit::default();
        for &(guess, used) in returns {
            habit.learn(Absence { guess, used_before: 100, left: 150 }, 180, (10, used));
        }
        habit.turn()
    }

    #[test]
    fn what_is_missed_at_once_was_the_wrong_guess() {
        assert_eq!(after(&[]), None, "recency to begin with");
        assert_eq!(after(&[(Guess::Recency, 0)]), Some(80), "the longest unused was wanted first");
        assert_eq!(after(&[(Guess::Recency, 10)]), None);
        assert_eq!(after(&[(Guess::Turns, 10)]), Some(80), "the last used stayed away for a turn");
        assert_eq!(after(&[(Guess::Recency, 0), (Guess::Turns, 0)]), None);
    }

    #[test]
    fn a_long_habit_ends_soon() {
        let mut returns = vec![(Guess::Recency, 0); 100];
        assert_eq!(after(&returns), Some(80));
        returns.extend([(Guess::Turns, 0); 2]);
        assert_eq!(after(&returns), None);
    }

    #[test]
    fn who_could_ask_nobody_learns_nothing() {
        let habit = Habit::default();
        habit.learn(Absence { guess: Guess::Recency, used_before: 1, left: 2 }, 3, (0, 0));
        assert_eq!(habit.turn(), None);
    }
}
