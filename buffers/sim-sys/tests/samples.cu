// Correct kernels of the kinds that the project uses, checked against plain loops.
#include <algorithm>

#include "harness.h"

namespace cn_sim {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

// ---- element-wise ----

__global__ void axpy_kernel(const double *x, double *y, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

CASE(elementwise) {
  Stream stream;
  for (size_t n : sizes()) {
    std::vector<double> x(n), y(n);
    for (size_t i = 0; i < n; i++) x[i] = (double)i, y[i] = 2.0 * (double)i;
    Array<double> dx(x, stream), dy(y, stream);
    ok(launch(axpy_kernel, blocks(n, 256), 256, 0, stream, dx.p, dy.p, 3.0, (int)n));
    auto result = dy.values();
    for (size_t i = 0; i < n; i++) REQUIRE(result[i] == 5.0 * (double)i);
  }
}

template <class F>
__global__ void for_each_kernel(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

CASE(device_lambda) {
  Stream stream;
  constexpr int n = 1000;
  Array<int> out(n, stream);
  int *p = out.p;
  auto square = [=] __device__(int i) { p[i] = i * i; };
  ok(launch(for_each_kernel<decltype(square)>, blocks(n, 128), 128, 0, stream, n, square));
  auto result = out.values();
  for (int i = 0; i < n; i++) REQUIRE(result[i] == i * i);
}

__global__ void index_kernel(int *out) {
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = (int)(block * 1000 + thread);
}

CASE(three_dimensions) {
  Stream stream;
  dim3 grid(3, 2, 2), block(5, 3, 2);
  Array<int> out(12 * 30, stream);
  ok(launch(index_kernel, grid, block, 0, stream, out.p));
  auto result = out.values();
  for (int b = 0; b < 12; b++) {
    for (int t = 0; t < 30; t++) REQUIRE(result[(size_t)(b * 30 + t)] == b * 1000 + t);
  }
}

// ---- 128-bit arithmetic ----

__global__ void multiply_kernel(const int64_t *a, const int64_t *b, __int128 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (__int128)a[i] * b[i] / 7 - ((__int128)1 << 100);
}

CASE(int128) {
  Stream stream;
  std::vector<int64_t> a{0, 1, -1, INT64_MAX, INT64_MIN, 123456789},
      b{5, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN, -7};
  Array<int64_t> da(a, stream), db(b, stream);
  Array<__int128> out(a.size(), stream);
  ok(launch(multiply_kernel, 1, 32, 0, stream, da.p, db.p, out.p, (int)a.size()));
  auto result = out.values();
  for (size_t i = 0; i < a.size(); i++)
    REQUIRE(result[i] == (__int128)a[i] * b[i] / 7 - ((__int128)1 << 100));
}

// ---- reduction by shuffles ----

template <int Block>
__global__ void __launch_bounds__(Block)
    reduce_kernel(const int *__restrict__ in, unsigned long long *out, int n) {
  SHARED(partial, long long[Block / 32]);
  int i = blockIdx.x * Block + threadIdx.x;
  long long sum = i < n ? __ldg(in + i) : 0;
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(all_lanes, sum, delta);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < Block / 32 ? partial[threadIdx.x] : 0;
    for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(all_lanes, sum, delta);
    if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)sum);
  }
}

CASE(shuffle_reduction) {
  Stream stream;
  Random random;
  for (size_t n : sizes()) {
    std::vector<int> in(n);
    long long expected = 0;
    for (auto &value : in) expected += value = (int)(random() % 2001) - 1000;
    Array<int> din(in, stream);
    Array<unsigned long long> out(1, stream);
    out.fill(0);
    ok(launch(reduce_kernel<256>, blocks(n, 256), 256, 0, stream, din.p, out.p, (int)n));
    REQUIRE((long long)out.values()[0] == expected);
  }
}

// ---- single-pass scan with decoupled look-back ----

enum : unsigned { empty = 0, aggregate = 1, prefix_known = 2 };

__device__ unsigned long long tile_state(unsigned status, unsigned value) {
  return (unsigned long long)status << 32 | value;
}

