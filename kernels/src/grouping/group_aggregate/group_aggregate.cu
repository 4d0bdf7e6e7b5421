// Aggregation by key in one pass, for keys of 64 bits and few groups.
//   aggregate_ranges  a block a fixed range of rows: a table of keys and the states of its groups in shared memory. Lanes
//                     of one group are folded by shuffles, and one of them adds to the state: integers by 32-bit
//                     atomics with carry, floats warp by warp in row order. At its end a block puts each key into the
//                     table of all blocks once, and its states into global memory
//   rank_groups       orders the groups by their first rows
//   merge_ranges      a warp a group merges the states of the ranges in order and writes the results
// Reads keys and values once. Ranges depend on the number of rows alone, so that sums of floats are the same bytes in
// every run. Blocks stop at the first that has too many groups; the caller then groups in other ways. One
// synchronisation, for the number of groups.
#include "group_aggregate.abi.h"
#include "aggregation.cuh"
#include "arithmetic.cuh"
#include "key_ranges.cuh"
#include "value_words.cuh"

namespace CN_BUILD {
namespace {

using Policy = GroupAggregatePolicy;
constexpr int kBlockThreads = Policy::kBlockThreads;
constexpr int kWarps = kBlockThreads / 32;
constexpr int kItems = Policy::kItems;
constexpr int kTile = kBlockThreads * kItems;
constexpr int kSlots = Policy::kSlots;
constexpr int kMergedGroups = Policy::kMergedGroups;

// Marks empty slots. The key of this value has a place of its own, behind the last slot.
constexpr Word kNoKey = ~Word{0};
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint16_t kNoPlace = UINT16_MAX;
constexpr unsigned kWarp = 0xffffffffu;

// What a state counts or adds up.
enum Kind : int32_t { ROWS, VALID, ADD, ADD_WIDE, ADD_FLOAT, LEAST, GREATEST };

// A part of the state of a group: one word, ADD_WIDE two.
struct Field {
  int32_t kind;
  // Of the values; -1 for ROWS.
  int32_t column;
  int32_t word;
};

struct Plan {
  KeyColumns keys;
  Packing packing;
  ColumnDesc values[Policy::kMostColumns];
  // Ordered by column.
  Field fields[2 * Policy::kMostRequests];
  int32_t field_count;
  // The least power of two that is not less.
  int32_t field_lanes;
  int32_t words;
  int32_t block_groups;
  int32_t ranges;
  int64_t range_rows;
  int64_t rows;
};

// What blocks share. All bytes but those of `states` begin as 0xff.
struct Tables {
  Word *keys;
  // The first row of each slot.
  uint32_t *first;
  // 0: there are too many groups.
  uint32_t *space;
  // For each slot and range the group of the block.
  uint16_t *place;
  // For each range and group of the block its words.
  Word *states;
  int32_t slots;
};

struct State {
  Word low;
  Word high;
};

__device__ __forceinline__ State empty_state(int32_t kind) { return {kind == LEAST ? ~Word{0} : 0, 0}; }

// `b` is of later rows.
__device__ __forceinline__ State merge_states(int32_t kind, const State &a, const State &b) {
  switch (kind) {
    case LEAST: return {a.low < b.low ? a.low : b.low, 0};
    case GREATEST: return {a.low > b.low ? a.low : b.low, 0};
    case ADD_FLOAT: {
      double sum = __longlong_as_double(static_cast<long long>(a.low)) +
                   __longlong_as_double(static_cast<long long>(b.low));
      return {static_cast<Word>(__double_as_longlong(sum)), 0};
    }
    case ADD_WIDE: {
      Word low = a.low + b.low;
      return {low, a.high + b.high + (low < a.low)};
    }
    default: return {a.low + b.low, 0};
  }
}

__device__ __forceinline__ State shuffled(int32_t kind, const State &state, int lane) {
  return {__shfl_sync(kWarp, state.low, lane), kind == ADD_WIDE ? __shfl_sync(kWarp, state.high, lane) : 0};
}

// Merges the states of the lanes in `peers`, neighbours first; the least of them gets the result. Every lane of the warp
// must call this.
template <int32_t kKind>
__device__ __forceinline__ State fold_peers(State mine, unsigned peers) {
  int lane = static_cast<int>(threadIdx.x % 32);
  unsigned above = peers & (0xfffffffeu << lane);
  int rank = __popc(peers & ((1u << lane) - 1));
  while (__any_sync(kWarp, above != 0)) {
    int next = __ffs(static_cast<int>(above)) - 1;
    State later = shuffled(kKind, mine, next < 0 ? lane : next);
    if (next >= 0) mine = merge_states(kKind, mine, later);
    // Those with an odd rank have been taken.
    above &= ~__ballot_sync(kWarp, rank & 1);
    rank >>= 1;
  }
  return mine;
}

__device__ __forceinline__ uint32_t first_slot(Word key, int slots) {
  return static_cast<uint32_t>(mix_word(mix_word(0, key), 0)) & static_cast<uint32_t>(slots - 1);
}

// The slot of a key that is not kNoKey, which becomes its slot if none was; kNone if the table is full. `count` of
// more than `most` says that as well.
__device__ __forceinline__ uint32_t find_slot(Word *table, int slots, Word key, const uint32_t *count, uint32_t most,
                                              bool *inserted) {
  uint32_t at = first_slot(key, slots);
  for (int probe = 0; probe < slots; probe++) {
    Word found = load_relaxed(&table[at]);
    if (found == kNoKey) {
      found = atomicCAS(&table[at], kNoKey, key);
      if (found == kNoKey) {
        *inserted = true;
        return at;
      }
    }
    if (found == key) return at;
    if (count != nullptr && load_relaxed(count) > most) return kNone;
    at = (at + 1) & static_cast<uint32_t>(slots - 1);
  }
  return kNone;
}

// Adds to words of 64 bits by atomics of 32 bits, which shared memory has. `stride`: from one word to the next.
template <int kWords>
__device__ __forceinline__ void add_words(Word *words, int stride, const State &value) {
  uint64_t carry = 0;
#pragma unroll
  for (int k = 0; k < 2 * kWords; k++) {
    Word word = k < 2 ? value.low : value.high;
    uint64_t added = static_cast<uint32_t>(word >> (32 * (k % 2))) + carry;
    carry = added >> 32;
    uint32_t low = static_cast<uint32_t>(added);
    if (low == 0) continue;
    uint32_t before = atomicAdd(reinterpret_cast<unsigned *>(words + (k / 2) * stride) + k % 2, low);
    carry += (static_cast<uint64_t>(before) + low) >> 32;
  }
}

// The rows of a warp in a tile.
struct Rows {
  uint32_t group[kItems];
  unsigned peers[kItems];
  // Bit k: this lane adds for its peers.
  unsigned leads;
  // The values: integers extended to 64 bits, floats as doubles. Bit k: this row has one.
  Word value[kItems];
  unsigned valid;
};

template <int32_t kKind>
__device__ __forceinline__ void accumulate(Word *states, int stride, const Rows &rows, int32_t storage) {
  bool is_float = storage == F32 || storage == F64;
  State folded[kItems];
#pragma unroll
  for (int k = 0; k < kItems; k++) {
    State state = empty_state(kKind);
    if (rows.valid >> k & 1) {
      Word value = rows.value[k];
      state.low = value;
      if (kKind == ADD_WIDE) state.high = is_signed(storage) && (value & kSign) != 0 ? ~Word{0} : 0;
      if (kKind == LEAST || kKind == GREATEST) {
        if (is_float) {
          double number = __longlong_as_double(static_cast<long long>(value));
          Word nan = kKind == LEAST ? ~Word{0} : 0;
          state.low = number != number ? nan : (value & kSign) != 0 ? ~value : value | kSign;
        } else if (is_signed(storage)) {
          state.low = value ^ kSign;
        }
      }
    }
    folded[k] = fold_peers<kKind>(state, rows.peers[k]);
  }
  if constexpr (kKind == ADD_FLOAT) {
    int warp = static_cast<int>(threadIdx.x / 32);
    for (int round = 0; round < kWarps; round++) {
      if (round == warp) {
#pragma unroll
        for (int k = 0; k < kItems; k++) {
          if (rows.leads >> k & 1) {
            Word *state = states + rows.group[k];
            *state = merge_states(ADD_FLOAT, {*state, 0}, folded[k]).low;
          }
          __syncwarp();
        }
      }
      __syncthreads();
    }
  } else {
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      if ((rows.leads >> k & 1) == 0) continue;
      Word *state = states + rows.group[k];
      if constexpr (kKind == ADD) {
        add_words<1>(state, stride, folded[k]);
      } else if constexpr (kKind == ADD_WIDE) {
        add_words<2>(state, stride, folded[k]);
      } else {
        // Few rows change an extreme.
        Word before = load_relaxed(state);
        while (kKind == LEAST ? folded[k].low < before : folded[k].low > before) {
          Word found = atomicCAS(state, before, folded[k].low);
          if (found == before) break;
          before = found;
        }
      }
    }
  }
}

// Adds the values of one tile to the states of the block.
__device__ __forceinline__ void accumulate_tile(const Plan &plan, Word *states, Rows &rows, int64_t base) {
  int known_valid = -1, loaded = -1;
  for (int f = 0; f < plan.field_count; f++) {
    const Field &field = plan.fields[f];
    Word *words = states + field.word * plan.block_groups;
    if (field.kind == ROWS) {
#pragma unroll
      for (int k = 0; k < kItems; k++) {
        if (rows.leads >> k & 1) {
          atomicAdd(reinterpret_cast<unsigned *>(words + rows.group[k]), static_cast<unsigned>(__popc(rows.peers[k])));
        }
      }
      continue;
    }
    const ColumnDesc &column = plan.values[field.column];
    if (field.column != known_valid) {
      known_valid = field.column;
      rows.valid = 0;
#pragma unroll
      for (int k = 0; k < kItems; k++) {
        if (rows.group[k] != kNone && column.valid(base + 32 * k)) rows.valid |= 1u << k;
      }
    }
    if (field.kind != VALID && field.column != loaded) {
      loaded = field.column;
#pragma unroll
      for (int k = 0; k < kItems; k++) {
        if ((rows.valid >> k & 1) == 0) continue;
        rows.value[k] = column.storage == F32 ? static_cast<Word>(__double_as_longlong(column.at<float>(base + 32 * k)))
                                              : low_word(column, base + 32 * k);
      }
    }
    switch (field.kind) {
      case VALID:
#pragma unroll
        for (int k = 0; k < kItems; k++) {
          unsigned valid = rows.peers[k] & __ballot_sync(kWarp, rows.valid >> k & 1);
          if ((rows.leads >> k & 1) && valid != 0) {
            atomicAdd(reinterpret_cast<unsigned *>(words + rows.group[k]), static_cast<unsigned>(__popc(valid)));
          }
        }
        break;
      case ADD: accumulate<ADD>(words, plan.block_groups, rows, column.storage); break;
      case ADD_WIDE: accumulate<ADD_WIDE>(words, plan.block_groups, rows, column.storage); break;
      case ADD_FLOAT: accumulate<ADD_FLOAT>(words, plan.block_groups, rows, column.storage); break;
      case LEAST: accumulate<LEAST>(words, plan.block_groups, rows, column.storage); break;
      default: accumulate<GREATEST>(words, plan.block_groups, rows, column.storage); break;
    }
  }
}

__global__ void __launch_bounds__(kBlockThreads) aggregate_ranges(const __grid_constant__ Plan plan, Tables tables) {
  DYN_SHARED(shared, Word);
  SHARED(count, uint32_t);
  // The group of kNoKey.
  SHARED(last_id, uint32_t);
  int groups = plan.block_groups;
  int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  Word *keys = shared;
  Word *states = keys + kSlots;
  uint32_t *first = reinterpret_cast<uint32_t *>(states + plan.words * groups);
  uint16_t *ids = reinterpret_cast<uint16_t *>(first + groups);
  for (int k = thread; k < kSlots; k += kBlockThreads) keys[k] = kNoKey;
  for (int k = thread; k < groups; k += kBlockThreads) first[k] = kNone;
  for (int f = 0; f < plan.field_count; f++) {
    const Field &field = plan.fields[f];
    int words = field.kind == ADD_WIDE ? 2 * groups : groups;
    Word empty = empty_state(field.kind).low;
    for (int k = thread; k < words; k += kBlockThreads) states[field.word * groups + k] = empty;
  }
  if (thread == 0) {
    count = 0;
    last_id = kNone;
  }
  __syncthreads();

  int64_t begin = static_cast<int64_t>(blockIdx.x) * plan.range_rows;
  int64_t end = begin + plan.range_rows < plan.rows ? begin + plan.range_rows : plan.rows;
  for (int64_t tile = begin; tile < end; tile += kTile) {
    int64_t base = tile + thread / 32 * (32 * kItems) + lane;
    Rows rows{};
    Word key[kItems];
    bool stop = thread == 0 && load_relaxed(tables.space) == 0;
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      int64_t row = base + 32 * k;
      bool in = row < end && plan.keys.takes_part(row);
      rows.group[k] = in ? 0 : kNone;
      key[k] = in ? packed_key(plan.keys, plan.packing, row) : 0;
    }
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      if (rows.group[k] == kNone) continue;
      bool inserted = false;
      uint32_t slot = kSlots;
      if (key[k] != kNoKey) {
        slot = find_slot(keys, kSlots, key[k], &count, static_cast<uint32_t>(groups), &inserted);
      } else if (load_relaxed(&last_id) == kNone) {
        inserted = atomicCAS(&last_id, kNone, kNone - 1) == kNone;
      }
      if (inserted) {
        uint32_t id = atomicAdd(&count, 1u);
        if (slot == kSlots) atomicExch(&last_id, id);
        else ids[slot] = static_cast<uint16_t>(id);
        stop |= id >= static_cast<uint32_t>(groups);
      }
      stop |= slot == kNone;
      rows.group[k] = slot;
    }
    // Ids are there after the barrier.
    if (__syncthreads_or(stop)) {
      if (thread == 0) atomicExch(tables.space, 0u);
      return;
    }
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      if (rows.group[k] != kNone) rows.group[k] = rows.group[k] == kSlots ? load_relaxed(&last_id) : ids[rows.group[k]];
      uint32_t group = rows.group[k];
      unsigned peers = __match_any_sync(kWarp, group);
      rows.peers[k] = group == kNone ? 1u << lane : peers;
      if (group == kNone || lane != __ffs(static_cast<int>(peers)) - 1) continue;
      rows.leads |= 1u << k;
      uint32_t row = static_cast<uint32_t>(base + 32 * k);
      if (load_relaxed(&first[group]) > row) atomicMin(&first[group], row);
    }
    accumulate_tile(plan, states, rows, base);
  }
  __syncthreads();

  for (int slot = thread; slot <= kSlots; slot += kBlockThreads) {
    Word key = slot < kSlots ? keys[slot] : kNoKey;
    if (slot < kSlots ? key == kNoKey : last_id == kNone) continue;
    uint32_t id = slot < kSlots ? ids[slot] : last_id;
    bool inserted;
    uint32_t at = static_cast<uint32_t>(tables.slots);
    if (slot < kSlots) at = find_slot(tables.keys, tables.slots, key, nullptr, 0, &inserted);
    if (at == kNone) {
      atomicExch(tables.space, 0u);
      continue;
    }
    if (load_relaxed(&tables.first[at]) > first[id]) atomicMin(&tables.first[at], first[id]);
    tables.place[static_cast<int64_t>(at) * plan.ranges + blockIdx.x] = static_cast<uint16_t>(id);
  }
  Word *out = tables.states + static_cast<int64_t>(blockIdx.x) * plan.words * groups;
  for (int k = thread; k < static_cast<int>(count) * plan.words; k += kBlockThreads) {
    out[k] = states[k % plan.words * groups + k / plan.words];
  }
}

