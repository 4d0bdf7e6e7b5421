// Properties of the simulated device: compute capability 9.0 with few multiprocessors.
#include <ctime>

#include "errors.h"
#include "options.h"

namespace cn_sim {

cudaError_t cudaGetDevice(int *device) {
  sim::count_call();
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  sim::count_call();
  if (device != 0) return sim::fail_call(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; return cudaSuccess;
    case cudaDevAttrWarpSize: *value = warpSize; return cudaSuccess;
    case cudaDevAttrMultiProcessorCount: *value = sim::options().multiprocessors; return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: *value = 9; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; return cudaSuccess;
    case cudaDevAttrCooperativeLaunch: *value = 1; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 << 10; return cudaSuccess;
  }
  return sim::fail_call(cudaErrorInvalidValue);
}

// Nanoseconds: the clock of a device of 1 GHz.
long long clock64() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

}  // namespace cn_sim