// `ticket` null: tiles by block index; a GPU does not guarantee to start blocks in order.
template <int Block>
__global__ void scan_kernel(const unsigned *in, unsigned *out, unsigned long long *state, unsigned *ticket,
                            int n) {
  SHARED(warp_sums, unsigned[Block / 32]);
  SHARED(prefix, unsigned);
  SHARED(tile, unsigned);
  if (threadIdx.x == 0) tile = ticket ? atomicAdd(ticket, 1u) : blockIdx.x;
  __syncthreads();
  int i = (int)(tile * Block + threadIdx.x), lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  unsigned inclusive = i < n ? in[i] : 0;
  for (int delta = 1; delta < 32; delta *= 2) {
    unsigned other = __shfl_up_sync(all_lanes, inclusive, delta);
    if (lane >= delta) inclusive += other;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    unsigned sum = lane < Block / 32 ? warp_sums[lane] : 0;
    for (int delta = 1; delta < Block / 32; delta *= 2) {
      unsigned other = __shfl_up_sync(all_lanes, sum, delta);
      if (lane >= delta) sum += other;
    }
    if (lane < Block / 32) warp_sums[lane] = sum;
  }
  __syncthreads();
  unsigned total = warp_sums[Block / 32 - 1];
  if (warp == 0) {
    if (lane == 0) store_release(&state[tile], tile_state(tile == 0 ? prefix_known : aggregate, total));
    unsigned before = 0;
    for (int look = (int)tile - 1 - lane; __any_sync(all_lanes, look >= 0); look -= 32) {
      unsigned long long seen = tile_state(prefix_known, 0);
      if (look >= 0) {
        while ((seen = load_acquire(&state[look])) >> 32 == empty) spin_pause();
      }
      unsigned known = __ballot_sync(all_lanes, seen >> 32 == prefix_known);
      int last = known ? __ffs((int)known) - 1 : 31;
      before += __reduce_add_sync(all_lanes, lane <= last ? (unsigned)seen : 0u);
      if (known) break;
    }
    if (lane == 0) {
      if (tile) store_release(&state[tile], tile_state(prefix_known, before + total));
      prefix = before;
    }
  }
  __syncthreads();
  if (i < n) out[i] = prefix + (warp ? warp_sums[warp - 1] : 0) + inclusive;
}

enum class Tiles { ByTicket, ByBlockIndex };

void check_scan(size_t n, Tiles tiles) {
  Stream stream;
  Random random;
  std::vector<unsigned> in(n);
  for (auto &value : in) value = random() % 16;
  Array<unsigned> din(in, stream), out(n, stream), ticket(1, stream);
  Array<unsigned long long> state(blocks(n, 256), stream);
  state.fill(0);
  ticket.fill(0);
  unsigned *tickets = tiles == Tiles::ByTicket ? ticket.p : nullptr;
  ok(launch(scan_kernel<256>, blocks(n, 256), 256, 0, stream, din.p, out.p, state.p, tickets, (int)n));
  auto result = out.values();
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += in[i];
    REQUIRE(result[i] == sum);
  }
}

CASE(look_back_scan) {
  for (size_t n : sizes()) check_scan(n, Tiles::ByTicket);
}

// With blocks in another order, a resident block waits for one that cannot start.
CASE(look_back_scan_by_block_index) { check_scan(20000, Tiles::ByBlockIndex); }

// ---- hash table ----

constexpr unsigned no_key = 0xffffffffu;

__device__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void insert_kernel(const unsigned *keys, int n, unsigned *slots, unsigned *rows, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned slot = mix(keys[i]) & mask;; slot = (slot + 1) & mask) {
    unsigned found = atomicCAS(&slots[slot], no_key, keys[i]);
    if (found == no_key || found == keys[i]) {
      rows[slot] = (unsigned)i;
      return;
    }
  }
}

__global__ void find_kernel(const unsigned *keys, int n, const unsigned *slots, const unsigned *rows,
                            unsigned mask, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row = -1;
  for (unsigned slot = mix(keys[i]) & mask; slots[slot] != no_key; slot = (slot + 1) & mask) {
    if (slots[slot] == keys[i]) {
      row = (int)rows[slot];
      break;
    }
  }
  out[i] = row;
}

CASE(hash_table) {
  Stream stream;
  for (size_t n : sizes()) {
    unsigned capacity = 1;
    while (capacity < 2 * n) capacity *= 2;
    std::vector<unsigned> keys(n), absent(n);
    for (size_t i = 0; i < n; i++) keys[i] = (unsigned)i * 3, absent[i] = (unsigned)i * 3 + 1;
    Array<unsigned> dkeys(keys, stream), dabsent(absent, stream), slots(capacity, stream),
        rows(capacity, stream);
    Array<int> out(n, stream);
    slots.fill(0xff);
    unsigned mask = capacity - 1;
    ok(launch(insert_kernel, blocks(n, 256), 256, 0, stream, dkeys.p, (int)n, slots.p, rows.p, mask));
    ok(launch(find_kernel, blocks(n, 256), 256, 0, stream, dkeys.p, (int)n, slots.p, rows.p, mask, out.p));
    auto found = out.values();
    for (size_t i = 0; i < n; i++) REQUIRE(found[i] == (int)i);
    ok(launch(find_kernel, blocks(n, 256), 256, 0, stream, dabsent.p, (int)n, slots.p, rows.p, mask, out.p));
    for (int row : out.values()) REQUIRE(row == -1);
  }
}

