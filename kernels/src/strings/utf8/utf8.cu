// Bytes as strings, where they are UTF-8: one thread per row reads its bytes from shared memory and writes a bit of the
// mask. If a row is not UTF-8, the strings are built without it (strings.cuh). One atomic a warp with such a row;
// deterministic.
#include "utf8.abi.h"
#include "characters.cuh"
#include "operand.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

struct Found {
  // The first row that is valid and not UTF-8; all ones if there is none.
  unsigned long long failed;
  // Whether a row is not UTF-8, null or not.
  unsigned long long any;
};

__global__ void __launch_bounds__(kThreads) check_rows(ColumnDesc input, uint32_t *mask, Found *found) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  int64_t row = thread_index();
  StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  bool is_text = is_utf8(text);
  bool is_valid = row < input.rows && input.valid(row);
  store_bit(mask, row, input.rows, is_valid && is_text);
  uint32_t bad = __ballot_sync(0xffffffffu, row < input.rows && !is_text);
  uint32_t failing = __ballot_sync(0xffffffffu, is_valid && !is_text);
  if (threadIdx.x % 32 != 0 || bad == 0) return;
  if (load_relaxed(&found->any) == 0) atomicOr(&found->any, 1ull);
  if (failing == 0) return;
  unsigned long long first = static_cast<unsigned long long>(row) + __ffs(static_cast<int>(failing)) - 1;
  if (first < load_relaxed(&found->failed)) atomicMin(&found->failed, first);
}

struct TextRows {
  ColumnDesc input;
  const uint8_t *mask;

  static constexpr bool kOneSource = true;
  static constexpr bool kStages = false;
  __device__ StringRow operator()(int64_t row) const {
    StringRow text = string_row(input, row);
    return {text.bytes, get_bit(mask, row) ? text.length : 0};
  }
  __device__ CharRange range(const uint8_t *) const { return char_range(input); }
  const ColumnDesc *only_source() const { return &input; }
};

}  // namespace

ENTRY(utf8)(const Utf8Args *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  *args->failed = -1;
  *args->any = 0;
  if (rows == 0) return cudaSuccess;
  uint32_t *mask = args->alloc.output<uint32_t>(kStringMaskSlot, (rows + 31) / 32);
  Found *found = args->alloc.scratch<Found>(1);
  if (mask == nullptr || found == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(&found->failed, 0xff, sizeof(found->failed), stream));
  CN_TRY(cudaMemsetAsync(&found->any, 0, sizeof(found->any), stream));
  CN_TRY(launch(check_rows, blocks_for(rows, kThreads), kThreads, 0, stream, args->input, mask, found));
  int64_t result[2];
  CN_TRY(args->alloc.read(reinterpret_cast<const int64_t *>(found), result, 2, stream));
  *args->failed = result[0];
  *args->any = result[1];
  if (result[1] == 0) return cudaSuccess;
  TextRows text{args->input, reinterpret_cast<const uint8_t *>(mask)};
  return build_strings(args->alloc, text, rows, args->string_bytes, stream);
}

}  // namespace CN_BUILD
