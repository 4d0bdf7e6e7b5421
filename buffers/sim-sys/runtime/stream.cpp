#include "stream.h"

#include <atomic>
#include <unordered_map>

#include "errors.h"
#include "memory.h"
#include "options.h"

namespace cn_sim {
namespace sim {
namespace {

constexpr uint64_t everything = ~0ull;

std::atomic<uint64_t> events_alive{0};

// Recursive, because an operation may run another stream's operations.
std::recursive_mutex &lazy_mutex() {
  static std::recursive_mutex &made_once = *new std::recursive_mutex;
  return made_once;
}

CUstream_st &null_stream() {
  static CUstream_st &made_once = *[] {
    auto *made = new CUstream_st;
    made->self.reset(made, [](CUstream_st *) {});
    return made;
  }();
  return made_once;
}

// Streams that were created and not destroyed, except the null stream.
struct Context {
  std::mutex mutex;
  std::unordered_map<CUstream_st *, std::weak_ptr<CUstream_st>> streams;
};
Context &context() {
  static Context &made_once = *new Context;
  return made_once;
}

// The stream of a handle, which may be any number; none if it was not created, or is destroyed.
CUstream_st *stream_of(cudaStream_t handle) {
  if (!handle) return &null_stream();
  std::lock_guard<std::mutex> lock(context().mutex);
  return context().streams.count(handle) ? handle : nullptr;
}

std::vector<std::shared_ptr<CUstream_st>> all_streams() {
  std::vector<std::shared_ptr<CUstream_st>> streams{null_stream().self};
  std::lock_guard<std::mutex> lock(context().mutex);
  for (auto &[address, stream] : context().streams)
    if (auto live = stream.lock()) streams.push_back(std::move(live));
  return streams;
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

// Whether operations up to a ticket are done. If not, one more is run now, so that a host that polls makes
// progress.
cudaError_t query(CUstream_st &stream, uint64_t ticket) {
  if (!options().lazy_streams) return cudaSuccess;
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  if (stream.queue.empty() || stream.done >= ticket) return synchronize(stream, ticket);
  drain(stream, stream.done + 1);
  return cudaErrorNotReady;
}

// The end of the queue; in eager mode, waits for an operation that another thread is running.
Place end_of(std::shared_ptr<CUstream_st> stream) {
  std::lock_guard<std::mutex> running(stream->eager);
  std::unique_lock<std::recursive_mutex> lock(lazy_mutex(), std::defer_lock);
  if (options().lazy_streams) lock.lock();
  uint64_t issued = stream->issued;
  return {std::move(stream), issued};
}

void set_places(cudaEvent_t event, std::vector<Place> places) {
  std::lock_guard<std::mutex> lock(event->mutex);
  event->places = std::move(places);
}

std::vector<Place> places_of(cudaEvent_t event) {
  std::lock_guard<std::mutex> lock(event->mutex);
  return event->places;
}

// Like `query`, for places in several streams: one operation is run in all, and failures are not returned.
cudaError_t query(const std::vector<Place> &places) {
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  for (const Place &place : places) {
    if (place.stream->queue.empty() || place.stream->done >= place.ticket) continue;
    drain(*place.stream, place.stream->done + 1);
    return cudaErrorNotReady;
  }
  return cudaSuccess;
}

// Like `synchronize`, for places in several streams: failures are not returned.
void synchronize(const std::vector<Place> &places) {
  if (!options().lazy_streams) {
    for (const Place &place : places) std::lock_guard<std::mutex> finished(place.stream->eager);
    return;
  }
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  for (const Place &place : places) drain(*place.stream, place.ticket);
}

}  // namespace

uint64_t live_events() { return events_alive; }

cudaError_t on_stream(cudaStream_t handle, Operation operation) {
  CUstream_st *stream = stream_of(handle);
  if (!stream) return fail_call(cudaErrorInvalidResourceHandle);
  if (!options().lazy_streams) {
    std::lock_guard<std::mutex> lock(stream->eager);
    return perform(operation);
  }
  std::lock_guard<std::recursive_mutex> lock(lazy_mutex());
  stream->queue.push_back(std::move(operation));
  stream->issued++;
  return cudaSuccess;
}

}  // namespace sim

using namespace sim;

CUevent_st::CUevent_st() { events_alive++; }
CUevent_st::~CUevent_st() { events_alive--; }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned) {
  count_call();
  auto stream = std::make_shared<CUstream_st>();
  stream->self = stream;
  *out = stream.get();
  std::lock_guard<std::mutex> lock(context().mutex);
  context().streams.emplace(stream.get(), stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  count_call();
  if (!stream) return fail_call(cudaErrorInvalidValue);
  if (!stream_of(stream)) return fail_call(cudaErrorInvalidResourceHandle);
  cudaError_t error = synchronize(*stream, everything);
  {
    std::lock_guard<std::mutex> lock(context().mutex);
    context().streams.erase(stream);
  }
  std::shared_ptr<CUstream_st> last_share = std::move(stream->self);
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  count_call();
  count(Counted::synchronization);
  CUstream_st *live = stream_of(stream);
  return live ? synchronize(*live, everything) : fail_call(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  count_call();
  CUstream_st *live = stream_of(stream);
  return live ? query(*live, everything) : fail_call(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  count_call();
  if (!stream_of(stream)) return fail_call(cudaErrorInvalidResourceHandle);
  std::vector<Place> awaited = places_of(event);
  if (awaited.empty() || !options().lazy_streams) return cudaSuccess;
  return on_stream(stream, [awaited = std::move(awaited)] {
    for (const Place &place : awaited) drain(*place.stream, place.ticket);
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
  CUstream_st *live = stream_of(handle);
  if (!live) return fail_call(cudaErrorInvalidResourceHandle);
  set_places(event, {end_of(live->self)});
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  count_call();
  count(Counted::synchronization);
  std::vector<Place> awaited = places_of(event);
  if (awaited.size() == 1) return synchronize(*awaited[0].stream, awaited[0].ticket);
  synchronize(awaited);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  count_call();
  std::vector<Place> awaited = places_of(event);
  return awaited.size() == 1 ? query(*awaited[0].stream, awaited[0].ticket) : query(awaited);
}

cudaError_t context_record_event(cudaEvent_t event) {
  count_call();
  std::vector<Place> places;
  for (auto &stream : all_streams()) places.push_back(end_of(std::move(stream)));
  set_places(event, std::move(places));
  return cudaSuccess;
}

cudaError_t context_synchronize() {
  count_call();
  count(Counted::synchronization);
  std::vector<Place> places;
  for (auto &stream : all_streams()) places.push_back({std::move(stream), everything});
  synchronize(places);
  return cudaSuccess;
}

}  // namespace cn_sim