// ---- bit mask by ballot ----

__global__ void bitmask_kernel(const int *in, int n, int limit, unsigned *mask, unsigned *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = __ballot_sync(all_lanes, i < n && in[i] < limit);
  if (threadIdx.x % 32 == 0 && i < n) {
    mask[i / 32] = bits;
    atomicAdd(count, (unsigned)__popc(bits));
  }
}

CASE(ballot_bitmask) {
  Stream stream;
  Random random;
  for (size_t n : sizes()) {
    std::vector<int> in(n);
    for (auto &value : in) value = (int)(random() % 100);
    Array<int> din(in, stream);
    Array<unsigned> mask((n + 31) / 32, stream), count(1, stream);
    count.fill(0);
    ok(launch(bitmask_kernel, blocks(n, 256), 256, 0, stream, din.p, (int)n, 30, mask.p, count.p));
    auto bits = mask.values();
    for (size_t i = 0; i < n; i++) REQUIRE((bits[i / 32] >> i % 32 & 1) == (unsigned)(in[i] < 30));
    REQUIRE(count.values()[0] == (unsigned)std::count_if(in.begin(), in.end(), [](int v) { return v < 30; }));
  }
}

// ---- histogram in dynamic shared memory ----

__global__ void histogram_kernel(const unsigned char *in, int n, unsigned *out, int bins) {
  DYN_SHARED(local, unsigned);
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] % bins], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (local[bin]) atomicAdd(&out[bin], local[bin]);
  }
}

CASE(shared_histogram) {
  Stream stream;
  Random random;
  constexpr int bins = 100;
  for (size_t n : sizes()) {
    std::vector<unsigned char> in(n);
    std::vector<unsigned> expected(bins, 0);
    for (auto &value : in) expected[(value = (unsigned char)random()) % bins]++;
    Array<unsigned char> din(in, stream);
    Array<unsigned> out(bins, stream);
    out.fill(0);
    ok(launch(histogram_kernel, blocks(n, 1024), 256, bins * sizeof(unsigned), stream, din.p, (int)n, out.p,
              bins));
    REQUIRE(out.values() == expected);
  }
}

// ---- every atomic ----

__global__ void atomics_kernel(int *i, unsigned *u, unsigned long long *l, long long *s, float *f,
                               double *d) {
  int t = (int)threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&u[0], ~(1u << t % 32));
  atomicOr(&u[1], 1u << t % 32);
  atomicXor(&u[2], (unsigned)t);
  atomicInc(&u[3], 9u);
  atomicDec(&u[4], 9u);
  atomicAdd(&l[0], 1ull << 40);
  atomicMax(&l[1], (unsigned long long)t << 33);
  if (t == 77) atomicExch(&l[2], 5ull);
  unsigned long long seen = 0, expected;  // a guess: a plain read here would race
  do {
    expected = seen;
    seen = atomicCAS(&l[3], expected, expected + 2);
  } while (seen != expected);
  atomicMin(&s[0], -((long long)t << 35));
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
}

CASE(atomics) {
  Stream stream;
  Array<int> i(std::vector<int>(4, 0), stream);
  Array<unsigned> u(std::vector<unsigned>{~0u, 0, 0, 0, 0}, stream);
  Array<unsigned long long> l(std::vector<unsigned long long>(4, 0), stream);
  Array<long long> s(std::vector<long long>(1, 0), stream);
  Array<float> f(std::vector<float>(1, 0), stream);
  Array<double> d(std::vector<double>(1, 0), stream);
  ok(launch(atomics_kernel, 1, 256, 0, stream, i.p, u.p, l.p, s.p, f.p, d.p));
  REQUIRE((i.values() == std::vector<int>{32640, -32640, -255, 255}));
  REQUIRE((u.values() == std::vector<unsigned>{0, ~0u, 0, 6, 4}));
  REQUIRE((l.values() == std::vector<unsigned long long>{256ull << 40, 255ull << 33, 5, 512}));
  REQUIRE(s.values()[0] == -(255ll << 35) && f.values()[0] == 128.0f && d.values()[0] == 64.0);
}

// ---- warp collectives, each against its definition ----

