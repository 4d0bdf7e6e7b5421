//! Columnade: test data, naive twins and conformance suites.
