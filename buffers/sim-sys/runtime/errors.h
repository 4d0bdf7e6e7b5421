// The calling thread's last error, as in CUDA, and its number of API calls.
#pragma once
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

}  // namespace cn_sim::sim
