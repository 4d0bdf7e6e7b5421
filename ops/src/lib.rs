//! Columnade: operations over columns and the expression language.