// One block. The slots in the order of their first rows, and their number; -1 for too many groups.
__global__ void rank_groups(Tables tables, uint32_t *order, int64_t *groups) {
  SHARED(first, uint32_t[Policy::kMostGroups]);
  SHARED(slots, uint16_t[Policy::kMostGroups]);
  SHARED(count, uint32_t);
  int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  if (thread == 0) count = 0;
  __syncthreads();
  for (int slot = thread; slot <= tables.slots; slot += threads) {
    uint32_t row = tables.first[slot];
    if (row == kNone) continue;
    uint32_t at = atomicAdd(&count, 1u);
    if (at >= Policy::kMostGroups) continue;
    first[at] = row;
    slots[at] = static_cast<uint16_t>(slot);
  }
  __syncthreads();
  bool fits = count <= Policy::kMostGroups && *tables.space != 0;
  if (thread == 0) *groups = fits ? static_cast<int64_t>(count) : -1;
  if (!fits) return;
  for (int k = thread; k < static_cast<int>(count); k += threads) {
    uint32_t row = first[k], rank = 0;
    for (uint32_t other = 0; other < count; other++) rank += first[other] < row;
    order[rank] = slots[k];
  }
}

// A result: of which field, where it goes, and the count that it is divided by or that makes it null (-1: none).
struct Result {
  int32_t aggregation;
  int32_t input;
  int32_t output;
  int32_t field;
  int32_t count;
  void *out;
  uint8_t *mask;
};

