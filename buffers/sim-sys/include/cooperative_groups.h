// Cooperative groups: blocks, tiles up to a warp, coalesced threads, grids; reduce and scan over them.
#pragma once
#include "cuda_runtime.h"

namespace cn_sim {
namespace cooperative_groups {

struct thread_block {
  static void sync(SIM_LOC) { __syncthreads(SIM_L); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
  void sync(SIM_LOC) const { sim::grid_barrier(SIM_L); }
  bool is_valid() const { return sim::is_cooperative(); }
  unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  unsigned long long size() const { return num_blocks() * thread_block::size(); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
};
inline grid_group this_grid() { return {}; }

// Base of groups within a warp. A group implements mask(), size(), thread_rank(), lane_of(rank), and
// ranks_of(lanes), which converts a mask of lanes to one of ranks.
template <class Group>
struct warp_collectives {
  const Group &group() const { return *static_cast<const Group *>(this); }
  unsigned num_threads() const { return group().size(); }

  void sync(SIM_LOC) const { __syncwarp(group().mask(), SIM_L); }
  int any(int predicate, SIM_LOC) const { return __any_sync(group().mask(), predicate, SIM_L); }
  int all(int predicate, SIM_LOC) const { return __all_sync(group().mask(), predicate, SIM_L); }
  unsigned ballot(int predicate, SIM_LOC) const {
    return group().ranks_of(__ballot_sync(group().mask(), predicate, SIM_L));
  }
  template <class T>
  unsigned match_any(T value, SIM_LOC) const {
    return group().ranks_of(__match_any_sync(group().mask(), value, SIM_L));
  }
  template <class T>
  T shfl(T value, unsigned rank, SIM_LOC) const {
    return __shfl_sync(group().mask(), value, group().lane_of(rank), 32, SIM_L);
  }
  // Beyond the ends of the group a thread keeps its own value.
  template <class T>
  T shfl_down(T value, unsigned delta, SIM_LOC) const {
    unsigned own = group().thread_rank();
    return shfl(value, own + delta < group().size() ? own + delta : own, SIM_L);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, SIM_LOC) const {
    unsigned own = group().thread_rank();
    return shfl(value, own >= delta ? own - delta : own, SIM_L);
  }
  template <class T>
  T shfl_xor(T value, unsigned bits, SIM_LOC) const {
    unsigned own = group().thread_rank();
    return shfl(value, (own ^ bits) < group().size() ? own ^ bits : own, SIM_L);
  }
};

template <unsigned Size, class Parent = thread_block>
struct thread_block_tile : warp_collectives<thread_block_tile<Size, Parent>> {
  static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "tiles are powers of two up to a warp");
  static constexpr unsigned size() { return Size; }
  unsigned thread_rank() const { return lane() & (Size - 1); }
  unsigned meta_group_rank() const { return thread_block::thread_rank() / Size; }
  unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }

  unsigned mask() const { return (Size == 32 ? ~0u : (1u << (Size & 31)) - 1) << first_lane(); }
  int lane_of(unsigned rank) const { return (int)(first_lane() + (rank & (Size - 1))); }
  unsigned ranks_of(unsigned lanes) const { return lanes >> first_lane(); }

 private:
  static unsigned lane() { return thread_block::thread_rank() & 31; }
  static unsigned first_lane() { return lane() & ~(Size - 1); }
};
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}

struct coalesced_group : warp_collectives<coalesced_group> {
  explicit coalesced_group(unsigned lanes) : lanes_(lanes) {}
  unsigned size() const { return (unsigned)__popc(lanes_); }
  unsigned thread_rank() const { return (unsigned)__popc(lanes_ & ((1u << sim::lane_id()) - 1)); }

  unsigned mask() const { return lanes_; }
  int lane_of(unsigned rank) const {
    unsigned rest = lanes_;
    while (rank--) rest &= rest - 1;
    return __ffs((int)rest) - 1;
  }
  unsigned ranks_of(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned rest = lanes_; rest; rest &= rest - 1, rank++) {
      if (lanes & (rest & -rest)) ranks |= 1u << rank;
    }
    return ranks;
  }

 private:
  unsigned lanes_;
};
inline coalesced_group coalesced_threads(SIM_LOC) { return coalesced_group(__activemask(SIM_L)); }

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class Group, class T, class Op>
T reduce(const Group &group, T value, Op op) {
  unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned delta = 1; delta < size; delta *= 2) {
    T other = group.shfl_down(value, delta);
    if (rank + delta < size) value = op(value, other);
  }
  return group.shfl(value, 0);
}

template <class Group, class T, class Op>
T inclusive_scan(const Group &group, T value, Op op) {
  unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned delta = 1; delta < size; delta *= 2) {
    T other = group.shfl_up(value, delta);
    if (rank >= delta) value = op(other, value);
  }
  return value;
}

template <class Group>
void sync(const Group &group, SIM_LOC) {
  group.sync(SIM_L);
}

}  // namespace cooperative_groups
}  // namespace cn_sim
