// Parts of strings: one thread per row walks over the characters of its string; the parts are copied by
// build_strings (strings.cuh). Reads each string once up to the end of its part, and the part once more. No atomics; deterministic.
#include "slice.abi.h"
#include "characters.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

struct SlicedStrings {
  ColumnDesc input;
  int64_t first;
  int64_t length;

  __device__ StringRow operator()(int64_t row) const { return part_of(string_row(input, row), first, length); }
  __device__ CharRange range(const uint8_t *) const { return char_range(input); }
};

}  // namespace

ENTRY(slice)(const SliceArgs *args, cudaStream_t stream) {
  SlicedStrings rows{args->input, args->first, args->length};
  return build_strings(args->alloc, rows, args->input.rows, args->string_bytes, stream);
}

}  // namespace CN_BUILD
