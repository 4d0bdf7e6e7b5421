//! Columnade: devices, streams, memory resources and reference-counted buffers.
