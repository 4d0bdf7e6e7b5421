//! Columnade: a columnar dataframe engine for NVIDIA GPUs and the host.
