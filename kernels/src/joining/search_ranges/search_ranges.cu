// Binary searches within ranges of a sorted list: one thread per needle, about log2(range) reads each. Deterministic.
#include "search_ranges.abi.h"
#include "column.cuh"

namespace CN_BUILD {
namespace {

// What is taken at the position of a needle; the row at it is 2.
constexpr int32_t kPosition = 0;
constexpr int32_t kBefore = 1;

// NaN is the greatest value.
template <class T>
__device__ __forceinline__ bool is_less(T a, T b) {
  return a < b || (b != b && a == a);
}

template <class T, class Row>
__global__ void search(ColumnDesc needles, ColumnDesc values, const Row *starts, const Row *ends, const Row *list,
                       int32_t upper, int32_t take, Row *out, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  if (take != kPosition && !needles.valid(row)) {
    out[row] = static_cast<Row>(-1);
    return;
  }
  T needle = needles.at<T>(row);
  const int64_t start = starts == nullptr ? 0 : static_cast<int64_t>(starts[row]);
  const int64_t end = ends == nullptr ? values.rows : static_cast<int64_t>(ends[row]);
  int64_t low = start;
  int64_t high = end;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    T value = values.at<T>(list == nullptr ? middle : static_cast<int64_t>(list[middle]));
    bool before = upper ? !is_less(needle, value) : is_less(value, needle);
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (take == kPosition) {
    out[row] = static_cast<Row>(low);
    return;
  }
  const int64_t at = take == kBefore ? low - 1 : low;
  Row found = static_cast<Row>(-1);
  if (at >= start && at < end) found = list == nullptr ? static_cast<Row>(at) : list[at];
  out[row] = found;
}

template <class T, class Row>
cudaError_t positions(const SearchRangesArgs &args, cudaStream_t stream) {
  Row *out = args.alloc.output<Row>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.rows == 0) return cudaSuccess;
  return launch(search<T, Row>, blocks_for(args.rows, kThreads), kThreads, 0, stream, *args.needles, *args.values,
                static_cast<const Row *>(args.starts), static_cast<const Row *>(args.ends),
                static_cast<const Row *>(args.list), args.bound, args.take, out, args.rows);
}

template <class Row>
cudaError_t by_storage(const SearchRangesArgs &args, cudaStream_t stream) {
  switch (args.needles->storage) {
    case I8: return positions<int8_t, Row>(args, stream);
    case I16: return positions<int16_t, Row>(args, stream);
    case I32: return positions<int32_t, Row>(args, stream);
    case I64: return positions<int64_t, Row>(args, stream);
    case I128: return positions<__int128, Row>(args, stream);
    case U8: return positions<uint8_t, Row>(args, stream);
    case U16: return positions<uint16_t, Row>(args, stream);
    case U32: return positions<uint32_t, Row>(args, stream);
    case U64: return positions<uint64_t, Row>(args, stream);
    case F32: return positions<float, Row>(args, stream);
    case F64: return positions<double, Row>(args, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

ENTRY(search_ranges)(const SearchRangesArgs *args, cudaStream_t stream) {
  return args->width == 4 ? by_storage<unsigned>(*args, stream) : by_storage<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
