// The simulator's C interface for Rust; declared and documented in src/lib.rs.
#include "errors.h"
#include "memory.h"
#include "stream.h"

using namespace cn_sim;

extern "C" {

int32_t cn_sim_malloc_async(void **out, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(out, bytes, stream);
}
int32_t cn_sim_free_async(void *p, cudaStream_t stream) { return cudaFreeAsync(p, stream); }
int32_t cn_sim_memcpy_async(void *to, const void *from, size_t bytes, int32_t kind, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, (cudaMemcpyKind)kind, stream);
}
int32_t cn_sim_memset_async(void *to, uint8_t byte, size_t bytes, cudaStream_t stream) {
  return cudaMemsetAsync(to, byte, bytes, stream);
}

size_t cn_sim_bytes_from(const void *p) { return sim::bytes_from(p); }

int32_t cn_sim_host_register(void *p, size_t bytes) { return sim::register_host(p, bytes); }
int32_t cn_sim_host_unregister(void *p) { return sim::unregister_host(p); }

int32_t cn_sim_stream_create(cudaStream_t *out) {
  return cudaStreamCreateWithFlags(out, cudaStreamNonBlocking);
}
int32_t cn_sim_stream_destroy(cudaStream_t stream) { return cudaStreamDestroy(stream); }
int32_t cn_sim_stream_synchronize(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
int32_t cn_sim_stream_query(cudaStream_t stream) { return cudaStreamQuery(stream); }
int32_t cn_sim_stream_wait_event(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}

int32_t cn_sim_event_create(cudaEvent_t *out) {
  return cudaEventCreateWithFlags(out, cudaEventDisableTiming);
}
int32_t cn_sim_event_destroy(cudaEvent_t event) { return cudaEventDestroy(event); }
int32_t cn_sim_event_record(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); }
int32_t cn_sim_event_query(cudaEvent_t event) { return cudaEventQuery(event); }

int32_t cn_sim_context_record_event(cudaEvent_t event) { return context_record_event(event); }
int32_t cn_sim_context_synchronize() { return context_synchronize(); }
int32_t cn_sim_event_synchronize(cudaEvent_t event) { return cudaEventSynchronize(event); }

int32_t cn_sim_get_last_error() { return cudaGetLastError(); }
const char *cn_sim_error_name(int32_t error) { return cudaGetErrorName((cudaError_t)error); }
const char *cn_sim_error_string(int32_t error) { return cudaGetErrorString((cudaError_t)error); }

uint64_t cn_sim_driver_calls() { return sim::calls(); }
void cn_sim_call_counts(sim::CallCounts *out) { *out = sim::call_counts(); }
uint64_t cn_sim_take_peak_bytes() { return sim::take_peak(); }
uint64_t cn_sim_live_allocations() { return sim::live_memory().allocations; }
uint64_t cn_sim_live_bytes() { return sim::live_memory().bytes; }
uint64_t cn_sim_live_events() { return sim::live_events(); }

}  // extern "C"
