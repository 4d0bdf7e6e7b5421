// Kernels with one deliberate fault each. The flavours that can detect a case must detect it, and none may
// hang. A case whose fault does not show ends as if it were correct.
#include <numeric>

#include "harness.h"

namespace cn_sim {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

// Input 0, 1, …, 999, 0, 1, … and an output of 1024 zeros.
struct Data {
  Stream stream;
  std::vector<int> in;
  Array<int> input, output, counter;
  Data()
      : in(make_input()),
        input(in, stream),
        output(std::vector<int>(1024, 0), stream),
        counter(std::vector<int>(1, 0), stream) {}

  static std::vector<int> make_input() {
    std::vector<int> values(1 << 16);
    for (size_t i = 0; i < values.size(); i++) values[i] = (int)(i % 1000);
    return values;
  }
};

// ---- out of bounds ----

// Hides the bound from the compiler.
__device__ int hidden(int value) {
  volatile int copy = value;
  return copy;
}

template <class T>
__global__ void shared_overrun_kernel(T *out, int excess) {
  SHARED(tile, T[64]);
  T *first = &tile[0];
  first[hidden((int)threadIdx.x + excess)] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[0];
}
CASE(shared_overrun) {
  Data data;
  ok(launch(shared_overrun_kernel<int>, 1, 64, 0, data.stream, data.output.p, 1));
}

__global__ void shared_index_kernel(int *out, int excess) {
  SHARED(tile, int[64]);
  tile[threadIdx.x + excess] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[0];
}
CASE(shared_index) {
  Data data;
  ok(launch(shared_index_kernel, 1, 64, 0, data.stream, data.output.p, 1));
}

__global__ void dynamic_overrun_kernel(int *out, int excess) {
  DYN_SHARED(tile, int);
  tile[threadIdx.x + excess] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[0];
}
CASE(dynamic_overrun) {
  Data data;
  ok(launch(dynamic_overrun_kernel, 1, 64, 64 * sizeof(int), data.stream, data.output.p, 1));
}

// One element too many: <= instead of <.
__global__ void global_overrun_kernel(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}
CASE(global_overrun) {
  Data data;
  ok(launch(global_overrun_kernel, 5, 256, 0, data.stream, data.output.p, 1024));
}

__global__ void local_overrun_kernel(int *out, int excess) {
  int local[8];
  for (int i = 0; i < 8; i++) local[i] = i;
  const int *first = local;
  out[threadIdx.x] = first[hidden((int)threadIdx.x + excess)];
}
CASE(local_overrun) {
  Data data;
  ok(launch(local_overrun_kernel, 1, 8, 0, data.stream, data.output.p, 1));
}

CASE(use_after_free) {
  Stream stream;
  int *p = nullptr;
  ok(cudaMallocAsync(&p, 1024 * sizeof(int), stream));
  ok(cudaFreeAsync(p, stream));
  ok(launch(global_overrun_kernel, 1, 256, 0, stream, p, 1000));
  stream.synchronize();
}

CASE(copy_overrun) {
  Data data;
  std::vector<int> out(1025);
  ok(cudaMemcpyAsync(out.data(), data.output.p, 1025 * sizeof(int), cudaMemcpyDeviceToHost, data.stream));
  data.stream.synchronize();
}

// ---- undefined behaviour ----

__global__ void shift_kernel(int *out, int by) { out[threadIdx.x] = 1 << (by + (int)threadIdx.x); }
CASE(shift_too_far) {
  Data data;
  ok(launch(shift_kernel, 1, 32, 0, data.stream, data.output.p, 5));
}

// ---- missing synchronisation ----

// Reverses a tile through shared memory; the barrier between write and read is missing.
__global__ void missing_barrier_kernel(const int *in, int *out) {
  SHARED(tile, int[256]);
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}
CASE(missing_barrier) {
  Data data;
  ok(launch(missing_barrier_kernel, 4, 256, 0, data.stream, data.input.p, data.output.p));
  auto out = data.output.values();
  for (size_t b = 0; b < 4; b++) {
    for (size_t t = 0; t < 256; t++) REQUIRE(out[b * 256 + t] == data.in[b * 256 + 255 - t]);
  }
}

// The same, reading a lower thread's value, which works in the sequential schedule.
__global__ void hidden_missing_barrier_kernel(const int *in, int *out) {
  SHARED(tile, int[256]);
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = threadIdx.x ? tile[threadIdx.x - 1] : 0;
}
CASE(hidden_missing_barrier) {
  Data data;
  ok(launch(hidden_missing_barrier_kernel, 4, 256, 0, data.stream, data.input.p, data.output.p));
  auto out = data.output.values();
  for (size_t b = 0; b < 4; b++) {
    for (size_t t = 1; t < 256; t++) REQUIRE(out[b * 256 + t] == data.in[b * 256 + t - 1]);
  }
}

// The barrier at the end of a loop is missing: the next iteration writes what this one still reads.
__global__ void missing_loop_barrier_kernel(const int *in, int *out, int rounds) {
  SHARED(tile, int[256]);
  int sum = 0;
  for (int round = 0; round < rounds; round++) {
    tile[threadIdx.x] = in[round * 256 + (int)threadIdx.x];
    __syncthreads();
    sum += tile[(threadIdx.x + 1) % 256];
  }
  out[threadIdx.x] = sum;
}
CASE(missing_loop_barrier) {
  constexpr int rounds = 50;
  Data data;
  ok(launch(missing_loop_barrier_kernel, 1, 256, 0, data.stream, data.input.p, data.output.p, rounds));
  auto out = data.output.values();
  for (size_t t = 0; t < 256; t++) {
    int sum = 0;
    for (size_t round = 0; round < rounds; round++) sum += data.in[round * 256 + (t + 1) % 256];
    REQUIRE(out[t] == sum);
  }
}

// A warp reduction without __syncwarp between its steps.
__global__ void missing_syncwarp_kernel(int *out) {
  SHARED(sums, int[256]);
  int t = (int)threadIdx.x, lane = t % 32;
  sums[t] = t;
  __syncwarp();
  for (int delta = 16; delta > 0; delta /= 2) {
    if (lane < delta) sums[t] += sums[t + delta];
  }
  __syncwarp();
  if (lane == 0) out[t / 32] = sums[t];
}
CASE(missing_syncwarp) {
  Data data;
  ok(launch(missing_syncwarp_kernel, 1, 256, 0, data.stream, data.output.p));
  auto out = data.output.values();
  for (int warp = 0; warp < 8; warp++) REQUIRE(out[(size_t)warp] == 32 * 32 * warp + 496);
}

__global__ void lost_update_kernel(int *counter) { *counter = *counter + 1; }
CASE(lost_update) {
  Data data;
  ok(launch(lost_update_kernel, 4, 256, 0, data.stream, data.counter.p));
  REQUIRE(data.counter.values()[0] == 1024);
}

// Two blocks write one element; nothing reads it.
__global__ void blocks_overlap_kernel(int *out) {
  out[(blockIdx.x * 200 + threadIdx.x) % 1024] = (int)blockIdx.x;
}
CASE(blocks_overlap) {
  Data data;
  ok(launch(blocks_overlap_kernel, 4, 256, 0, data.stream, data.output.p));
}

__global__ void block_reads_block_kernel(int *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x ? out[blockIdx.x - 1] + 1 : 1;
}
CASE(block_reads_block) {
  Data data;
  ok(launch(block_reads_block_kernel, 4, 64, 0, data.stream, data.output.p));
}

__global__ void uninitialised_shared_kernel(int *out) {
  SHARED(tile, int[256]);
  if (threadIdx.x < 128) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
CASE(uninitialised_shared) {
  Data data;
  ok(launch(uninitialised_shared_kernel, 1, 256, 0, data.stream, data.output.p));
  auto out = data.output.values();
  for (size_t t = 128; t < 256; t++) REQUIRE(out[t] == 0);
}

// ---- barriers and collectives that do not meet ----

__global__ void divergent_barrier_kernel(int *out) {
  if (threadIdx.x < 100) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}
CASE(divergent_barrier) {
  Data data;
  ok(launch(divergent_barrier_kernel, 1, 256, 0, data.stream, data.output.p));
}

__global__ void deadlock_kernel(int *out) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncwarp(all_lanes);
  }
  out[threadIdx.x] = 1;
}
CASE(deadlock) {
  Data data;
  ok(launch(deadlock_kernel, 1, 64, 0, data.stream, data.output.p));
}

