// Streams and events.
//
// Eager, the default: the calling thread runs an operation before the call returns. A stream's mutex
// serialises its operations; no operation waits for another stream, whose earlier work is done.
//
// Lazy (COLUMNADE_SIM_LAZY_STREAMS=1): operations are queued and run when a synchronisation needs them. Code
// with a missing wait then reads stale data, and memory that is freed too early is freed before its use. One
// mutex protects all queues. The thread that holds it runs the operations that it needs, those of other
// streams included, and waits for no other thread.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda_runtime.h"

namespace cn_sim {

struct CUstream_st {
  std::shared_ptr<CUstream_st> self;  // the handle's share; events hold others
  std::mutex eager;
  std::deque<sim::Operation> queue;
  uint64_t issued = 0, done = 0;
  // The first failure of a queued operation that no call has returned yet.
  cudaError_t failure = cudaSuccess;
  std::string failure_report;
};

// A place in a stream's queue.
struct Place {
  std::shared_ptr<CUstream_st> stream;
  uint64_t ticket = 0;  // operations of the stream before it
};

struct CUevent_st {
  CUevent_st();
  ~CUevent_st();
  std::mutex mutex;
  std::vector<Place> places;  // none until recorded; several when recorded for the whole context
};

namespace sim {
uint64_t live_events();  // made and not destroyed
}

// A driver API call without an equivalent in the runtime API: all streams of the process at once. A stream's
// failure is returned by calls for that stream.
cudaError_t context_record_event(cudaEvent_t event);
cudaError_t context_synchronize();

}  // namespace cn_sim
