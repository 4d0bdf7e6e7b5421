//! Columnade: dtypes, typed columns, scalars and the column accessor.