__global__ void early_exit_kernel(int *out, int n) {
  if ((int)threadIdx.x >= n) return;
  out[threadIdx.x] = 1;
  __syncthreads();
}
CASE(early_exit) {
  Data data;
  ok(launch(early_exit_kernel, 1, 256, 0, data.stream, data.output.p, 100));
}

// Half a warp uses the mask of the whole warp.
__global__ void mask_too_wide_kernel(int *out) {
  int value = 0;
  if (threadIdx.x % 32 < 16) value = __shfl_sync(all_lanes, (int)threadIdx.x, 0);
  out[threadIdx.x] = value;
  __syncthreads();
}
CASE(mask_too_wide) {
  Data data;
  ok(launch(mask_too_wide_kernel, 1, 64, 0, data.stream, data.output.p));
}

__global__ void not_in_mask_kernel(int *out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, 0);
}
CASE(not_in_mask) {
  Data data;
  ok(launch(not_in_mask_kernel, 1, 32, 0, data.stream, data.output.p));
}

__global__ void mixed_collectives_kernel(int *out) {
  out[threadIdx.x] = threadIdx.x % 2 ? __any_sync(all_lanes, 1) : __all_sync(all_lanes, 1);
}
CASE(mixed_collectives) {
  Data data;
  ok(launch(mixed_collectives_kernel, 1, 32, 0, data.stream, data.output.p));
}

