// Binary searches within ranges of a sorted list: one thread per needle, about log2(range) reads each. Deterministic.
#include "search_ranges.abi.h"
#include <cstring>
#include <type_traits>

#include "column.cuh"

namespace CN_BUILD {
namespace {

// What is taken at the position of a needle; the row before it is 1.
constexpr int32_t kPosition = 0;
constexpr int32_t kAt = 2;
constexpr int32_t kNearer = 3;

// NaN is the greatest value.
template <class T>
__device__ __forceinline__ bool is_less(T a, T b) {
  return a < b || (b != b && a == a);
}

// The type of the distance of two values, which holds that of any two.
template <class T>
struct DistanceOf {
  using Type = unsigned long long;
  using Unsigned = std::make_unsigned_t<T>;
};
template <>
struct DistanceOf<__int128> {
  using Type = unsigned __int128;
  using Unsigned = unsigned __int128;
};
template <>
struct DistanceOf<float> {
  using Type = float;
};
template <>
struct DistanceOf<double> {
  using Type = double;
};

// `less` is not greater. Equal values have the distance 0, infinite ones and NaN too.
template <class T>
__device__ __forceinline__ typename DistanceOf<T>::Type distance(T less, T greater) {
  if constexpr (std::is_floating_point_v<T>) {
    return is_less(less, greater) ? greater - less : T(0);
  } else {
    using Unsigned = typename DistanceOf<T>::Unsigned;
    return static_cast<Unsigned>(static_cast<Unsigned>(greater) - static_cast<Unsigned>(less));
  }
}

// The rows that are searched, and what is taken of them.
template <class Row, class Distance>
struct Wanted {
  ColumnDesc values;
  const Row *list;
  int32_t take;
  bool has_limit;
  Distance limit;

  __device__ __forceinline__ Row row(int64_t at) const { return list == nullptr ? static_cast<Row>(at) : list[at]; }
};

// The first position from `low` on that is not before the needle; `high` if there is none.
template <class T, class Row, class Distance>
__device__ __forceinline__ int64_t position(const Wanted<Row, Distance> &in, T needle, bool upper, int64_t low,
                                            int64_t high) {
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    T value = in.values.template at<T>(static_cast<int64_t>(in.row(middle)));
    bool before = upper ? !is_less(needle, value) : is_less(value, needle);
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class T, class Row>
__global__ void search(ColumnDesc needles, Wanted<Row, typename DistanceOf<T>::Type> in, const Row *starts,
                       const Row *ends, int32_t upper, Row *out, int64_t rows) {
  constexpr Row kNone = static_cast<Row>(-1);
  int64_t row = thread_index();
  if (row >= rows) return;
  if (in.take != kPosition && !needles.valid(row)) {
    out[row] = kNone;
    return;
  }
  T needle = needles.at<T>(row);
  const int64_t start = starts == nullptr ? 0 : static_cast<int64_t>(starts[row]);
  const int64_t end = ends == nullptr ? in.values.rows : static_cast<int64_t>(ends[row]);
  const int64_t low = position<T>(in, needle, upper, start, end);
  if (in.take == kPosition) {
    out[row] = static_cast<Row>(low);
    return;
  }
  const auto distance_of = [&](int64_t at) {
    T value = in.values.template at<T>(static_cast<int64_t>(in.row(at)));
    return is_less(value, needle) ? distance(value, needle) : distance(needle, value);
  };
  int64_t at = in.take == kAt ? low : low - 1;
  if (in.take == kNearer) {
    // The first value that is greater; it is the one at the position unless those that are equal are behind it.
    const int64_t after = upper ? low : position<T>(in, needle, true, low, end);
    if (after < end && (at < start || distance_of(after) < distance_of(at))) at = after;
  }
  const bool is_there = at >= start && at < end && (!in.has_limit || distance_of(at) <= in.limit);
  out[row] = is_there ? in.row(at) : kNone;
}

template <class T, class Row>
cudaError_t positions(const SearchRangesArgs &args, cudaStream_t stream) {
  Row *out = args.alloc.output<Row>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.rows == 0) return cudaSuccess;
  using Distance = typename DistanceOf<T>::Type;
  const unsigned long long limit_bytes[2] = {args.limit_low, args.limit_high};
  Wanted<Row, Distance> in = {*args.values, static_cast<const Row *>(args.list), args.take, args.has_limit != 0, {}};
  std::memcpy(&in.limit, limit_bytes, sizeof(Distance));
  return launch(search<T, Row>, blocks_for(args.rows, kThreads), kThreads, 0, stream, *args.needles, in,
                static_cast<const Row *>(args.starts), static_cast<const Row *>(args.ends), args.bound, out, args.rows);
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
