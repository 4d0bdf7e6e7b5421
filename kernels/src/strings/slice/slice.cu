// Parts of strings: one thread per row walks over the characters of its string in shared memory; the parts are copied by
// build_strings (strings.cuh). Reads each string once, and the part once more. No atomics; deterministic.
#include "slice.abi.h"
#include "characters.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

struct SlicedStrings {
  ColumnDesc input;
  int64_t first;
  int64_t length;

  static constexpr bool kOneSource = true;
  static constexpr bool kStages = true;
  __device__ __forceinline__ StringRow staged(int64_t row, uint4 *stage) const {
    const uint8_t *source;
    StringRow text = staged_row(input, row, stage, source);
    StringRow part = part_of(text, first, length);
    return {source + (part.bytes - text.bytes), part.length};
  }
  __device__ CharRange range(const uint8_t *) const { return char_range(input); }
  const ColumnDesc *only_source() const { return &input; }
};

}  // namespace

ENTRY(slice)(const SliceArgs *args, cudaStream_t stream) {
  SlicedStrings rows{args->input, args->first, args->length};
  return build_strings(args->alloc, rows, args->input.rows, args->string_bytes, stream);
}

}  // namespace CN_BUILD
