//! An opcode with its modifiers, of which each must be understood.

use super::Result;
use crate::program::{Order, Space, Type};

/// `ld.global.v2.u64`: the opcode and what follows it, less what was taken.
pub(super) struct Form<'a> {
    pub(super) opcode: &'a str,
    pub(super) base: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Form<'a> {
    pub(super) fn new(opcode: &'a str) -> Self {
        let mut parts = opcode.split('.');
        let base = parts.next().unwrap_or(opcode);
        Self { opcode, base, rest: parts.collect() }
    }

    /// The modifiers that were not taken.
    pub(super) fn rest(&self) -> &[&'a str] {
        &self.rest
    }

    pub(super) fn take(&mut self, modifier: &str) -> bool {
        let found = self.rest.iter().position(|part| *part == modifier);
        if let Some(at) = found {
            self.rest.remove(at);
        }
        found.is_some()
    }

    /// The first of the choices that is there.
    pub(super) fn choose<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        choices.iter().find(|(name, _)| self.take(name)).map(|choice| choice.1)
    }

    /// The type at the end.
    pub(super) fn ty(&mut self) -> Result<Type> {
        let ty = self.rest.last().and_then(|name| Type::named(name)).ok_or_else(|| self.unknown())?;
        self.rest.pop();
        Ok(ty)
    }

    pub(super) fn space(&mut self) -> Space {
        let spaces = [
            ("global", Space::Global),
            ("const", Space::Global),
            ("shared", Space::Shared),
            ("shared::cta", Space::Shared),
            ("local", Space::Local),
            ("param", Space::Param),
        ];
        self.choose(&spaces).unwrap_or(Space::Generic)
    }

    /// Memory order and scope. Atomics are relaxed where they do not say more.
    pub(super) fn order(&mut self, is_atomic: bool) -> Order {
        let strong = |acquire, release| Order { strong: true, acquire, release };
        let orders = [
            ("weak", Order::WEAK),
            ("volatile", Order::RELAXED),
            ("relaxed", Order::RELAXED),
            ("acquire", strong(true, false)),
            ("release", strong(false, true)),
            ("acq_rel", strong(true, true)),
        ];
        let order = self.choose(&orders);
        self.choose(&[("cta", ()), ("cluster", ()), ("gpu", ()), ("sys", ())]);
        order.unwrap_or(if is_atomic { Order::RELAXED } else { Order::WEAK })
    }

    /// Advice to caches, which changes no result.
    pub(super) fn skip_cache_hints(&mut self) {
        const HINTS: [&str; 14] = [
            "ca",
            "cg",
            "cs",
            "lu",
            "cv",
            "wb",
            "wt",
            "L1::evict_normal",
            "L1::evict_first",
            "L1::evict_last",
            "L1::no_allocate",
            "L2::64B",
            "L2::128B",
            "L2::256B",
        ];
        self.rest.retain(|part| !HINTS.contains(part));
    }

    /// An error unless every modifier was taken.
    pub(super) fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.unknown()) }
    }

    pub(super) fn unknown(&self) -> String {
        format!("unknown form {}", self.opcode)
    }
}
