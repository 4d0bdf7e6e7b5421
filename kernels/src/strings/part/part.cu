// One part of each string: one thread per row finds it in its string, read from shared memory; place_chars (strings.cuh)
// copies the parts. Reads each string once, and its part once more. No atomics but for the total and the faults;
// deterministic.
#include "part.abi.h"
#include "automaton.cuh"
#include "fields.cuh"
#include "literals.cuh"
#include "operand.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

// The numbers of Kind in cuda.rs.
enum Kind : int32_t { CHARACTER, FIELD, PARTITION };

// By characters and separators.
template <int32_t kKind>
struct LiteralParts {
  ColumnDesc input;
  FieldRules rules;
  // Of a character or a field, from the end if it is negative; or 0 to 2: before the separator, it, or after it.
  int64_t position;
  Literal literal;

  using Shared = LiteralShared;
  __device__ __forceinline__ void stage(Shared &shared) const { literal.staged(&shared.words[0]); }
  __device__ __forceinline__ bool find(StringRow text, const Shared &shared, Part &part) const {
    StringRow separator{literal.in(&shared.words[0]), literal.bytes};
    if constexpr (kKind == CHARACTER) {
      if (position >= 0) {
        int64_t start = after_characters(text, 0, position);
        part = {start, after_characters(text, start, 1)};
        return start < text.length;
      }
      int64_t end = text.length;
      // The position may be the smallest integer: it is not negated.
      for (int64_t left = position; end > 0; left++) {
        int64_t start = character_before(text, end);
        part = {start, end};
        if (left == -1) return true;
        end = start;
      }
      return false;
    } else if constexpr (kKind == PARTITION) {
      int64_t found = find_part(text, rules.from_end != 0 ? text.length : 0, separator, rules.from_end != 0);
      int64_t start = found, end = found + separator.length;
      if (found < 0) start = end = rules.from_end != 0 ? 0 : text.length;
      part = position == 0 ? Part{0, start} : position == 1 ? Part{start, end} : Part{end, text.length};
      return true;
    } else {
      // In the order of the fields, of which only the number says where one from the other end is.
      int64_t number = rules.from_end != 0 ? -1 - position : position;
      bool counts = number < 0;
      while (true) {
        Fields fields(text, rules, separator);
        while (fields.next(part)) {
          if (counts) number++;
          else if (number-- == 0) return true;
        }
        if (!counts || number < 0) return false;
        counts = false;
      }
    }
  }
};

// The first match of a regular expression.
struct MatchedParts {
  ColumnDesc input;
  MatchTables tables;

  using Shared = MatchShared;
  __device__ __forceinline__ void stage(Shared &shared) const { tables.stage(shared); }
  __device__ __forceinline__ bool find(StringRow text, const Shared &shared, Part &part) const {
    int64_t end = tables.ends_in(shared).match_end(text, 0, false);
    if (end < 0) return false;
    part = {tables.starts_in(shared).match_start(text, 0, end), end};
    return true;
  }
};

// Bits of the second total beside those of RowFault.
constexpr uint32_t kMissing = 0x100;

// Where each part begins and its size, and a mask of the rows that have one; `flags`: faults and kMissing.
// Eight blocks to a multiprocessor, which the shared memory allows, would spill registers.
template <class Rows>
__global__ void __launch_bounds__(kThreads, 6)
    find_parts(Rows rows, strings_detail::Starts starts, SizedRows sized, uint32_t *mask, uint32_t *flags) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(shared, typename Rows::Shared);
  SHARED(sum, unsigned long long);
  SHARED(of_block, uint32_t);
  if (threadIdx.x == 0) {
    sum = 0;
    of_block = 0;
  }
  rows.stage(shared);
  __syncthreads();
  int64_t row = thread_index(), count = rows.input.rows;
  const uint8_t *source;
  StringRow text = staged_row(rows.input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)], source);
  Part part{0, 0};
  bool found = false;
  if (row < count && rows.input.valid(row)) {
    if (text.length <= kMostRowBytes && is_utf8(text)) found = rows.find(text, shared, part);
    else atomicOr(&of_block, static_cast<uint32_t>(FAULT_NOT_UTF8));
  }
  if (!found) part = {0, 0};
  if (row < count) starts.set(row, source + part.start);
  unsigned long long bytes = static_cast<unsigned long long>(part.end - part.start);
  if (row <= count) sized.sizes[row] = static_cast<uint32_t>(bytes);
  store_bit(mask, row, count, found);
  bool any_missing = __any_sync(0xffffffffu, row < count && !found) != 0;
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) bytes += __shfl_down_sync(0xffffffffu, bytes, lanes);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sum, bytes);
    if (any_missing) atomicOr(&of_block, kMissing);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sized.bytes.set(sum);
    if (of_block != 0) atomicOr(flags, of_block);
  }
}

