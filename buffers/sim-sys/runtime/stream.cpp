#include "stream.h"

#include "errors.h"
#include "memory.h"
#include "options.h"

namespace cn_sim {
namespace sim {
namespace {

constexpr uint64_t everything = ~0ull;

// Recursive, since an operation may run another stream's.
std::recursive_mutex &lazy_mutex() {
  static std::recursive_mutex &made_once = *new std::recursive_mutex;
  return made_once;
}

CUstream_st &stream_of(cudaStream_t stream) {
  static CUstream_st &null_stream = *[] {
    auto *made = new CUstream_st;
    made->self.reset(made, [](CUstream_st *) {});
    return made;
  }();
  return stream ? *stream : null_stream;
}

cudaError_t perform(const Operation &operation) {
  DeviceAccess access;
  return operation();
}

// Runs queued operations up to a ticket; the caller holds the lazy mutex.
void drain(CUstream_st &stream, uint64_t ticket) {
  while (!stream.queue.empty() && stream.done < ticket) {
    Operation operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    cudaError_t error = perform(operation);
    stream.done++;
    if (error && !stream.failure) {
      stream.failure = error;
      stream.failure_report = last_report();
    }
  }
}

// Waits for operations up to a ticket and returns the stream's failure, once.
cudaError_t synchronize(CUstream_st &stream, uint64_t ticket) {
  if (!options().lazy_streams) {
    std::lock_guard<std::mutex> finished(stream.eager);
    return cudaSuccess;
  }
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  drain(stream, ticket);
  cudaError_t failure = std::exchange(stream.failure, cudaSuccess);
  return failure ? fail_call(failure, std::move(stream.failure_report)) : cudaSuccess;
}

// Whether operations up to a ticket are done. If not, one more is done now: a host that asks in a loop gets
// there.
cudaError_t query(CUstream_st &stream, uint64_t ticket) {
  if (!options().lazy_streams) return cudaSuccess;
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  if (stream.queue.empty() || stream.done >= ticket) return synchronize(stream, ticket);
  drain(stream, stream.done + 1);
  return cudaErrorNotReady;
}

struct Recorded {
  std::shared_ptr<CUstream_st> stream;
  uint64_t ticket;
};
Recorded recorded(cudaEvent_t event) {
  std::lock_guard<std::mutex> lock(event->mutex);
  return {event->stream, event->ticket};
}

}  // namespace

cudaError_t on_stream(cudaStream_t handle, Operation operation) {
  CUstream_st &stream = stream_of(handle);
  if (!options().lazy_streams) {
    std::lock_guard<std::mutex> lock(stream.eager);
    return perform(operation);
  }
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  stream.queue.push_back(std::move(operation));
  stream.issued++;
  return cudaSuccess;
}

}  // namespace sim

using namespace sim;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned) {
  count_call();
  auto stream = std::make_shared<CUstream_st>();
  stream->self = stream;
  *out = stream.get();
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  count_call();
  if (!stream) return fail_call(cudaErrorInvalidValue);
  cudaError_t error = synchronize(*stream, everything);
  std::shared_ptr<CUstream_st> last_share = std::move(stream->self);
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  count_call();
  return synchronize(stream_of(stream), everything);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  count_call();
  return query(stream_of(stream), everything);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  count_call();
  Recorded awaited = recorded(event);
  if (!awaited.stream || !options().lazy_streams) return cudaSuccess;
  return on_stream(stream, [awaited] {
    drain(*awaited.stream, awaited.ticket);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned) {
  count_call();
  *out = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  count_call();
  if (!event) return fail_call(cudaErrorInvalidValue);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  count_call();
  CUstream_st &stream = stream_of(handle);
  // Marks the place in the queue; when eager, waits for an operation that another thread is running.
  std::lock_guard<std::mutex> running(stream.eager);
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  std::lock_guard<std::mutex> change(event->mutex);
  event->stream = stream.self;
  event->ticket = stream.issued;
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  count_call();
  Recorded awaited = recorded(event);
  return awaited.stream ? synchronize(*awaited.stream, awaited.ticket) : cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  count_call();
  Recorded awaited = recorded(event);
  return awaited.stream ? query(*awaited.stream, awaited.ticket) : cudaSuccess;
}

}  // namespace cn_sim
