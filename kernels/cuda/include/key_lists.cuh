// The rows that have each key, for keys of one word with duplicates: rows are sorted stably by the slot of their key, so
// that those of a key are a run.
//   clear_lists     empties what the range of the keys asks for
//   slots_of_keys   the slot of each row: the difference to the least key if the range is small, else by hashing
//   mark_runs       where the run of each slot begins and ends
//   find_runs       the run of each row of another side
// Keys are read where they are. All kernels decide by the range on the device, so that nothing waits for it.
#pragma once
#include "key_lookup.cuh"

namespace CN_BUILD {

// The rows [start, end) of those sorted by slot. All ones and 0, one row, where a row without a match is kept.
template <class Row>
struct alignas(2 * sizeof(Row)) RowRun {
  Row start;
  Row end;

  static __device__ __forceinline__ RowRun none(bool keeps) { return {keeps ? static_cast<Row>(-1) : Row{0}, Row{0}}; }
  __device__ __forceinline__ Row count() const { return end - start; }
  __device__ __forceinline__ bool is_none() const { return start == static_cast<Row>(-1); }
};

// How runs are found for the rows of another side.
template <class Row>
struct Finding {
  // Of each row, or in place of it the two ends.
  RowRun<Row> *found;
  Row *starts;
  Row *ends;
  // A bit for each slot that has been found; may be null.
  uint32_t *marks;
  // Whether rows without a match are kept.
  bool keeps;

  // Every thread of the block must call this. `slot`: all ones without a match.
  __device__ __forceinline__ void store(int64_t row, int64_t rows, uint64_t slot, const RowRun<Row> *runs) const {
    bool matches = row < rows && slot != ~uint64_t{0};
    RowRun<Row> run = RowRun<Row>::none(keeps);
    if (matches) run = runs[slot];
    // Of a small range there may be no row.
    if (matches && run.count() == 0) {
      run = RowRun<Row>::none(keeps);
      matches = false;
    }
    if (marks != nullptr) {
      // One lane for each slot, so that a frequent key makes no queue of atomics.
      unsigned with_slot = __ballot_sync(0xffffffffu, matches);
      unsigned same = __match_any_sync(0xffffffffu, static_cast<unsigned long long>(slot)) & with_slot;
      if (matches && __ffs(static_cast<int>(same)) - 1 == static_cast<int>(threadIdx.x % 32)) {
        atomicOr(&marks[slot / 32], 1u << (slot % 32));
      }
    }
    if (row >= rows) return;
    if (found != nullptr) {
      found[row] = run;
    } else {
      starts[row] = run.start;
      ends[row] = run.end;
    }
  }
};

namespace lists_detail {

// Of a table that is addressed by keys; no other run is read before it is written.
static __global__ void clear_lists(const __grid_constant__ KeyLookup lookup, RowRun<unsigned> *runs) {
  KeySpan keys = lookup.key_span();
  if (!keys.direct) return;
  uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t slot = static_cast<uint64_t>(thread_index()); slot <= keys.span; slot += step) {
    runs[slot] = RowRun<unsigned>{0, 0};
  }
}

// All ones for excluded rows. `numbers`: 0, 1, 2 …
static __global__ void slots_of_keys(const __grid_constant__ KeyLookup lookup, unsigned *slots, unsigned *numbers,
                                     int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  numbers[row] = static_cast<unsigned>(row);
  unsigned slot = ~0u;
  if (lookup.columns.takes_part(row)) {
    KeySpan keys = lookup.key_span();
    uint64_t key = lookup.key(row);
    bool is_new;
    slot = static_cast<unsigned>(keys.direct ? key - keys.least : lookup.insert(key, row, keys, false, &is_new));
  }
  slots[row] = slot;
}

// `slots` are sorted; those of excluded rows, from `capacity` on, have no run.
template <class Row>
__global__ void mark_runs(const Row *slots, RowRun<Row> *runs, uint64_t capacity, int64_t rows) {
  int64_t i = thread_index();
  Row slot = i < rows ? slots[i] : static_cast<Row>(-1);
  int lane = static_cast<int>(threadIdx.x % 32);
  Row before = __shfl_up_sync(0xffffffffu, slot, 1), after = __shfl_down_sync(0xffffffffu, slot, 1);
  if (slot >= capacity || i >= rows) return;
  if (lane == 0 && i > 0) before = slots[i - 1];
  if (lane == 31 && i + 1 < rows) after = slots[i + 1];
  if (i == 0 || before != slot) runs[slot].start = static_cast<Row>(i);
  if (i + 1 == rows || after != slot) runs[slot].end = static_cast<Row>(i + 1);
}

static __global__ void find_runs(const __grid_constant__ KeyLookup lookup, const __grid_constant__ KeyColumns columns,
                                 const RowRun<unsigned> *runs, Finding<unsigned> finding, int64_t rows) {
  int64_t row = thread_index();
  uint64_t slot = ~uint64_t{0};
  if (row < rows && columns.takes_part(row)) {
    KeySpan keys = lookup.key_span();
    uint64_t key = packed_key(columns, lookup.packing, row);
    unsigned other;
    if (!keys.direct) slot = lookup.find_slot(key, keys, &other);
    else if (key - keys.least <= keys.span) slot = key - keys.least;
  }
  finding.store(row, rows, slot, runs);
}

}  // namespace lists_detail