__global__ void warp_kernel(int *out, double *wide) {
  int lane = (int)threadIdx.x % 32, value = lane * 3 + 1;
  int *o = out + threadIdx.x * 16;
  o[0] = __shfl_sync(all_lanes, value, 5);
  o[1] = __shfl_up_sync(all_lanes, value, 3);
  o[2] = __shfl_down_sync(all_lanes, value, 3);
  o[3] = __shfl_xor_sync(all_lanes, value, 6);
  o[4] = __shfl_sync(all_lanes, value, 1, 8);
  o[5] = __shfl_up_sync(all_lanes, value, 2, 8);
  o[6] = __shfl_down_sync(all_lanes, value, 2, 8);
  o[7] = __any_sync(all_lanes, lane == 9) + 2 * __all_sync(all_lanes, lane < 31);
  o[8] = (int)__match_any_sync(all_lanes, lane / 5);
  int all = 0;
  o[9] = (int)__match_all_sync(all_lanes, 42, &all) + all;
  o[10] = __reduce_min_sync(all_lanes, value - 50);
  o[11] = (int)__reduce_max_sync(all_lanes, (unsigned)(value - 50));
  o[12] = (int)__reduce_xor_sync(all_lanes, (unsigned)value);
  o[13] = __syncthreads_count(lane == 4);
  o[14] = __syncthreads_and(lane < 32) + 2 * __syncthreads_or(lane > 32);
  unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  o[15] = (int)__ballot_sync(half, lane % 2);
  wide[threadIdx.x] = __shfl_xor_sync(all_lanes, (double)value / 2, 1);
}

CASE(warp_collectives) {
  Stream stream;
  Array<int> out(64 * 16, stream);
  Array<double> wide(64, stream);
  ok(launch(warp_kernel, 1, 64, 0, stream, out.p, wide.p));
  auto result = out.values();
  auto doubles = wide.values();
  auto value = [](int lane) { return lane * 3 + 1; };
  int xored = 0;
  for (int lane = 0; lane < 32; lane++) xored ^= value(lane);
  for (int thread = 0; thread < 64; thread++) {
    int lane = thread % 32, segment = lane / 8 * 8, in_segment = lane % 8;
    const int *o = &result[(size_t)thread * 16];
    REQUIRE(o[0] == value(5));
    REQUIRE(o[1] == value(lane >= 3 ? lane - 3 : lane));
    REQUIRE(o[2] == value(lane < 29 ? lane + 3 : lane));
    REQUIRE(o[3] == value(lane ^ 6));
    REQUIRE(o[4] == value(segment + 1));
    REQUIRE(o[5] == value(in_segment >= 2 ? lane - 2 : lane));
    REQUIRE(o[6] == value(in_segment < 6 ? lane + 2 : lane));
    REQUIRE(o[7] == 1);
    REQUIRE((unsigned)o[8] == (lane / 5 == 6 ? 0xc0000000u : 0x1fu << lane / 5 * 5));
    REQUIRE(o[9] == 0);  // all lanes, −1, and 1
    REQUIRE(o[10] == -49);
    REQUIRE(o[11] == -1);  // value 49, less 50, as unsigned
    REQUIRE(o[12] == xored);
    REQUIRE(o[13] == 2);
    REQUIRE(o[14] == 1);
    REQUIRE((unsigned)o[15] == (lane < 16 ? 0x0000aaaau : 0xaaaa0000u));
    REQUIRE(doubles[(size_t)thread] == value(lane ^ 1) / 2.0);
  }
}

// ---- launches the device refuses ----

CASE(refused_launches) {
  Stream stream;
  Array<int> out(1, stream);
  auto fails_with = [&](cudaError_t expected, dim3 grid, dim3 block, size_t dynamic_shared) {
    REQUIRE(launch(index_kernel, grid, block, dynamic_shared, stream, out.p) == expected);
    REQUIRE(cudaGetLastError() == expected);
    REQUIRE(cudaGetLastError() == cudaSuccess);
  };
  fails_with(cudaErrorInvalidConfiguration, 0, 32, 0);
  fails_with(cudaErrorInvalidConfiguration, 1, 1025, 0);
  fails_with(cudaErrorInvalidConfiguration, 1, dim3(1, 1, 65), 0);
  fails_with(cudaErrorInvalidConfiguration, dim3(1, 65536), 1, 0);
  fails_with(cudaErrorInvalidValue, 1, 1, 49 << 10);
  ok(cudaFuncSetAttribute(index_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  ok(launch(index_kernel, 1, 1, 49 << 10, stream, out.p));
  REQUIRE(launch_cooperative(index_kernel, 100000, 1024, 0, stream, out.p) ==
          cudaErrorCooperativeLaunchTooLarge);
  stream.synchronize();
}

}  // namespace
}  // namespace cn_sim
