// Streams and events: correct uses, and incorrect uses that only lazy streams detect.
#include <thread>

#include "harness.h"

namespace cn_sim {
namespace {

__global__ void add_kernel(int *p, int n, int addend) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += addend;
}

constexpr int n = 1000;

void add(int *p, int addend, cudaStream_t stream) {
  ok(launch(add_kernel, blocks(n, 256), 256, 0, stream, p, n, addend));
}

struct Event {
  cudaEvent_t handle;
  Event() { ok(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)); }
  ~Event() { ok(cudaEventDestroy(handle)); }
};

enum class Wait { Done, Forgotten };

// Work of `second` follows work of `first`, ordered by an event.
void two_streams(Wait wait) {
  Stream first, second;
  Array<int> values(std::vector<int>(n, 1), first);
  add(values.p, 10, first);
  {
    Event event;
    ok(cudaEventRecord(event.handle, first));
    if (wait == Wait::Done) ok(cudaStreamWaitEvent(second, event.handle));
    // The event is destroyed here; the wait holds.
  }
  std::vector<int> result(n);
  ok(cudaMemcpyAsync(result.data(), values.p, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  second.synchronize();
  for (int value : result) REQUIRE(value == 11);
}

CASE(event_orders_streams) { two_streams(Wait::Done); }
CASE(missing_event_wait) { two_streams(Wait::Forgotten); }

void copy_out(Wait wait) {
  Stream stream;
  Array<int> values(std::vector<int>(n, 1), stream);
  add(values.p, 1, stream);
  std::vector<int> result(n);
  ok(cudaMemcpyAsync(result.data(), values.p, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  if (wait == Wait::Done) stream.synchronize();
  REQUIRE(result[n - 1] == 2);
}

CASE(copy_and_synchronize) { copy_out(Wait::Done); }
CASE(missing_synchronize) { copy_out(Wait::Forgotten); }

// An asynchronous copy from memory that is freed before the copy runs.
CASE(early_freed_source) {
  Stream stream;
  Array<int> values(n, stream);
  {
    std::vector<int> source(n, 5);
    ok(cudaMemcpyAsync(values.p, source.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
  }
  for (int value : values.values()) REQUIRE(value == 5);
}

CASE(event_queries_make_progress) {
  Stream stream;
  Event event;
  REQUIRE(cudaEventQuery(event.handle) == cudaSuccess);  // never recorded
  Array<int> values(std::vector<int>(n, 0), stream);
  for (int i = 0; i < 5; i++) add(values.p, 1, stream);
  ok(cudaEventRecord(event.handle, stream));
  add(values.p, 100, stream);
  int asked = 0;
  while (cudaEventQuery(event.handle) == cudaErrorNotReady) REQUIRE(++asked < 100);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) REQUIRE(++asked < 100);
  REQUIRE(values.values()[0] == 105);
}

// Each stream waits for the other's earlier work, without a deadlock.
CASE(streams_wait_for_each_other) {
  Stream a, b;
  Event from_a, from_b;
  Array<int> values(std::vector<int>(n, 0), a);
  add(values.p, 1, a);
  ok(cudaEventRecord(from_a.handle, a));
  ok(cudaStreamWaitEvent(b, from_a.handle));
  add(values.p, 2, b);
  ok(cudaEventRecord(from_b.handle, b));
  ok(cudaStreamWaitEvent(a, from_b.handle));
  add(values.p, 4, a);
  REQUIRE(values.values()[0] == 7);
}

// Neighbours within a tile through shared memory, with barriers: every host thread has fibers of its own.
__global__ void neighbour_kernel(const int *in, int *out, int n) {
  SHARED(tile, int[256]);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  int other = tile[threadIdx.x ^ 1];
  if (i < n) out[i] = __shfl_xor_sync(0xffffffffu, other, 1) + other;
}

CASE(threads_launch_at_once) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; thread++) {
    threads.emplace_back([thread] {
      Stream stream;
      for (int round = 0; round < 20; round++) {
        std::vector<int> in(1024);
        for (int i = 0; i < 1024; i++) in[(size_t)i] = i * thread + round;
        Array<int> din(in, stream), out(1024, stream);
        ok(launch(neighbour_kernel, 4, 256, 0, stream, din.p, out.p, 1024));
        auto result = out.values();
        for (size_t i = 0; i < 1024; i++) REQUIRE(result[i] == in[i] + in[i ^ 1]);
      }
    });
  }
  for (auto &thread : threads) thread.join();
}

// A launch failure is reported only to the thread of the launch.
CASE(errors_belong_to_a_thread) {
  Stream stream;
  std::thread failing([&] {
    REQUIRE(launch(neighbour_kernel, 0, 256, 0, stream, nullptr, nullptr, 0) ==
            cudaErrorInvalidConfiguration);
    REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  });
  failing.join();
  REQUIRE(cudaPeekAtLastError() == cudaSuccess);
}

// Of a library that gives a wrong number: CUDA may crash, the simulator says so.
CASE(unknown_streams_are_refused) {
  cudaStream_t gone, strange = (cudaStream_t)(uintptr_t)12345;
  ok(cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking));
  ok(cudaStreamDestroy(gone));
  Event event;
  for (cudaStream_t stream : {gone, strange}) {
    REQUIRE(cudaEventRecord(event.handle, stream) == cudaErrorInvalidResourceHandle);
    REQUIRE(cudaStreamWaitEvent(stream, event.handle) == cudaErrorInvalidResourceHandle);
    REQUIRE(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    REQUIRE(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
    REQUIRE(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
    REQUIRE(launch(add_kernel, 1, 1, 0, stream, (int *)nullptr, 0, 0) == cudaErrorInvalidResourceHandle);
  }
}

CASE(double_free) {
  Stream stream;
  int *p = nullptr;
  ok(cudaMallocAsync(&p, 4, stream));
  ok(cudaFreeAsync(p, stream));
  ok(cudaFreeAsync(p, stream));
  stream.synchronize();
}

}  // namespace
}  // namespace cn_sim
