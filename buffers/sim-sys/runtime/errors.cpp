#include "errors.h"

#include <array>
#include <atomic>

namespace cn_sim {
namespace sim {
namespace {

struct LastError {
  cudaError_t error = cudaSuccess;
  std::string report;
};
thread_local LastError last;
__thread uint64_t call_count;

struct Count {
  std::atomic<uint64_t> calls{0}, bytes{0};
};
std::array<Count, 8> counts;

}  // namespace

cudaError_t fail_call(cudaError_t error, std::string report) {
  last.error = error;
  if (!report.empty()) last.report = std::move(report);
  return error;
}

const std::string &last_report() { return last.report; }

void count_call() { call_count++; }
uint64_t calls() { return call_count; }

void count(Counted what, uint64_t bytes) {
  Count &counted = counts[(size_t)what];
  counted.calls.fetch_add(1, std::memory_order_relaxed);
  counted.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

CallCounts call_counts() {
  auto calls = [](Counted what) { return counts[(size_t)what].calls.load(std::memory_order_relaxed); };
  auto bytes = [](Counted what) { return counts[(size_t)what].bytes.load(std::memory_order_relaxed); };
  return {calls(Counted::launch),          calls(Counted::memset),     bytes(Counted::memset),
          calls(Counted::to_device),       bytes(Counted::to_device),  calls(Counted::to_host),
          bytes(Counted::to_host),         calls(Counted::within),     bytes(Counted::within),
          calls(Counted::synchronization), calls(Counted::allocation), bytes(Counted::allocation),
          calls(Counted::pageable)};
}

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
    case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
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