// The bytes around a part that may be read.
struct InputRange {
  ColumnDesc input;
  static constexpr bool kOneSource = true;
  __device__ CharRange range(const uint8_t *) const { return char_range(input); }
};

// Builds the column of the parts that rows.find finds. Sets `counts` to its bytes, the bits of what is wrong, and whether
// rows are missing.
template <class Rows>
cudaError_t build_parts(const Alloc &alloc, Rows rows, int64_t *counts, cudaStream_t stream) {
  int64_t count = rows.input.rows;
  SizedRows sized{};
  strings_detail::Starts starts{};
  uint32_t *mask = alloc.output<uint32_t>(kStringMaskSlot, (count + 31) / 32);
  // After the total the flags.
  bool is_given = mask != nullptr && sized.create(alloc, alloc.output<uint32_t>(kOffsetsSlot, count + 1), true, count, 1);
  if (!is_given || !starts.create(alloc, &rows.input, count)) return cudaErrorMemoryAllocation;
  int64_t *flags = sized.bytes.total() + 1;
  CN_TRY(cudaMemsetAsync(flags, 0, sizeof(*flags), stream));
  CN_TRY(launch(find_parts<Rows>, sized.bytes.blocks, kThreads, 0, stream, rows, starts, sized, mask,
                reinterpret_cast<uint32_t *>(flags)));
  CN_TRY(sized.bytes.add_up(alloc, stream));
  CN_TRY(alloc.read(static_cast<const int64_t *>(sized.bytes.total()), counts, 2, stream));
  int64_t bytes = counts[0];
  counts[2] = (counts[1] & kMissing) != 0;
  counts[1] &= kMissing - 1;
  if (counts[1] != 0 || bytes == 0) return cudaSuccess;
  uint8_t *chars = alloc.output<uint8_t>(kCharsSlot, bytes);
  if (chars == nullptr) return cudaErrorMemoryAllocation;
  InputRange range{rows.input};
  if (bytes <= INT32_MAX && !small_limits(alloc)) {
    return strings_detail::place_chars(range, starts, sized, chars, bytes, count, stream);
  }
  uint32_t *narrow = alloc.scratch<uint32_t>(count + 1);
  if (narrow == nullptr) return cudaErrorMemoryAllocation;
  size_t size = static_cast<size_t>(count + 1) * sizeof(*narrow);
  CN_TRY(cudaMemcpyAsync(narrow, sized.sizes, size, cudaMemcpyDeviceToDevice, stream));
  int64_t *wide = alloc.output<int64_t>(kOffsetsSlot, count + 1);
  if (wide == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(strings_detail::widened(alloc, narrow, wide, count, stream));
  return strings_detail::copy_chars(range, starts, static_cast<const int64_t *>(wide), chars, bytes, count, stream);
}

template <int32_t kKind>
cudaError_t part_by(const PartArgs &args, cudaStream_t stream) {
  LiteralParts<kKind> rows{args.input,
                           {args.separator, args.from_end, args.limit},
                           args.position,
                           {args.literal, args.literal_far, args.literal_bytes}};
  return build_parts(args.alloc, rows, args.counts, stream);
}

}  // namespace

ENTRY(part)(const PartArgs *args, cudaStream_t stream) {
  switch (args->kind) {
    case CHARACTER: return part_by<CHARACTER>(*args, stream);
    case FIELD: return part_by<FIELD>(*args, stream);
    case PARTITION: return part_by<PARTITION>(*args, stream);
    default: return cudaErrorInvalidValue;
  }
}

ENTRY(part_regex)(const PartRegexArgs *args, cudaStream_t stream) {
  MatchedParts rows{args->input, {args->ends, args->starts}};
  return build_parts(args->alloc, rows, args->counts, stream);
}

}  // namespace CN_BUILD
