//! What tells pkg-config and `CMake` how to use the library. Each file finds the prefix from where it lies, so that the prefix
//! can be moved.

use std::fs;
use std::io;
use std::path::Path;

use super::{VERSION, interface};

/// Writes the files of both into the folder of libraries.
pub(super) fn write(lib: &Path, needs_cpp: bool) -> io::Result<()> {
    let [pkg_config, cmake] = [lib.join("pkgconfig"), lib.join("cmake/Columnade")];
    fs::create_dir_all(&pkg_config)?;
    fs::create_dir_all(&cmake)?;
    let libraries = libraries(needs_cpp);
    let private: Vec<String> = libraries.iter().map(|name| format!("-l{name}")).collect();
    let private = private.join(" ");
    let shared = format!("Libs: -L${{libdir}} -lcolumnade\nLibs.private: {private}\n");
    fs::write(pkg_config.join("columnade.pc"), describe("columnade", &shared))?;
    let whole = format!("Libs: ${{libdir}}/libcolumnade.a {private}\n");
    fs::write(pkg_config.join("columnade-static.pc"), describe("columnade-static", &whole))?;
    fs::write(cmake.join("ColumnadeConfig.cmake"), config(&libraries))?;
    fs::write(cmake.join("ColumnadeConfigVersion.cmake"), config_version())
}

/// What a program with the static library is linked with.
fn libraries(needs_cpp: bool) -> Vec<&'static str> {
    let cpp = needs_cpp.then_some("stdc++");
    cpp.into_iter().chain(["pthread", "dl", "m", "rt"]).collect()
}

fn describe(name: &str, libraries: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         includedir=${{prefix}}/include\n\
         libdir=${{prefix}}/lib\n\
         \n\
         Name: {name}\n\
         Description: Columnar dataframes on the host and on NVIDIA GPUs\n\
         Version: {VERSION}\n\
         Cflags: -I${{includedir}}\n\
         {libraries}"
    )
}

fn config(libraries: &[&str]) -> String {
    let libraries = libraries.join(";");
    let interface = interface();
    format!(
        r#"# Targets: Columnade::columnade, the shared library, and Columnade::columnade_static.
get_filename_component(_columnade_prefix "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET Columnade::columnade)
  add_library(Columnade::columnade SHARED IMPORTED)
  set_target_properties(Columnade::columnade PROPERTIES
    IMPORTED_LOCATION "${{_columnade_prefix}}/lib/libcolumnade.so.{VERSION}"
    IMPORTED_SONAME "libcolumnade.so.{interface}"
    INTERFACE_INCLUDE_DIRECTORIES "${{_columnade_prefix}}/include")
  add_library(Columnade::columnade_static STATIC IMPORTED)
  set_target_properties(Columnade::columnade_static PROPERTIES
    IMPORTED_LOCATION "${{_columnade_prefix}}/lib/libcolumnade.a"
    INTERFACE_INCLUDE_DIRECTORIES "${{_columnade_prefix}}/include"
    INTERFACE_LINK_LIBRARIES "{libraries}")
endif()
unset(_columnade_prefix)
"#
    )
}

/// Below 1.0 each minor version has another interface.
fn config_version() -> String {
    let interface = interface();
    format!(
        r#"set(PACKAGE_VERSION "{VERSION}")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if("${{PACKAGE_FIND_VERSION_MAJOR}}.${{PACKAGE_FIND_VERSION_MINOR}}" STREQUAL "{interface}"
   AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
else()
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
"#
    )
}
