//! Regular expressions as tables of states, for devices.

use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::StartKind;
use regex_automata::dfa::dense::{BuildError, Builder, Config, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use std::collections::HashMap;

/// Bytes of the states of an automaton at most: determinism can make an automaton exponentially larger than its pattern, and
/// each call copies it to the device. A few Unicode classes fit.
pub(super) const MOST_BYTES: usize = 1 << 20;

/// The same while it is built, with states of four bytes and a power of two.
const MOST_BYTES_OF_BUILD: usize = 4 * MOST_BYTES;

/// Why there is no automaton of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strings) enum Unsupported {
    /// The characters on both sides decide, not one byte.
    WordBoundary,
    /// It would have more than [`MOST_BYTES`].
    Size,
}

/// A deterministic automaton over bytes that finds leftmost matches, or, of reversed strings, where they begin.
///
/// The words are the start states by the byte before the string and without one, the classes of the bytes and of the end,
/// and the next states by state and class; `automaton.cuh` has the same layout.
#[derive(Debug)]
pub(in crate::strings) struct Automaton {
    words: Vec<u16>,
    stride: i32,
}

/// Set in a next state that is reached by the byte after a match.
const MATCHED: u16 = 0x8000;

/// State 0 has no way to a match.
const DEAD: u16 = 0;

/// Which way strings are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From a position to the end of the leftmost match after it.
    Forward,
    /// From the end of a match to where the longest one before it begins.
    Reverse,
}

impl Automaton {
    pub(super) fn new(pattern: &str, direction: Direction) -> Result<Self, Unsupported> {
        let (start_kind, match_kind, anchored) = match direction {
            Direction::Forward => (StartKind::Unanchored, MatchKind::LeftmostFirst, Anchored::No),
            Direction::Reverse => (StartKind::Anchored, MatchKind::All, Anchored::Yes),
        };
        let config = Config::new()
            .start_kind(start_kind)
            .match_kind(match_kind)
            .accelerate(false)
            .dfa_size_limit(Some(MOST_BYTES_OF_BUILD))
            .determinize_size_limit(Some(MOST_BYTES_OF_BUILD));
        let reverse = direction == Direction::Reverse;
        let nfa = thompson::Config::new().reverse(reverse).which_captures(WhichCaptures::None);
        let built: Result<DFA<Vec<u32>>, BuildError> =
            Builder::new().configure(config).thompson(nfa).build(pattern);
        let dfa = built.map_err(|error| {
            if error.is_size_limit_exceeded() { Unsupported::Size } else { Unsupported::WordBoundary }
        })?;
        Self::of(&dfa, anchored)
    }

    fn of(dfa: &DFA<Vec<u32>>, anchored: Anchored) -> Result<Self, Unsupported> {
        let classes = dfa.byte_classes();
        let stride = classes.alphabet_len();
        // A byte of each class; the last class is that of the end.
        let mut bytes = vec![0; stride - 1];
        for byte in (0..=u8::MAX).rev() {
            bytes[usize::from(classes.get(byte))] = byte;
        }
        let mut states = States { dfa, number_of: HashMap::new(), all: Vec::new() };
        let starts = (0..=u8::MAX).map(Some).chain([None]).map(|byte| {
            let config = start::Config::new().look_behind(byte).anchored(anchored);
            // No start state is missing: only bytes at which a search gives up have none.
            dfa.start_state(&config).map_err(|_| Unsupported::WordBoundary)
        });
        let mut words = Vec::new();
        for start in starts {
            words.push(states.number(start?)?);
        }
        words.extend((0..=u8::MAX).map(|byte| u16::from(classes.get(byte))));
        words.push((stride - 1) as u16);
        // State 0.
        words.extend(std::iter::repeat_n(DEAD, stride));
        let mut at = 0;
        while let Some(&state) = states.all.get(at) {
            for &byte in &bytes {
                words.push(states.next(dfa.next_state(state, byte))?);
            }
            words.push(states.next(dfa.next_eoi_state(state))?);
            if size_of_val(words.as_slice()) > MOST_BYTES {
                return Err(Unsupported::Size);
            }
            at += 1;
        }
        Ok(Self { words, stride: stride as i32 })
    }

    pub(in crate::strings) fn words(&self) -> &[u16] {
        &self.words
    }

    /// The classes of a state.
    pub(in crate::strings) fn stride(&self) -> i32 {
        self.stride
    }
}

/// The states that can be reached, numbered in the order in which they are.
struct States<'a> {
    dfa: &'a DFA<Vec<u32>>,
    number_of: HashMap<StateID, u16>,
    /// That of number `i + 1` is at `i`.
    all: Vec<StateID>,
}

impl States<'_> {
    fn number(&mut self, state: StateID) -> Result<u16, Unsupported> {
        if self.dfa.is_dead_state(state) {
            return Ok(DEAD);
        }
        if let Some(&number) = self.number_of.get(&state) {
            return Ok(number);
        }
        self.all.push(state);
        let number = u16::try_from(self.all.len()).ok().filter(|number| *number < MATCHED);
        let number = number.ok_or(Unsupported::Size)?;
        self.number_of.insert(state, number);
        Ok(number)
    }

    fn next(&mut self, state: StateID) -> Result<u16, Unsupported> {
        let matched = if self.dfa.is_match_state(state) { MATCHED } else { 0 };
        Ok(self.number(state)? | matched)
    }
}