struct Results {
  Result all[Policy::kMostRequests];
  int32_t count;
};

// The states of a group over all ranges, that of field f in lane f. Side by side are the fields of a range, which are
// neighbours in memory, and as many ranges as the warp has lanes for.
__device__ __forceinline__ State merged_states(const Plan &plan, const Tables &tables, uint32_t slot) {
  int lane = static_cast<int>(threadIdx.x % 32), at = lane & (plan.field_lanes - 1);
  bool has_field = at < plan.field_count;
  Field field = plan.fields[has_field ? at : 0];
  State state = empty_state(field.kind);
  for (int range = lane / plan.field_lanes; range < plan.ranges; range += 32 / plan.field_lanes) {
    uint16_t id = tables.place[static_cast<int64_t>(slot) * plan.ranges + range];
    if (id == kNoPlace || !has_field) continue;
    const Word *words = tables.states + (static_cast<int64_t>(range) * plan.block_groups + id) * plan.words + field.word;
    state = merge_states(field.kind, state, {words[0], field.kind == ADD_WIDE ? words[1] : 0});
  }
  for (int lanes = 16; lanes >= plan.field_lanes; lanes /= 2) {
    State later{__shfl_down_sync(kWarp, state.low, lanes), __shfl_down_sync(kWarp, state.high, lanes)};
    state = merge_states(field.kind, state, later);
  }
  return state;
}

