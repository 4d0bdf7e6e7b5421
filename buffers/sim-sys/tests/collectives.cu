// Cooperative groups and the CUB replacement.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/cub.cuh>
#include <map>
#include <numeric>

#include "harness.h"

namespace cn_sim {
namespace {

namespace cg = cooperative_groups;

// ---- cooperative groups ----

__global__ void groups_kernel(const int *in, int *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(block);
  int i = (int)(blockIdx.x * blockDim.x + block.thread_rank()), value = i < n ? in[i] : 0;
  int sum = cg::reduce(warp, value, cg::plus<int>());
  int greatest = cg::reduce(eight, value, cg::greater<int>());
  if (warp.thread_rank() == 0) atomicAdd(&out[0], sum);
  if (eight.thread_rank() == 0) atomicMax(&out[1], greatest);
  if (value & 1) {
    auto odd = cg::coalesced_threads();
    if (odd.thread_rank() == 0) atomicAdd(&out[2], (int)odd.size());
  }
  block.sync();
}

CASE(cooperative_groups) {
  Stream stream;
  for (size_t n : sizes()) {
    std::vector<int> in(n);
    std::iota(in.begin(), in.end(), 5);
    Array<int> din(in, stream), out(std::vector<int>{0, INT_MIN, 0}, stream);
    ok(launch(groups_kernel, blocks(n, 256), 256, 0, stream, din.p, out.p, (int)n));
    int odd = (int)std::count_if(in.begin(), in.end(), [](int v) { return v & 1; });
    REQUIRE((out.values() == std::vector<int>{std::accumulate(in.begin(), in.end(), 0), (int)n + 4, odd}));
  }
}

// Every round moves each value by one position, which needs the whole grid's previous round.
__global__ void grid_sync_kernel(int *buffers, int n, int rounds) {
  auto grid = cg::this_grid();
  for (int round = 0; round < rounds; round++) {
    const int *from = buffers + round % 2 * n;
    int *to = buffers + (round + 1) % 2 * n;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) to[i] = from[(i + n - 1) % n] + 1;
    grid.sync();
  }
}

CASE(grid_sync) {
  Stream stream;
  constexpr int n = 3000, rounds = 5;
  Array<int> buffers(std::vector<int>(2 * n, 0), stream);
  ok(launch_cooperative(grid_sync_kernel, 8, 128, 0, stream, buffers.p, n, rounds));
  auto result = buffers.values();
  for (int i = 0; i < n; i++) REQUIRE(result[(size_t)(rounds % 2 * n + i)] == rounds);
}

// ---- block and warp collectives of CUB ----

template <int Block, int Items>
__global__ void block_kernel(const int *in, int *scanned, int *sums, int n) {
  using Load = cub::BlockLoad<int, Block, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, Block>;
  using Reduce = cub::BlockReduce<int, Block>;
  using Store = cub::BlockStore<int, Block, Items>;
  union Temp {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
  };
  SHARED(temp, Temp);
  int base = (int)blockIdx.x * Block * Items, values[Items], prefix[Items];
  Load(temp.load).Load(in + base, values, n - base, 0);
  __syncthreads();
  Scan(temp.scan).ExclusiveSum(values, prefix);
  __syncthreads();
  Store().Store(scanned + base, prefix, n - base);
  int sum = Reduce(temp.reduce).Sum(values);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

CASE(cub_block) {
  Stream stream;
  for (size_t n : sizes()) {
    std::vector<int> in(n);
    std::iota(in.begin(), in.end(), -7);
    Array<int> din(in, stream), scanned(n, stream), sums(blocks(n, 256), stream);
    ok(launch(block_kernel<64, 4>, blocks(n, 256), 64, 0, stream, din.p, scanned.p, sums.p, (int)n));
    auto prefixes = scanned.values(), totals = sums.values();
    for (size_t tile = 0; tile < totals.size(); tile++) {
      int running = 0;
      for (size_t i = tile * 256; i < std::min(n, tile * 256 + 256); i++) {
        REQUIRE(prefixes[i] == running);
        running += in[i];
      }
      REQUIRE(totals[tile] == running);
    }
  }
}

struct Extremes {
  int low, high;
};

__global__ void warp_kernel(const int *in, Extremes *out, int *scanned) {
  using Reduce = cub::WarpReduce<Extremes>;
  using Scan = cub::WarpScan<int, 16>;
  SHARED(reduce, typename Reduce::TempStorage[2]);
  SHARED(scan, typename Scan::TempStorage[4]);
  int value = in[threadIdx.x];
  auto widen = [](Extremes a, Extremes b) { return Extremes{min(a.low, b.low), max(a.high, b.high)}; };
  Extremes both = Reduce(reduce[threadIdx.x / 32]).Reduce(Extremes{value, value}, widen);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = both;
  Scan(scan[threadIdx.x / 16]).InclusiveSum(value, scanned[threadIdx.x]);
}

CASE(cub_warp) {
  Stream stream;
  Random random;
  std::vector<int> in(64);
  for (auto &value : in) value = (int)(random() % 1000) - 500;
  Array<int> din(in, stream), scanned(64, stream);
  Array<Extremes> out(2, stream);
  ok(launch(warp_kernel, 1, 64, 0, stream, din.p, out.p, scanned.p));
  auto extremes = out.values();
  auto sums = scanned.values();
  for (size_t warp = 0; warp < 2; warp++) {
    auto [low, high] = std::minmax_element(in.begin() + warp * 32, in.begin() + warp * 32 + 32);
    REQUIRE(extremes[warp].low == *low && extremes[warp].high == *high);
  }
  for (size_t i = 0, running = 0; i < 64; i++) {
    running = i % 16 ? running + (size_t)in[i] : (size_t)in[i];
    REQUIRE(sums[i] == (int)running);
  }
}

// ---- device-wide algorithms of CUB ----

// Both phases of a call, with exactly the temporary storage that it requested.
template <class F>
void two_phase(cudaStream_t stream, F call) {
  size_t bytes = 0;
  ok(call(nullptr, bytes));
  void *temp = nullptr;
  ok(cudaMallocAsync(&temp, bytes, stream));
  size_t too_few = bytes - 1;
  REQUIRE(call(temp, too_few) == cudaErrorInvalidValue);
  ok(call(temp, bytes));
  ok(cudaFreeAsync(temp, stream));
}

std::vector<int> some_values(size_t n) {
  Random random;
  std::vector<int> values(n);
  for (auto &value : values) value = (int)(random() % 2001) - 1000;
  return values;
}

CASE(cub_scan_and_reduce) {
  Stream stream;
  for (size_t n : sizes()) {
    auto in = some_values(n);
    Array<int> din(in, stream), out(n, stream), one(1, stream);
    auto count = (int64_t)n;
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceScan::InclusiveSum(t, b, din.p, out.p, count, stream);
    });
    auto sums = out.values();
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceScan::ExclusiveScan(t, b, din.p, din.p, cuda::maximum<>{}, INT_MIN, count, stream);
    });
    auto highest = din.values();
    for (size_t i = 0, sum = 0; i < n; i++) {
      sum += (size_t)in[i];
      REQUIRE(sums[i] == (int)sum);
      REQUIRE(highest[i] == (i ? *std::max_element(in.begin(), in.begin() + (long)i) : INT_MIN));
    }
    auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(int64_t{1}),
                                                   [](int64_t i) { return i * i; });
    Array<int64_t> total(1, stream);
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceReduce::Sum(t, b, squares, total.p, count, stream);
    });
    REQUIRE(total.values()[0] == count * (count + 1) * (2 * count + 1) / 6);
    Array<int> again(in, stream);
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceReduce::Min(t, b, again.p, one.p, count, stream);
    });
    REQUIRE(one.values()[0] == *std::min_element(in.begin(), in.end()));
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceReduce::Max(t, b, again.p, one.p, count, stream);
    });
    REQUIRE(one.values()[0] == *std::max_element(in.begin(), in.end()));
  }
}

