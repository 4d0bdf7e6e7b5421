//! A warp: lanes that branched apart are splits of it, which meet again at the post-dominator of the branch.

use crate::arithmetic::Lanes;
use crate::program::NONE;

/// Why a split does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SplitState {
    Ready,
    /// At the block's barrier of that number.
    AtBarrier(usize),
    /// At a collective, for lanes that its mask names.
    AtCollective,
}

/// Where a call returns to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) back: u32,
    pub(super) base: u32,
    pub(super) site: u32,
}

/// Lanes of a warp that are at the same instruction.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub(super) pc: u32,
    pub(super) mask: u32,
    /// The first slot of the running function's window.
    pub(super) base: u32,
    pub(super) function: u32,
    pub(super) state: SplitState,
    /// Where these lanes meet others: the instruction, the calls around it, and which meeting of the warp.
    pub(super) meet_at: u32,
    pub(super) meet_depth: u32,
    pub(super) meeting: u32,
    pub(super) frames: Vec<Frame>,
}

impl Split {
    pub(super) fn new(pc: u32, mask: u32, function: u32) -> Self {
        Self {
            pc,
            mask,
            base: 0,
            function,
            state: SplitState::Ready,
            meet_at: NONE,
            meet_depth: 0,
            meeting: NONE,
            frames: Vec::new(),
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.frames.len() as u32
    }
}

/// Lanes that wait for others of their warp.
struct Meeting {
    expected: u32,
    arrived: u32,
    /// How they go on.
    after: Split,
}

/// Instructions of a warp during which lanes wait for others to meet them before they go on alone.
const PATIENCE: u32 = 16_384;

pub(super) struct Warp {
    pub(super) registers: Vec<Lanes>,
    pub(super) local: Vec<u8>,
    pub(super) splits: Vec<Split>,
    meetings: Vec<Meeting>,
    /// Lanes that have not returned.
    pub(super) live: u32,
    /// The function and the place of the window above the kernel's whose constants are there.
    pub(super) filled: (u32, u32),
    /// Instructions since lanes last arrived at a meeting, counted at the end of a round.
    stalled: u32,
}

impl Warp {
    pub(super) fn new(slots: usize, local: usize) -> Self {
        Self {
            registers: vec![[0; 32]; slots],
            local: vec![0; local],
            splits: Vec::new(),
            meetings: Vec::new(),
            live: 0,
            filled: (NONE, NONE),
            stalled: 0,
        }
    }

    /// Begins a kernel.
    pub(super) fn begin(&mut self, live: u32, pc: u32, kernel: u32) {
        self.live = live;
        self.local.fill(super::GARBAGE);
        self.meetings.clear();
        self.stalled = 0;
        self.splits.clear();
        self.splits.push(Split::new(pc, live, kernel));
    }

    pub(super) fn has_ready(&self) -> bool {
        self.splits.iter().any(|split| split.state == SplitState::Ready)
    }

    /// Makes the lanes of a split meet at an instruction, after which they go on as they are now.
    pub(super) fn meet(&mut self, split: &mut Split, at: u32) {
        let mut after = split.clone();
        after.pc = at;
        let meeting = Meeting { expected: split.mask, arrived: 0, after };
        let free = self.meetings.iter().position(|meeting| meeting.expected == 0);
        let number = free.unwrap_or(self.meetings.len());
        if number == self.meetings.len() {
            self.meetings.push(meeting);
        } else {
            self.meetings[number] = meeting;
        }
        (split.meet_at, split.meet_depth, split.meeting) = (at, split.depth(), number as u32);
    }

    /// A split has come to its meeting place, and goes on at `pc` when all are there. Returns all that meet
    /// there if it is the last.
    pub(super) fn arrive(&mut self, split: &Split, pc: u32) -> Option<Split> {
        self.stalled = 0;
        let meeting = &mut self.meetings[split.meeting as usize];
        meeting.after.pc = pc;
        meeting.arrived |= split.mask;
        (meeting.arrived == meeting.expected).then(|| {
            meeting.after.mask = meeting.expected;
            meeting.expected = 0;
            meeting.after.clone()
        })
    }

    /// Puts a split away whose round of some instructions is over.
    pub(super) fn suspend(&mut self, split: Split, ran: u32) {
        self.splits.insert(0, split);
        self.stalled += ran;
        if self.stalled > PATIENCE {
            self.part();
        }
    }

    /// Lets lanes that wait at meetings go on without the others, since others may wait for them: hardware
    /// promises each lane progress. Whether there were any.
    pub(super) fn part(&mut self) -> bool {
        self.stalled = 0;
        let mut any = false;
        for meeting in &mut self.meetings {
            if meeting.expected != 0 && meeting.arrived != 0 {
                let mut early = meeting.after.clone();
                early.mask = meeting.arrived;
                meeting.expected &= !meeting.arrived;
                meeting.arrived = 0;
                self.splits.push(early);
                any = true;
            }
        }
        any
    }

    /// Lanes have returned: no lane waits for them.
    pub(super) fn leave(&mut self, mask: u32) {
        self.live &= !mask;
        for meeting in &mut self.meetings {
            if meeting.expected & mask == 0 {
                continue;
            }
            meeting.expected &= !mask;
            meeting.arrived &= !mask;
            if meeting.expected != 0 && meeting.arrived == meeting.expected {
                meeting.after.mask = meeting.expected;
                meeting.expected = 0;
                self.splits.push(meeting.after.clone());
            }
        }
    }
}
