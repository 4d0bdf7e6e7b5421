//! Whether every public function that can fail has a case.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Functions without a case, and why.
const WITHOUT: [(&str, &str); 43] = [
    ("dataframe::construct::empty", "fails only where COLUMNADE_DEVICE names a device that is not there"),
    ("options::default_exec", "fails only where COLUMNADE_DEVICE names a device that is not there"),
    ("dataframe::to_exec", "takes the context of a device that is there, and shares memory on its own"),
    ("dataframe::arrow_c::dtype", "cannot fail: the schema was understood"),
    ("dataframe::copy::shallow_copy", "allocates nothing on the host"),
    ("frame::shallow_copy", "allocates nothing on the host"),
    ("indexed_frame::shallow_copy", "allocates nothing on the host"),
    ("series::copy::shallow_copy", "allocates nothing on the host"),
    ("dataframe::select::head", "allocates nothing, and is cut at the last row"),
    ("dataframe::select::tail", "allocates nothing, and is cut at the last row"),
    ("series::head", "allocates nothing, and is cut at the last row"),
    ("series::tail", "allocates nothing, and is cut at the last row"),
    ("dataframe::difference::difference", "allocates nothing on the host"),
    ("series::null_count", "allocates nothing on the host"),
    ("series::reduce::count", "allocates nothing on the host"),
    ("index::inferred_freq::inferred_freq", "allocates nothing on the host"),
    ("index::interval::left", "allocates nothing on the host"),
    ("index::interval::right", "allocates nothing on the host"),
    ("index::multi::levels", "fails only where memory runs out"),
    ("index::multi::codes", "fails only where memory runs out"),
    ("index::slice", "allocates nothing, and is cut at the last label"),
    ("index::identical", "casts nothing, and so allocates nothing on the host"),
    ("index::is_monotonic_increasing", "allocates nothing on the host"),
    ("index::is_monotonic_decreasing", "allocates nothing on the host"),
    ("index::has_nulls", "allocates nothing on the host"),
    ("index::build::from_series", "allocates nothing on the host"),
    ("index::build::to_scalars", "allocates nothing on the host"),
    ("series::to_scalars", "allocates nothing on the host"),
    ("dataframe::info::info", "allocates nothing on the host"),
    ("dataframe::markup::to_string_with", "allocates nothing on the host"),
    ("dataframe::markup::to_html", "allocates nothing on the host"),
    ("dataframe::markup::to_markdown", "allocates nothing on the host"),
    ("series::tensor::from_cuda_array", "describes memory of devices only"),
    ("io::scan::no_rows", "fails only where memory runs out"),
    ("io::parquet::read::scan::no_rows", "fails only where memory runs out"),
    ("io::parquet::write::append", "as ParquetWriter::create"),
    ("io::parquet::write::finish", "as ParquetWriter::create"),
    ("io::csv::write::finish", "as CsvWriter::create"),
    ("io::json::write::finish", "as JsonWriter::create"),
    ("io::ipc::write::finish", "as IpcWriter::create"),
    ("io::ipc::message::batch_of_stream", "as IpcReader::read"),
    ("io::parquet::read::read_with_statistics", "as ParquetReader::read"),
    ("io::parquet::write::dataset::write_dataset_with", "as DataFrame::write_dataset"),
];

#[test]
fn every_fallible_function_has_case() {
    let mut found = BTreeSet::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    assert!(found.len() > 60, "the sources are not where they were: {found:?}");
    let with_case: BTreeSet<String> = super::cases().iter().map(|case| case.function.to_owned()).collect();
    let without: BTreeSet<String> = WITHOUT.iter().map(|(function, _)| (*function).to_owned()).collect();
    let both: Vec<_> = with_case.intersection(&without).collect();
    assert!(both.is_empty(), "with a case all the same: {both:#?}");
    let known: BTreeSet<String> = with_case.union(&without).cloned().collect();
    let missing: Vec<_> = found.difference(&known).collect();
    assert!(missing.is_empty(), "without a case: {missing:#?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "no function of the sources: {gone:#?}");
}

/// Every `pub fn` below `folder` that returns a `Result`, with the path of its module.
fn collect(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.is_dir() {
            collect(&path, &format!("{module}{name}::"), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let module =
                if matches!(name, "mod" | "lib") { module.to_owned() } else { format!("{module}{name}::") };
            let source = fs::read_to_string(&path).expect("a source");
            found.extend(fallible(&source).map(|function| format!("{module}{function}")));
        }
    }
}

/// The names of the public functions of a source that return a `Result`, those that `operations!` makes too.
fn fallible(source: &str) -> impl Iterator<Item = &str> {
    let starts = source.match_indices("pub fn ").map(|(at, start)| &source[at + start.len()..]);
    let functions = starts.filter_map(|rest| {
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let (_, output) = rest.split(['{', ';']).next()?.rsplit_once("->")?;
        (output.contains("Result") && !name.is_empty()).then_some(name)
    });
    let made = source.split("operations! {").skip(1).filter_map(|made| made.split("\n}").next());
    let made = made.flat_map(|made| {
        made.lines().filter_map(|line| line.split_once(" => ")?.0.split_whitespace().last())
    });
    functions.chain(made)
}
