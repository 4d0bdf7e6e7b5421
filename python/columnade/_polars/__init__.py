"""Names of Polars."""
