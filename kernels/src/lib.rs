//! Columnade: kernels, each with a host, a CUDA and a simulated form.