// Slots of sorted rows and their runs.
template <class Row>
struct KeyLists {
  RowRun<Row> *runs;
  // Of each row, all ones for an excluded one.
  Row *slots;
  // The rows by slot.
  Row *sorted;
  int64_t capacity;

  // Memory for slots, and for runs if they are wanted. False without it.
  bool create(const Alloc &alloc, int64_t slot_count, int64_t rows, bool has_runs) {
    capacity = slot_count;
    runs = has_runs ? alloc.scratch<RowRun<Row>>(slot_count) : nullptr;
    slots = alloc.scratch<Row>(rows);
    return slots != nullptr && (!has_runs || runs != nullptr);
  }

  // Sorts `numbers` by slot into `sorted` and marks the runs. `bits`: of the slots, all ones of which no row has but
  // excluded ones.
  cudaError_t sort(const Alloc &alloc, const Row *numbers, int bits, int64_t rows, cudaStream_t stream) const {
    Row *sorted_slots = alloc.scratch<Row>(rows);
    if (sorted_slots == nullptr) return cudaErrorMemoryAllocation;
    int most = static_cast<int>(sizeof(Row)) * 8;
    CN_TRY(prim::sort_pairs(alloc, static_cast<const Row *>(slots), sorted_slots, numbers, sorted, rows, 0,
                            bits < most ? bits : most, stream));
    return launch(lists_detail::mark_runs<Row>, blocks_for(rows, kThreads), kThreads, 0, stream,
                  static_cast<const Row *>(sorted_slots), runs, static_cast<uint64_t>(capacity), rows);
  }
};

// Bits of the numbers up to `largest`, of which none is all ones if `spares_ones`.
inline int slot_bits(uint64_t largest, bool spares_ones) {
  int bits = 1;
  while (bits < 64 && (largest + spares_ones) >> bits != 0) bits++;
  return bits;
}

// The lists of the rows of `lookup`, whose hash table has been cleared and may have rows already. `range`: its range on the
// host. `lists->sorted` has memory.
inline cudaError_t list_keys(const Alloc &alloc, const KeyLookup &lookup, const uint64_t *range, int64_t rows,
                             KeyLists<unsigned> *lists, cudaStream_t stream) {
  using namespace lists_detail;
  if (!lists->create(alloc, static_cast<int64_t>(lookup.slots), rows, true)) return cudaErrorMemoryAllocation;
  unsigned *numbers = alloc.scratch<unsigned>(rows);
  if (numbers == nullptr) return cudaErrorMemoryAllocation;
  unsigned clearing = blocks_for(static_cast<int64_t>(lookup.capacity), 4 * kThreads);
  CN_TRY(launch(clear_lists, clearing, kThreads, 0, stream, lookup, lists->runs));
  if (rows == 0) return cudaSuccess;
  CN_TRY(launch(slots_of_keys, blocks_for(rows, kThreads), kThreads, 0, stream, lookup, lists->slots, numbers, rows));
  uint64_t span = ~range[1] - range[0];
  uint64_t largest = span < lookup.slots ? span : lookup.capacity - 1;
  return lists->sort(alloc, numbers, slot_bits(largest, lookup.columns.drop_nulls != 0), rows, stream);
}

}  // namespace CN_BUILD