__device__ __forceinline__ void store_result(const Result &result, int32_t kind, const State &state, Word count,
                                             int64_t group) {
  double number = __longlong_as_double(static_cast<long long>(state.low));
  if (result.aggregation == MIN || result.aggregation == MAX) {
    store_ordered(state.low, result.output, result.out, group);
  } else if (result.aggregation == MEAN) {
    unsigned __int128 bits = static_cast<unsigned __int128>(state.high) << 64 | state.low;
    // Without a sign too, sums of 64 bits are less than 2^127.
    if (kind != ADD_FLOAT) number = to_float<double>(static_cast<int128>(bits));
    static_cast<double *>(result.out)[group] = number / static_cast<double>(count);
  } else if (result.output == F32) {
    static_cast<float *>(result.out)[group] = static_cast<float>(number);
  } else if (result.output == I128) {
    static_cast<Word *>(result.out)[2 * group] = state.low;
    static_cast<Word *>(result.out)[2 * group + 1] = state.high;
  } else {
    static_cast<Word *>(result.out)[group] = state.low;
  }
}

__global__ void __launch_bounds__(32 * kMergedGroups)
    merge_ranges(const __grid_constant__ Plan plan, Tables tables, const __grid_constant__ Results results,
                 const uint32_t *order, uint32_t *first_rows, int64_t groups) {
  SHARED(bits, unsigned);
  SHARED(valid, unsigned);
  int warp = static_cast<int>(threadIdx.x / 32);
  bool writes = threadIdx.x % 32 == 0;
  int64_t group = static_cast<int64_t>(blockIdx.x) * kMergedGroups + warp;
  bool in = group < groups;
  uint32_t slot = in ? order[group] : 0;
  if (in && writes) first_rows[group] = tables.first[slot];
  State all{};
  if (in) all = merged_states(plan, tables, slot);
  for (int r = 0; r < results.count; r++) {
    const Result &result = results.all[r];
    if (threadIdx.x == 0) bits = valid = 0;
    __syncthreads();
    if (in) {
      int32_t kind = plan.fields[result.field].kind;
      State state{__shfl_sync(kWarp, all.low, result.field), __shfl_sync(kWarp, all.high, result.field)};
      Word count = result.count < 0 ? 1 : __shfl_sync(kWarp, all.low, result.count);
      if (writes) {
        if (count != 0) atomicOr(&valid, 1u << warp);
        if (result.output != BIT) store_result(result, kind, state, count, group);
        else if (state.low & 1) atomicOr(&bits, 1u << warp);
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      if (result.mask != nullptr) result.mask[blockIdx.x] = static_cast<uint8_t>(valid);
      if (result.output == BIT) static_cast<uint8_t *>(result.out)[blockIdx.x] = static_cast<uint8_t>(bits);
    }
    __syncthreads();
  }
}

// The position of a field in the plan, which gets it if it has none.
int32_t field_of(Plan &plan, int32_t kind, int32_t column) {
  for (int32_t f = 0; f < plan.field_count; f++) {
    if (plan.fields[f].kind == kind && plan.fields[f].column == column) return f;
  }
  plan.fields[plan.field_count] = {kind, column, plan.words};
  plan.words += kind == ADD_WIDE ? 2 : 1;
  return plan.field_count++;
}

// The position of a column among the values, -1 without space.
int32_t column_of(Plan &plan, int32_t &columns, const ColumnDesc &column) {
  for (int32_t c = 0; c < columns; c++) {
    const ColumnDesc &known = plan.values[c];
    if (known.data == column.data && known.validity == column.validity && known.offset == column.offset &&
        known.storage == column.storage) {
      return c;
    }
  }
  if (columns == Policy::kMostColumns) return -1;
  plan.values[columns] = column;
  return columns++;
}

// Plans the requests, column by column so that a value is loaded once. False if there are too many, or too few groups
// would fit a block.
bool plan_requests(const GroupAggregateArgs &args, Plan &plan, Results &results) {
  if (args.request_count > Policy::kMostRequests) return false;
  int32_t columns = 0;
  int32_t column[Policy::kMostRequests];
  results.count = args.request_count;
  for (int32_t r = 0; r < args.request_count; r++) {
    column[r] = args.aggregations[r] == SIZE ? -1 : column_of(plan, columns, args.values[r]);
    if (column[r] < 0 && args.aggregations[r] != SIZE) return false;
  }
  for (int32_t c = -1; c < columns; c++) {
    for (int32_t r = 0; r < args.request_count; r++) {
      if (column[r] != c) continue;
      const ColumnDesc &values = args.values[r];
      Result &result = results.all[r];
      result = {args.aggregations[r], values.storage, args.outputs[r], -1, -1, nullptr, nullptr};
      bool is_float = values.storage == F32 || values.storage == F64;
      bool masked = values.validity != nullptr;
      int32_t counted = masked ? VALID : ROWS, counted_column = masked ? c : -1;
      switch (result.aggregation) {
        case SIZE: result.field = field_of(plan, ROWS, -1); break;
        case COUNT: result.field = field_of(plan, counted, counted_column); break;
        case MIN: result.field = field_of(plan, LEAST, c); break;
        case MAX: result.field = field_of(plan, GREATEST, c); break;
        case SUM: result.field = field_of(plan, is_float ? ADD_FLOAT : ADD, c); break;
        default: result.field = field_of(plan, is_float ? ADD_FLOAT : ADD_WIDE, c); break;
      }
      bool may_be_null = result.aggregation == MIN || result.aggregation == MAX;
      if (result.aggregation == MEAN || (may_be_null && masked)) result.count = field_of(plan, counted, counted_column);
    }
  }
  plan.field_lanes = 1;
  while (plan.field_lanes < plan.field_count) plan.field_lanes *= 2;
  int64_t rest = Policy::kSharedBytes - kSlots * static_cast<int64_t>(sizeof(Word) + sizeof(uint16_t));
  int64_t groups = rest / (plan.words * static_cast<int64_t>(sizeof(Word)) + static_cast<int64_t>(sizeof(uint32_t)));
  plan.block_groups = static_cast<int32_t>(groups < Policy::kMostBlockGroups ? groups : Policy::kMostBlockGroups);
  return plan.block_groups >= Policy::kLeastBlockGroups;
}

cudaError_t create_tables(const GroupAggregateArgs &args, const Plan &plan, Tables &tables, cudaStream_t stream) {
  tables.slots = 64;
  while (tables.slots < 2 * Policy::kMostGroups && tables.slots < 2 * args.rows) tables.slots *= 2;
  int64_t places = (tables.slots + int64_t{1}) * plan.ranges;
  int64_t bytes = tables.slots * int64_t{12} + 8 + 2 * places;
  uint8_t *memory = args.alloc.scratch<uint8_t>(bytes);
  tables.states = args.alloc.scratch<Word>(int64_t{plan.ranges} * plan.words * plan.block_groups);
  if (memory == nullptr || tables.states == nullptr) return cudaErrorMemoryAllocation;
  tables.keys = reinterpret_cast<Word *>(memory);
  tables.first = reinterpret_cast<uint32_t *>(tables.keys + tables.slots);
  tables.space = tables.first + tables.slots + 1;
  tables.place = reinterpret_cast<uint16_t *>(tables.space + 1);
  return cudaMemsetAsync(memory, 0xff, static_cast<size_t>(bytes), stream);
}

// Allocates the outputs: 0 the first rows, then values and mask of each request.
cudaError_t create_outputs(const GroupAggregateArgs &args, Results &results, int64_t groups, uint32_t **first_rows) {
  *first_rows = args.alloc.output<uint32_t>(0, groups);
  if (*first_rows == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t r = 0; r < results.count; r++) {
    Result &result = results.all[r];
    int64_t bytes = result.output == BIT ? (groups + 7) / 8 : groups * result_width(result.output);
    result.out = args.alloc.output<uint8_t>(1 + 2 * r, bytes);
    if (result.out == nullptr) return cudaErrorMemoryAllocation;
    if (!args.masked[r]) continue;
    result.mask = args.alloc.output<uint8_t>(2 + 2 * r, (groups + 7) / 8);
    if (result.mask == nullptr) return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

}  // namespace

ENTRY(group_aggregate)(const GroupAggregateArgs *args, cudaStream_t stream) {
  *args->groups = -1;
  if (args->column_count > kMaxKeys) return cudaErrorInvalidValue;
  Plan plan{};
  Results results{};
  if (!plan_requests(*args, plan, results)) return cudaSuccess;
  plan.keys = key_columns(args->columns, args->column_count, !args->null_keys);
  plan.rows = args->rows;
  plan.packing = packing(args->columns, nullptr, args->column_count, args->null_keys);
  if (!plan.packing.fits) {
    CN_TRY(pack_by_range(args->alloc, {&plan.keys, plan.rows}, {}, args->null_keys, args->measured, &plan.packing, stream));
  }
  if (!plan.packing.fits) return cudaSuccess;
  int64_t share = (args->rows + Policy::kMostRanges - 1) / Policy::kMostRanges;
  plan.range_rows = share > Policy::kLeastRangeRows ? (share + kTile - 1) / kTile * kTile : Policy::kLeastRangeRows;
  plan.ranges = static_cast<int32_t>((args->rows + plan.range_rows - 1) / plan.range_rows);
  Tables tables{};
  CN_TRY(create_tables(*args, plan, tables, stream));
  uint32_t *order = args->alloc.scratch<uint32_t>(Policy::kMostGroups);
  int64_t *groups = args->alloc.scratch<int64_t>(1);
  if (order == nullptr || groups == nullptr) return cudaErrorMemoryAllocation;
  size_t group_bytes = static_cast<size_t>(plan.words) * sizeof(Word) + sizeof(uint32_t);
  size_t shared = kSlots * (sizeof(Word) + sizeof(uint16_t)) + static_cast<size_t>(plan.block_groups) * group_bytes;
  // The same for all launches: another thread may set it between this and the launch.
  constexpr int kMost = static_cast<int>(Policy::kSharedBytes);
  CN_TRY(cudaFuncSetAttribute(aggregate_ranges, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost));
  CN_TRY(launch(aggregate_ranges, static_cast<unsigned>(plan.ranges), kBlockThreads, shared, stream, plan, tables));
  CN_TRY(launch(rank_groups, 1, kBlockThreads, 0, stream, tables, order, groups));
  CN_TRY(args->alloc.read(static_cast<const int64_t *>(groups), args->groups, 1, stream));
  if (*args->groups < 0) return cudaSuccess;
  uint32_t *first_rows = nullptr;
  CN_TRY(create_outputs(*args, results, *args->groups, &first_rows));
  if (*args->groups == 0) return cudaSuccess;
  return launch(merge_ranges, blocks_for(*args->groups, kMergedGroups), 32 * kMergedGroups, 0, stream, plan, tables,
                results, static_cast<const uint32_t *>(order), first_rows, *args->groups);
}

}  // namespace CN_BUILD
