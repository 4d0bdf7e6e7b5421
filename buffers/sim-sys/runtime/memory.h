// Simulated device memory: host memory with a table of live allocations, optionally protected from the host.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda_runtime.h"

namespace cn_sim::sim {

// While one exists on any thread, device memory is accessible. Does nothing unless memory is protected.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;
};

struct LiveMemory {
  uint64_t allocations, bytes;
};
LiveMemory live_memory();
// The most bytes that were live at a time since the last call, or since the start.
uint64_t take_peak();

// Aligned to 256 bytes and filled with 0xA5; null for 0 bytes.
cudaError_t allocate(void **out, size_t bytes);
// Fails for a pointer that is not a live allocation.
cudaError_t release(void *p);

// From an address to the end of the live allocation that it is in; 0 if it is in none.
size_t bytes_from(const void *p);

// Host memory that copies may run from and to asynchronously, at the link's speed. Fails for an address that is
// registered already, or is not.
cudaError_t register_host(void *p, size_t bytes);
cudaError_t unregister_host(void *p);
// Whether all of the range is registered.
bool is_registered(const void *p, size_t bytes);

// arena.cpp: memory in a mapping of its own, for COLUMNADE_SIM_PROTECT=1.
void *arena_allocate(size_t bytes);
void arena_release(void *p, size_t bytes);

}  // namespace cn_sim::sim
