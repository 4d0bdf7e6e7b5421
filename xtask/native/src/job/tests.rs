use super::*;

/// A folder of its own for a test, removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("columnade-native-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Stands in for a compiler: the object is a line longer after every run; every source includes `header.h`.
const COMPILER: &str = r#"
while [ $# -gt 0 ]; do
  case $1 in
    -MF) rule=$2; shift ;;
    -c) source=$2; shift ;;
    -o) object=$2; shift ;;
  esac
  shift
done
grep -q wrong "$source" && { echo "$source is wrong"; exit 1; }
echo compiled >> "$object"
echo "$object: $source $(dirname "$source")/header.h" > "$rule"
"#;

/// How often an object was compiled.
fn runs(job: &Job) -> usize {
    fs::read_to_string(&job.object).unwrap().lines().count()
}

fn job(folder: &Folder, options: &[&str]) -> Job {
    let compiler = folder.write("compiler.sh", COMPILER);
    let mut argv = vec!["sh".to_owned(), compiler.display().to_string()];
    argv.extend(options.iter().map(ToString::to_string));
    Job { source: folder.0.join("a.cu"), object: folder.0.join("objects/a.o"), argv }
}

#[test]
fn objects_are_rebuilt_only_after_changes() {
    let folder = Folder::new("fresh");
    folder.write("a.cu", "");
    let header = folder.write("header.h", "");
    let plain = job(&folder, &[]);
    for _ in 0..2 {
        compile(std::slice::from_ref(&plain), &folder.0).unwrap();
        assert_eq!(runs(&plain), 1);
    }
    let later = SystemTime::now() + std::time::Duration::from_secs(10);
    fs::File::open(&header).unwrap().set_modified(later).unwrap();
    compile(std::slice::from_ref(&plain), &folder.0).unwrap();
    assert_eq!(runs(&plain), 2, "a header changed");
    fs::File::open(&header).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    compile(&[job(&folder, &["-O2"])], &folder.0).unwrap();
    assert_eq!(runs(&plain), 3, "the command line changed");
}

#[test]
fn every_failed_source_is_named() {
    let folder = Folder::new("wrong");
    let mut jobs = [job(&folder, &[]), job(&folder, &[])];
    for (job, name) in jobs.iter_mut().zip(["one", "two"]) {
        job.source = folder.write(name, "wrong");
        job.object = folder.0.join(name).with_extension("o");
    }
    let text = compile(&jobs, &folder.0).unwrap_err().to_string();
    assert!(text.contains("one is wrong") && text.contains("two is wrong"), "{text}");
}

#[test]
fn dependencies_are_prerequisites_of_make_rule() {
    let rule = "out/a.o: src/a.cu \\\n include/b.h include/with\\ blank.h\n";
    let expected = ["src/a.cu", "include/b.h", "include/with blank.h"].map(PathBuf::from);
    assert_eq!(parse_dependencies(rule).unwrap(), expected);
    assert!(parse_dependencies("").is_none());
}

#[test]
fn missing_compiler_is_one_sentence_error() {
    let folder = Folder::new("missing");
    let argv = vec!["no-such-compiler-anywhere".to_owned()];
    let job = Job { source: folder.write("a.cpp", ""), object: folder.0.join("a.o"), argv };
    let error = compile(&[job], &folder.0).unwrap_err();
    assert_eq!(error.to_string(), "the simulator needs a C++17 compiler: install g++ or set CXX");
}
