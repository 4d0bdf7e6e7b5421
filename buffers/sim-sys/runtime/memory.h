// Simulated device memory: host memory with a table of what is live, optionally closed to the host.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda_runtime.h"

namespace cn_sim::sim {

// While one lives on any thread, device memory may be touched. Does nothing unless memory is protected.
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

// Aligned to 256 bytes and filled with 0xA5; null for no bytes.
cudaError_t allocate(void **out, size_t bytes);
// Refuses what is not live.
cudaError_t release(void *p);

// arena.cpp: memory of its own mapping, for COLUMNADE_SIM_PROTECT=1.
void *arena_allocate(size_t bytes);
void arena_release(void *p, size_t bytes);

}  // namespace cn_sim::sim
