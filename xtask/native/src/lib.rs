//! Columnade: compiles C++ and CUDA sources from build scripts.

pub mod toolkit;
