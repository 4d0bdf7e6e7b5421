//! Whether every operation has an entry: what can fail and is public, in the sources of `ops` and `engine`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::operators;

/// Public functions that can fail, but not for want of memory: they look at arguments, or build what an entry runs.
const NO_MEMORY: &[&str] = &[
    "engine::dataframe::relabel::droplevel",
    "engine::dataframe::relabel::rename_levels",
    "engine::dataframe::relabel::swaplevel",
    "engine::dataframe::index::rename_axis",
    "engine::index::ranges::index_with_freq",
    "engine::index::rename",
    "engine::index::set_names",
    // In memory of the decoder alone.
    "engine::io::ipc::message::batch_of_stream",
    "engine::memory::manager",
    "engine::memory::options",
    "engine::memory::report",
    "engine::options::default_exec",
    "engine::options::set_default_device",
    "engine::series::index::rename_axis",
    "ops::expression::build::date",
    "ops::expression::build::lit_decimal",
    "ops::expression::example::show",
    "ops::expression::node::check_levels",
    "ops::expression::example::show_lists",
    "ops::expression::windowed::in_windows",
];

/// Layers whose every public function that returns a `Result` is an operation.
const LAYERS: [&str; 2] = ["ops", "engine"];

#[test]
fn every_operation_has_entry() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    for layer in LAYERS {
        collect(&workspace.join(layer).join("src"), layer, &mut found);
    }
    assert!(found.len() > 40, "the sources are not where they were: {found:?}");

    let in_layers = |name: &&str| LAYERS.iter().any(|layer| name.starts_with(&format!("{layer}::")));
    let entries = operators::all().flat_map(|operator| operator.of.iter().copied()).filter(in_layers);
    // What text shows of a table is an operation too, though its signature is that of `Display`.
    let entries = entries.filter(|name| !name.ends_with("::fmt"));
    let known: BTreeSet<String> = entries.chain(NO_MEMORY.iter().copied()).map(str::to_owned).collect();

    let missing: Vec<_> = found.difference(&known).collect();
    assert!(missing.is_empty(), "without an entry in tests/faults/operators: {missing:#?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "entries of what is not there any more: {gone:#?}");
}

/// Every `pub fn` below `folder` that returns a `Result`, with the path of its module.
fn collect(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.is_dir() {
            collect(&path, &format!("{module}::{name}"), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let module =
                if matches!(name, "mod" | "lib") { module.to_owned() } else { format!("{module}::{name}") };
            let source = fs::read_to_string(&path).unwrap_or_default();
            found.extend(fallible(&source).map(|function| format!("{module}::{function}")));
        }
    }
}

/// The names of the public functions of a source that return a `Result`. Those that a macro names are left out.
fn fallible(source: &str) -> impl Iterator<Item = &str> {
    source
        .split('\n')
        .scan(0, |at, line| {
            let rest = &source[*at..];
            *at += line.len() + 1;
            Some((line, rest))
        })
        .filter_map(|(line, rest)| {
            let name = line.trim_start().strip_prefix("pub fn ")?;
            let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            let signature = rest.split(['{', ';']).next()?;
            let (_, output) = signature.rsplit_once("->")?;
            (output.contains("Result") && !name.is_empty()).then_some(name)
        })
}
