//! The instruction forms of the kernels, as nvcc compiles them: a committed list, so that an upgrade of nvcc or
//! CUB, or a new kernel, says what is new.

use std::collections::BTreeSet;
use std::fmt::Write;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../buffers/ptx/forms.txt");
/// Set to 1, it makes the test write the list.
const UPDATE: &str = "COLUMNADE_TEST_UPDATE_FORMS";

#[test]
fn instruction_forms_are_those_of_the_list() {
    // Every object is parsed: a form that the machine does not know is an error with its line.
    let coverage = columnade_sim_sys::ptx::coverage().unwrap_or_else(|error| panic!("{error}"));
    let found: BTreeSet<String> = coverage.forms.into_keys().collect();
    if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
        let list = found.iter().fold(String::new(), |mut list, form| {
            let _ = writeln!(list, "{form}");
            list
        });
        std::fs::write(LIST, list).unwrap();
    }
    let listed = std::fs::read_to_string(LIST).unwrap();
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new forms: {new:?}, forms that are gone: {gone:?}. Update buffers/ptx/forms.txt with {UPDATE}=1 and this \
         test; a new form needs a test in columnade-ptx, which its suite then asks for"
    );
}
