// The calling thread's last error, as CUDA keeps it, and its count of API calls.
#pragma once
#include <string>

#include "cuda_runtime.h"

namespace cn_sim::sim {

// Remembers the error for cudaGetLastError, with what cudaGetErrorString says of it, and gives it back.
cudaError_t fail_call(cudaError_t error, std::string report = {});
// The report of the last failed call of this thread.
const std::string &last_report();

// Counts a call of the API by this thread.
void count_call();
uint64_t calls();

}  // namespace cn_sim::sim