CASE(cub_select) {
  Stream stream;
  for (size_t n : sizes()) {
    auto in = some_values(n);
    std::vector<uint8_t> flags(n);
    for (size_t i = 0; i < n; i++) flags[i] = in[i] > 0;
    Array<int> din(in, stream), out(n, stream);
    Array<uint8_t> dflags(flags, stream);
    Array<int64_t> count(1, stream);
    auto rows = (int64_t)n;
    std::vector<int> kept, rest;
    for (int value : in) (value > 0 ? kept : rest).push_back(value);
    auto selected = [&] {
      auto all = out.values();
      all.resize((size_t)count.values()[0]);
      return all;
    };
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceSelect::Flagged(t, b, din.p, dflags.p, out.p, count.p, rows, stream);
    });
    REQUIRE(selected() == kept);
    out.fill(0);
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceSelect::If(t, b, din.p, out.p, count.p, rows, [](int v) { return v > 0; }, stream);
    });
    REQUIRE(selected() == kept);
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DevicePartition::Flagged(t, b, din.p, dflags.p, out.p, count.p, rows, stream);
    });
    REQUIRE(count.values()[0] == (int64_t)kept.size());
    auto partitioned = kept;
    partitioned.insert(partitioned.end(), rest.rbegin(), rest.rend());
    REQUIRE(out.values() == partitioned);
  }
}