// Reads a lane outside the mask.
__global__ void outside_lane_kernel(int *out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0x0000ffffu, 7, 20);
}
CASE(outside_lane) {
  Data data;
  ok(launch(outside_lane_kernel, 1, 32, 0, data.stream, data.output.p));
  REQUIRE(data.output.values()[0] == 7);
}

__global__ void grid_sync_kernel(int *out) {
  out[threadIdx.x] = 1;
  sim::grid_barrier();
}
CASE(grid_sync_without_cooperation) {
  Data data;
  ok(launch(grid_sync_kernel, 2, 32, 0, data.stream, data.output.p));
}

__global__ void trap_kernel(int *out) {
  if (threadIdx.x == 5) __trap();
  out[threadIdx.x] = 1;
}
CASE(trap) {
  Data data;
  ok(launch(trap_kernel, 1, 32, 0, data.stream, data.output.p));
}

// ---- spinning ----

__global__ void spin_for_ever_kernel(volatile int *flag) {
  while (*flag == 0) {
  }
}
CASE(spin_for_ever) {
  Data data;
  ok(launch(spin_for_ever_kernel, 1, 32, 0, data.stream, (volatile int *)data.counter.p));
}

__global__ void acquire_for_ever_kernel(const int *flag) {
  while (load_acquire(flag) == 0) spin_pause();
}
CASE(acquire_for_ever) {
  Data data;
  ok(launch(acquire_for_ever_kernel, 2, 64, 0, data.stream, (const int *)data.counter.p));
}

// Not faults: two spins that end because other threads run.
__global__ void volatile_spin_kernel(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = 7;
  } else if (threadIdx.x == 63) {
    *flag = 1;
  }
}
CASE(volatile_spin) {
  Data data;
  ok(launch(volatile_spin_kernel, 1, 64, 0, data.stream, (volatile int *)data.counter.p, data.output.p));
  REQUIRE(data.output.values()[0] == 7);
}

__global__ void spin_lock_kernel(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}
CASE(spin_lock) {
  Data data;
  ok(launch(spin_lock_kernel, 4, 256, 0, data.stream, data.counter.p, data.output.p));
  REQUIRE(data.output.values()[0] == 1024);
}

// Correct whatever lanes __activemask returns.
__global__ void active_mask_kernel(int *counter) {
  if (threadIdx.x % 2 == 0) return;
  unsigned active = __activemask();
  int leader = __ffs((int)active) - 1, base = 0;
  if ((int)threadIdx.x % 32 == leader) base = atomicAdd(counter, __popc(active));
  __shfl_sync(active, base, leader);
}
CASE(active_mask) {
  Data data;
  ok(launch(active_mask_kernel, 2, 64, 0, data.stream, data.counter.p));
  REQUIRE(data.counter.values()[0] == 64);
}

}  // namespace
}  // namespace cn_sim
