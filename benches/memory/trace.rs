//! Sequences of allocations and uses of them, to be replayed under a limit.

use columnade_tests::Rng;
use std::collections::HashMap;

/// What happens to an allocation, by its number.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    Allocate(usize, usize),
    Read(usize),
    Write(usize),
    Free(usize),
}

pub(crate) struct Trace {
    pub(crate) name: &'static str,
    /// Bytes of the device to use.
    pub(crate) limit: usize,
    pub(crate) events: Vec<Event>,
    /// Events at the beginning whose traffic does not count: allocations, which are spilled when they are made.
    pub(crate) setup: usize,
}

const UNIT: usize = 16 << 10;

/// All traces, with `count` buffers in those that are made of a fixed set.
pub(crate) fn traces(count: usize) -> Vec<Trace> {
    let mut rng = Rng::new(7);
    let even = vec![UNIT; count];
    let mut below = |bound: usize| usize::try_from(rng.below(bound as u64)).unwrap_or(0);
    // A few buffers get most of the uses, as those of a hash table beside a scan.
    let skewed: Vec<usize> =
        (0..count * 20).map(|_| below(count).min(below(count)).min(below(count))).collect();
    let scan_and_table: Vec<usize> = (0..count * 10)
        .map(|at| if at % 2 == 0 { count / 4 + at / 2 % (count - count / 4) } else { below(count / 4) })
        .collect();
    let uneven: Vec<usize> = (0..count).map(|at| UNIT << (at % 4)).collect();
    let random: Vec<usize> = (0..count * 20).map(|_| below(count)).collect();
    let cyclic: Vec<usize> = (0..count * 10).map(|at| at % count).collect();
    let barely_over: Vec<usize> = (0..count * 10).map(|at| at % (count / 2 + 1)).collect();
    vec![
        reads("a loop", &even, &cyclic),
        reads("a loop that hardly does not fit", &even, &barely_over),
        reads("skewed uses", &even, &skewed),
        reads("a scan beside a table", &even, &scan_and_table),
        reads("random uses of uneven sizes", &uneven, &random),
        tpch(),
        notebook(),
    ]
}

/// Reads of buffers that together are twice as large as the limit.
fn reads(name: &'static str, sizes: &[usize], uses: &[usize]) -> Trace {
    let made = sizes.iter().enumerate().map(|(id, &bytes)| Event::Allocate(id, bytes));
    let events = made.chain(uses.iter().map(|&id| Event::Read(id))).collect();
    Trace { name, limit: sizes.iter().sum::<usize>() / 2, events, setup: sizes.len() }
}

/// TPC-H queries 1, 3 and 6 at scale 0.05, each loaded and run three times on the host under a limit of 8 MiB, about half
/// of what they use without one: every allocation, use and release of the example `tpch`, as its operators made them out
/// of core.
fn tpch() -> Trace {
    let number = |word: Option<&str>| word.and_then(|word| word.parse().ok()).unwrap_or(0);
    let event = |line: &str| {
        let mut words = line.split(' ');
        let (kind, id) = (words.next(), number(words.next()));
        match kind {
            Some("a") => Event::Allocate(id, number(words.next())),
            Some("w") => Event::Write(id),
            Some("f") => Event::Free(id),
            _ => Event::Read(id),
        }
    };
    let events = include_str!("traces/tpch-1-3-6.txt").lines().map(event).collect();
    Trace { name: "TPC-H 1, 3, 6", limit: 8 << 20, events, setup: 0 }
}

/// A session in a notebook: frames are filtered, extended, joined and grouped, mostly those made last; some are revisited
/// after a while, some deleted, some forgotten without being deleted. The limit is half of the most bytes that live.
fn notebook() -> Trace {
    const CELLS: usize = 160;
    let mut session = Session { rng: Rng::new(11), events: Vec::new(), sizes: HashMap::new(), next: 0 };
    let mut frames: Vec<Vec<usize>> =
        [256, 128, 64].map(|kib| (0..8).map(|_| session.allocate(kib << 10)).collect()).into();
    let base = frames.len();
    let mut deleted = vec![false; base];
    for _ in 0..CELLS {
        let at = session.choose(&deleted, base);
        let columns = frames[at].clone();
        let made: Vec<usize> = match session.below(100) {
            // A filter, of which a half to an eighth of the rows is left.
            0..35 => {
                let part = 2 << session.below(3);
                let mask = session.computed(&columns[..1], 64);
                let made = columns.iter().map(|&column| session.computed(&[column, mask], part)).collect();
                session.events.push(Event::Free(mask));
                made
            }
            // A column more.
            35..60 => {
                let second = columns[session.below(columns.len())];
                let made = session.computed(&[columns[0], second], 1);
                frames[at].push(made);
                continue;
            }
            // A join with another frame: row maps, then every column of both.
            60..75 => {
                let other = session.choose(&deleted, base);
                let map = session.computed(&[columns[0], frames[other][0]], 1);
                let both = columns.iter().chain(&frames[other][1..]).copied().collect::<Vec<_>>();
                let made = both.iter().take(12).map(|&column| session.like(map, column)).collect();
                session.events.push(Event::Free(map));
                made
            }
            // A group-by of a few columns.
            75..90 => columns.iter().take(3).map(|&column| session.computed(&[column], 32)).collect(),
            // All of it is looked at.
            _ => {
                session.events.extend(columns.iter().map(|&column| Event::Read(column)));
                continue;
            }
        };
        frames.push(made);
        deleted.push(false);
        let old = base + session.below(frames.len() - base);
        if session.below(10) < 6 && !deleted[old] {
            deleted[old] = true;
            session.events.extend(frames[old].iter().map(|&column| Event::Free(column)));
        }
    }
    let (mut live, mut peak, mut bytes) = (0, 0, HashMap::new());
    for event in &session.events {
        match *event {
            Event::Allocate(id, size) => {
                bytes.insert(id, size);
                live += size;
            }
            Event::Free(id) => live -= bytes.get(&id).copied().unwrap_or(0),
            Event::Read(_) | Event::Write(_) => {}
        }
        peak = peak.max(live);
    }
    Trace { name: "a notebook", limit: peak / 2, events: session.events, setup: 0 }
}

struct Session {
    rng: Rng,
    events: Vec<Event>,
    sizes: HashMap<usize, usize>,
    next: usize,
}

impl Session {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.rng.below(bound as u64)).unwrap_or(0)
    }

    /// A frame to work on: mostly one of the last three, now and then any, else one of the `base` first.
    fn choose(&mut self, deleted: &[bool], base: usize) -> usize {
        let live: Vec<usize> = (0..deleted.len()).filter(|&at| !deleted[at]).collect();
        match self.below(10) {
            0..6 => live[live.len() - 1 - self.below(live.len().min(3))],
            6..8 => live[self.below(live.len())],
            _ => self.below(base),
        }
    }

    fn allocate(&mut self, bytes: usize) -> usize {
        let (id, bytes) = (self.next, bytes.max(64));
        self.next += 1;
        self.sizes.insert(id, bytes);
        self.events.extend([Event::Allocate(id, bytes), Event::Write(id)]);
        id
    }

    /// A new column from others, of one `part`-th of the first one's bytes.
    fn computed(&mut self, from: &[usize], part: usize) -> usize {
        self.events.extend(from.iter().map(|&column| Event::Read(column)));
        self.allocate(self.sizes[&from[0]] / part)
    }

    /// The rows of `column` that `map` names.
    fn like(&mut self, map: usize, column: usize) -> usize {
        self.events.extend([Event::Read(map), Event::Read(column)]);
        self.allocate(self.sizes[&map])
    }
}