CASE(cub_runs) {
  Stream stream;
  std::vector<int> in{4, 4, 4, 7, 7, 4, 9}, values{1, 2, 3, 4, 5, 6, 7};
  auto n = (int64_t)in.size();
  Array<int> din(in, stream), dvalues(values, stream), unique(in.size(), stream), lengths(in.size(), stream);
  Array<int> runs(1, stream);
  auto first_four = [](const Array<int> &array) {
    auto all = array.values();
    all.resize(4);
    return all;
  };
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, din.p, unique.p, lengths.p, runs.p, n, stream);
  });
  REQUIRE(runs.values()[0] == 4);
  REQUIRE((first_four(unique) == std::vector<int>{4, 7, 4, 9}));
  REQUIRE((first_four(lengths) == std::vector<int>{3, 2, 1, 1}));
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceSelect::Unique(t, b, din.p, unique.p, runs.p, n, stream);
  });
  REQUIRE((first_four(unique) == std::vector<int>{4, 7, 4, 9}));
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceReduce::ReduceByKey(t, b, din.p, thrust::make_discard_iterator(), dvalues.p, lengths.p,
                                          runs.p, cuda::std::plus<>{}, n, stream);
  });
  REQUIRE((first_four(lengths) == std::vector<int>{6, 9, 6, 7}));
  std::vector<int> offsets{0, 3, 3, 7};
  Array<int> doffsets(offsets, stream), sums(3, stream);
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, dvalues.p, sums.p, int64_t{3}, doffsets.p, doffsets.p + 1,
                                           stream);
  });
  REQUIRE((sums.values() == std::vector<int>{6, 0, 22}));
}

template <class K>
void check_radix_sort(const std::vector<K> &keys, int begin_bit, int end_bit, bool (*less)(K, K)) {
  Stream stream;
  size_t n = keys.size();
  std::vector<int> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  auto expected = rows;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int a, int b) { return less(keys[(size_t)a], keys[(size_t)b]); });
  Array<K> in(keys, stream), out(n, stream);
  Array<int> drows(rows, stream), sorted(n, stream);
  auto count = (int64_t)n;
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceRadixSort::SortPairs(t, b, in.p, out.p, drows.p, sorted.p, count, begin_bit, end_bit,
                                           stream);
  });
  REQUIRE(sorted.values() == expected);
  auto sorted_keys = out.values();
  for (size_t i = 0; i < n; i++) REQUIRE(!memcmp(&sorted_keys[i], &keys[(size_t)expected[i]], sizeof(K)));
  std::stable_sort(rows.begin(), rows.end(),
                   [&](int a, int b) { return less(keys[(size_t)b], keys[(size_t)a]); });
  two_phase(stream, [&](void *t, size_t &b) {
    return cub::DeviceRadixSort::SortPairsDescending(t, b, in.p, out.p, drows.p, sorted.p, count, begin_bit,
                                                     end_bit, stream);
  });
  REQUIRE(sorted.values() == rows);
}

CASE(cub_radix_sort) {
  for (size_t n : sizes()) {
    auto ints = some_values(n);
    check_radix_sort<int>(ints, 0, 32, [](int a, int b) { return a < b; });
    check_radix_sort<int>(ints, 4, 8, [](int a, int b) { return (a >> 4 & 15) < (b >> 4 & 15); });
    std::vector<double> doubles;
    std::vector<uint64_t> longs;
    for (int v : ints) doubles.push_back(v / 8.0), longs.push_back((uint64_t)v * 0x9E3779B97F4A7C15ull);
    check_radix_sort<double>(doubles, 0, 64, [](double a, double b) { return a < b; });
    check_radix_sort<uint64_t>(longs, 0, 64, [](uint64_t a, uint64_t b) { return a < b; });
  }
}

CASE(cub_merge_sort) {
  Stream stream;
  for (size_t n : sizes()) {
    auto keys = some_values(n);
    std::vector<int> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    Array<int> dkeys(keys, stream), drows(rows, stream);
    auto by_tens = [](int a, int b) { return a / 10 > b / 10; };
    two_phase(stream, [&](void *t, size_t &b) {
      return cub::DeviceMergeSort::StableSortPairs(t, b, dkeys.p, drows.p, (int64_t)n, by_tens, stream);
    });
    std::stable_sort(rows.begin(), rows.end(),
                     [&](int a, int b) { return by_tens(keys[(size_t)a], keys[(size_t)b]); });
    REQUIRE(drows.values() == rows);
    std::stable_sort(keys.begin(), keys.end(), by_tens);
    REQUIRE(dkeys.values() == keys);
  }
}

}  // namespace
}  // namespace cn_sim
