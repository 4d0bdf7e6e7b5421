//! Columnade for C: the functions of `include/columnade.h`, which documents them.
//!
//! [`entry!`](entry::entry) makes each function: its arguments become values of Rust or an error, its body is safe and
//! returns a `Result`, and neither an error nor a panic leaves it except as a code and a message. What C calls a table is a
//! [`DataFrame`](columnade::DataFrame), a column is a [`Series`](columnade::Series); a handle is a box with one.

/// Handles are shared by threads, and destroyed by any of them.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<columnade::DataFrame>();
    shared::<columnade::Series>();
    shared::<columnade::Exec>();
    shared::<stream::Mark>();
    shared::<stream::Memory>();
    shared::<expression::Expression>();
    shared::<files::Scan>();
    shared::<files::Writer>();
};

mod argument;
mod arrow;
mod column;
mod device;
mod dlpack;
mod entry;
mod error;
mod expression;
mod files;
mod foreign;
mod frame;
mod options;
mod place;
mod progress;
mod stream;
mod table;
mod text;
