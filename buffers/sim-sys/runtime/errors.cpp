#include "errors.h"

namespace cn_sim {
namespace sim {
namespace {

struct LastError {
  cudaError_t error = cudaSuccess;
  std::string report;
};
thread_local LastError last;
__thread uint64_t call_count;

}  // namespace

cudaError_t fail_call(cudaError_t error, std::string report) {
  last.error = error;
  if (!report.empty()) last.report = std::move(report);
  return error;
}

const std::string &last_report() { return last.report; }

void count_call() { call_count++; }
uint64_t calls() { return call_count; }

}  // namespace sim

cudaError_t cudaGetLastError() {
  sim::count_call();
  return std::exchange(sim::last.error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() { return sim::last.error; }

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
    case cudaErrorNotReady: return "cudaErrorNotReady";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    case cudaErrorCooperativeLaunchTooLarge: return "cudaErrorCooperativeLaunchTooLarge";
    case cudaErrorNotSupported: return "cudaErrorNotSupported";
    case cudaErrorUnknown: break;
  }
  return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error) {
  bool reported = error == cudaErrorLaunchFailure && !sim::last_report().empty();
  return reported ? sim::last_report().c_str() : cudaGetErrorName(error);
}

}  // namespace cn_sim
