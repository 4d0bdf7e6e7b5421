//! Columnade: a CUDA simulator that runs kernels and launchers on the host.
