// The calling thread's last error, as in CUDA, and the counts of API calls.
#pragma once
#include <cstdint>
#include <string>

#include "cuda_runtime.h"

namespace cn_sim::sim {

// Stores the error for cudaGetLastError, with the text for cudaGetErrorString, and returns it.
cudaError_t fail_call(cudaError_t error, std::string report = {});
// The report of the last failed call of this thread.
const std::string &last_report();

// Counts a call of the API by this thread.
void count_call();
uint64_t calls();

// What all threads asked for since the start, as in src/lib.rs.
struct CallCounts {
  uint64_t launches;
  uint64_t memsets, memset_bytes;
  uint64_t copies_to_device, bytes_to_device;
  uint64_t copies_to_host, bytes_to_host;
  uint64_t copies_within, bytes_within;
  uint64_t synchronizations;
  uint64_t allocations, bytes_allocated;
  uint64_t pageable_copies;
};
enum class Counted { launch, memset, to_device, to_host, within, synchronization, allocation, pageable };
void count(Counted what, uint64_t bytes = 0);
CallCounts call_counts();

}  // namespace cn_sim::sim
