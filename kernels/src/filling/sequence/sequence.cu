// Sequence: one thread per row. Integers of one width share a kernel, because unsigned arithmetic wraps to
// the same bits. Writes w bytes per row. Deterministic.
#include "sequence.abi.h"
#include "column.cuh"

#include <cstring>

namespace CN_BUILD {
namespace {

template <class T>
__global__ void integer_terms(T start, T step, T *out, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) out[row] = static_cast<T>(start + static_cast<T>(row) * step);
}

// Computed in double and rounded once.
template <class T>
__global__ void float_terms(T start, T step, T *out, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  out[row] = static_cast<T>(static_cast<double>(start) + static_cast<double>(row) * static_cast<double>(step));
}

template <class T>
cudaError_t terms_out(const SequenceArgs &args, void (*kernel)(T, T, T *, int64_t), cudaStream_t stream) {
  T *out = args.alloc.output<T>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  T start;
  T step;
  std::memcpy(&start, args.start, sizeof(T));
  std::memcpy(&step, args.step, sizeof(T));
  return launch(kernel, blocks_for(args.rows, kThreads), kThreads, 0, stream, start, step, out, args.rows);
}

}  // namespace

ENTRY(sequence)(const SequenceArgs *args, cudaStream_t stream) {
  if (args->rows == 0) return cudaSuccess;
  switch (args->storage) {
    case I8: case U8: return terms_out(*args, integer_terms<uint8_t>, stream);
    case I16: case U16: return terms_out(*args, integer_terms<uint16_t>, stream);
    case I32: case U32: return terms_out(*args, integer_terms<uint32_t>, stream);
    case I64: case U64: return terms_out(*args, integer_terms<uint64_t>, stream);
    case I128: return terms_out(*args, integer_terms<unsigned __int128>, stream);
    case F32: return terms_out(*args, float_terms<float>, stream);
    case F64: return terms_out(*args, float_terms<double>, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace CN_BUILD
