// Evaluation of consecutive steps in one pass: a block takes a tile of rows through all of them, with the values between
// them in shared memory. Reads every input once and writes every result once, with a bit a row for each mask; the steps
// are arguments of the launch, each a few uniform branches. Bits and masks are packed by votes. No atomics; deterministic.
#include "evaluate.abi.h"
#include "operations.cuh"
#include "targets.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of Code in cuda.rs.
enum Code : uint8_t { LOAD, STORE, CONSTANT, BINARY, UNARY, COMPARE, CAST, AND, OR, NOT, IS_NULL, SELECT };

constexpr int kRows = EvaluatePolicy::kRows;
constexpr int kTile = EvaluatePolicy::kBlockThreads * kRows;
// IMMEDIATE in cuda.rs: the operand is the value in the step.
constexpr uint8_t kImmediate = 255;

struct Input {
  const void *data;
  const uint8_t *valid;
  int64_t offset;
};

struct Output {
  void *data;
  uint32_t *valid;
};

struct Plan {
  EvaluateStep steps[EvaluatePolicy::kMostSteps];
  Input inputs[EvaluatePolicy::kMostInputs];
  Output outputs[EvaluatePolicy::kMostOutputs];
  int32_t step_count;
  int32_t output_count;
  int64_t rows;
};

// A value in a slot: integers extended to 64 bits, bits 0 or 1, the bits of floats.
using Word = uint64_t;

template <class T>
__device__ __forceinline__ T from_word(Word word) {
  if constexpr (!kFloat<T>) return static_cast<T>(word);
  else if constexpr (sizeof(T) == 4) return __uint_as_float(static_cast<uint32_t>(word));
  else return __longlong_as_double(static_cast<long long>(word));
}

template <class T>
__device__ __forceinline__ Word to_word(T value) {
  if constexpr (!kFloat<T>) return static_cast<Word>(static_cast<int64_t>(value));
  else if constexpr (sizeof(T) == 4) return __float_as_uint(value);
  else return static_cast<Word>(__double_as_longlong(value));
}

// The integer that is left of `word` in a storage type; floats as they are.
__device__ __forceinline__ Word wrapped(int32_t storage, Word word) {
  switch (storage) {
    case BIT: return word & 1;
    case I8: return to_word(static_cast<int8_t>(word));
    case I16: return to_word(static_cast<int16_t>(word));
    case I32: return to_word(static_cast<int32_t>(word));
    case U8: return static_cast<uint8_t>(word);
    case U16: return static_cast<uint16_t>(word);
    case U32: return static_cast<uint32_t>(word);
    default: return word;
  }
}

// Calls f with zero in the type to compute in: extended integers wrap around to the same bits.
template <class F>
__device__ __forceinline__ void with_number(int32_t storage, F f) {
  switch (storage) {
    case I8: case I16: case I32: case I64: return f(int64_t{0});
    case F32: return f(float{0});
    case F64: return f(double{0});
    default: return f(uint64_t{0});
  }
}

template <class T>
__device__ __forceinline__ Word extended(const void *data, int64_t row) {
  return to_word(static_cast<const T *>(data)[row]);
}

__device__ __forceinline__ Word load_value(int32_t storage, const void *data, int64_t row) {
  switch (storage) {
    case BIT: return get_bit(static_cast<const uint8_t *>(data), row) ? 1 : 0;
    case I8: return extended<int8_t>(data, row);
    case I16: return extended<int16_t>(data, row);
    case I32: return extended<int32_t>(data, row);
    case U8: return static_cast<const uint8_t *>(data)[row];
    case U16: return static_cast<const uint16_t *>(data)[row];
    case U32: case F32: return static_cast<const uint32_t *>(data)[row];
    default: return static_cast<const uint64_t *>(data)[row];
  }
}

__device__ __forceinline__ void store_value(int32_t storage, void *data, int64_t row, Word word) {
  switch (storage) {
    case I8: case U8: static_cast<uint8_t *>(data)[row] = static_cast<uint8_t>(word); break;
    case I16: case U16: static_cast<uint16_t *>(data)[row] = static_cast<uint16_t>(word); break;
    case I32: case U32: case F32: static_cast<uint32_t *>(data)[row] = static_cast<uint32_t>(word); break;
    default: static_cast<uint64_t *>(data)[row] = word;
  }
}

__device__ __forceinline__ Word integer_of(int32_t storage, double value) {
  switch (storage) {
    case I8: return to_word(cast_of<int8_t>(value).value);
    case I16: return to_word(cast_of<int16_t>(value).value);
    case I32: return to_word(cast_of<int32_t>(value).value);
    case I64: return to_word(cast_of<int64_t>(value).value);
    case U8: return cast_of<uint8_t>(value).value;
    case U16: return cast_of<uint16_t>(value).value;
    case U32: return cast_of<uint32_t>(value).value;
    default: return cast_of<uint64_t>(value).value;
  }
}

template <class T>
__device__ __forceinline__ Word cast_word(int32_t to, T value) {
  switch (to) {
    case BIT: return value != T{0} ? 1 : 0;
    case F32: return to_word(static_cast<float>(value));
    case F64: return to_word(static_cast<double>(value));
    default: break;
  }
  if constexpr (kFloat<T>) return integer_of(to, static_cast<double>(value));
  else return wrapped(to, static_cast<Word>(value));
}

// The rows of a thread in the slots: values in shared memory, validity as one bit a slot in `valid`.
struct Slots {
  Word *mine;
  uint32_t valid[kRows];

  __device__ __forceinline__ Word &at(int slot, int k) { return mine[slot * kTile + k * EvaluatePolicy::kBlockThreads]; }
  __device__ __forceinline__ void put(int slot, int k, Word word, bool is_valid) {
    at(slot, k) = word;
    valid[k] = is_valid ? valid[k] | 1u << slot : valid[k] & ~(1u << slot);
  }
};

// An operand of a step: a slot or the value in the step.
struct Source {
  Word words[kRows];
  uint32_t valid;

  __device__ __forceinline__ Source(Slots &slots, uint8_t slot, const EvaluateStep &step) : valid(0) {
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      words[k] = slot == kImmediate ? step.value : slots.at(slot, k);
      valid |= (slot == kImmediate ? 1u : slots.valid[k] >> slot & 1) << k;
    }
  }
  __device__ __forceinline__ bool is_valid(int k) const { return (valid >> k & 1) != 0; }
};

__device__ __forceinline__ void run_step(const Plan &plan, const EvaluateStep &step, Slots &slots, int64_t base) {
  if (step.code == LOAD) {
    const Input &input = plan.inputs[step.a];
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      int64_t row = base + k * EvaluatePolicy::kBlockThreads;
      bool exists = row < plan.rows;
      // Of an input whose nulls alone matter, only the mask is read.
      Word word = exists && step.op == 0 ? load_value(step.storage, input.data, input.offset + row) : 0;
      slots.put(step.result, k, word, input.valid == nullptr || (exists && get_bit(input.valid, input.offset + row)));
    }
    return;
  }
  Source a(slots, step.a, step);
  if (step.code == STORE) {
    const Output &output = plan.outputs[step.b];
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      int64_t row = base + k * EvaluatePolicy::kBlockThreads;
      if (step.storage == BIT) store_bit(static_cast<uint32_t *>(output.data), row, plan.rows, a.words[k] != 0);
      else if (row < plan.rows) store_value(step.storage, output.data, row, a.words[k]);
      if (output.valid != nullptr) store_bit(output.valid, row, plan.rows, a.is_valid(k));
    }
    return;
  }
  Word words[kRows];
  uint32_t valid = a.valid;
  switch (step.code) {
    case CONSTANT:
#pragma unroll
      for (int k = 0; k < kRows; k++) words[k] = step.value;
      if (step.op != 0) valid = 0;
      break;
    case BINARY: {
      Source b(slots, step.b, step);
      valid &= b.valid;
      with_number(step.storage, [&](auto zero) {
        using T = decltype(zero);
#pragma unroll
        for (int k = 0; k < kRows; k++) {
          T divisor = from_word<T>(b.words[k]);
          words[k] = wrapped(step.storage, to_word(binary_of(step.op, from_word<T>(a.words[k]), divisor)));
          if (!kFloat<T> && divisor == zero && (step.op == DIV || step.op == FLOOR_DIV || step.op == MOD)) valid &= ~(1u << k);
        }
      });
      break;
    }
    case UNARY:
      with_number(step.storage, [&](auto zero) {
        using T = decltype(zero);
#pragma unroll
        for (int k = 0; k < kRows; k++) {
          words[k] = wrapped(step.storage, to_word(unary_of(step.op, from_word<T>(a.words[k]))));
        }
      });
      break;
    case COMPARE: {
      Source b(slots, step.b, step);
      valid &= b.valid;
      with_number(step.from, [&](auto zero) {
        using T = decltype(zero);
#pragma unroll
        for (int k = 0; k < kRows; k++) {
          words[k] = compare_of(step.op, from_word<T>(a.words[k]), from_word<T>(b.words[k])) ? 1 : 0;
        }
      });
      break;
    }
    case CAST:
      with_number(step.from, [&](auto zero) {
        using T = decltype(zero);
#pragma unroll
        for (int k = 0; k < kRows; k++) words[k] = cast_word(step.storage, from_word<T>(a.words[k]));
      });
      break;
    case AND:
    case OR: {
      // Kleene: one side may decide alone.
      Source b(slots, step.b, step);
      Word decides = step.code == OR ? 1 : 0;
      valid = 0;
#pragma unroll
      for (int k = 0; k < kRows; k++) {
        bool left = a.is_valid(k), right = b.is_valid(k);
        bool decided = (left && a.words[k] == decides) || (right && b.words[k] == decides);
        words[k] = decided ? decides : 1 - decides;
        if (decided || (left && right)) valid |= 1u << k;
      }
      break;
    }
    case NOT:
#pragma unroll
      for (int k = 0; k < kRows; k++) words[k] = a.words[k] ^ 1;
      break;
    case IS_NULL:
#pragma unroll
      for (int k = 0; k < kRows; k++) words[k] = a.is_valid(k) ? 0 : 1;
      valid = ~0u;
      break;
    default: {
      // A null condition selects the other side.
      Source b(slots, step.b, step), c(slots, step.c, step);
      uint32_t taken = 0;
#pragma unroll
      for (int k = 0; k < kRows; k++) {
        bool take = a.is_valid(k) && a.words[k] != 0;
        words[k] = take ? b.words[k] : c.words[k];
        if (take) taken |= 1u << k;
      }
      valid = (taken & b.valid) | (~taken & c.valid);
    }
  }
#pragma unroll
  for (int k = 0; k < kRows; k++) slots.put(step.result, k, words[k], (valid >> k & 1) != 0);
}

__global__ void __launch_bounds__(EvaluatePolicy::kBlockThreads) evaluate_steps(const __grid_constant__ Plan plan) {
  DYN_SHARED(shared, Word);
  Slots slots{shared + threadIdx.x, {}};
  int64_t base = static_cast<int64_t>(blockIdx.x) * kTile + threadIdx.x;
  // A thread reads what it wrote itself: nothing to wait for.
  for (int i = 0; i < plan.step_count; i++) run_step(plan, plan.steps[i], slots, base);
  if (blockIdx.x != 0) return;
  for (int i = 0; i < plan.step_count; i++) {
    const EvaluateStep &step = plan.steps[i];
    if (step.code != STORE) continue;
    const Output &output = plan.outputs[step.b];
    int64_t mask_bytes = words_for(plan.rows) * 4;
    store_padding(output.data, step.storage == BIT ? mask_bytes : plan.rows * step.from);
    if (output.valid != nullptr) store_padding(output.valid, mask_bytes);
  }
}

}  // namespace

ENTRY(evaluate)(const EvaluateArgs *args, cudaStream_t stream) {
  if (args->input_count > EvaluatePolicy::kMostInputs || args->output_count > EvaluatePolicy::kMostOutputs ||
      args->step_count > EvaluatePolicy::kMostSteps) {
    return cudaErrorInvalidValue;
  }
  Plan plan{};
  for (int32_t i = 0; i < args->input_count; i++) {
    const ColumnDesc &input = args->inputs[i];
    plan.inputs[i] = {input.data, static_cast<const uint8_t *>(input.validity), input.offset};
  }
  for (int32_t i = 0; i < args->step_count; i++) plan.steps[i] = args->steps[i];
  for (int32_t i = 0; i < args->output_count; i++) {
    const EvaluateOutput &output = args->outputs[i];
    plan.outputs[i].data = output_of(args->alloc, 2 * i, storage_bits(output.storage), args->rows);
    if (plan.outputs[i].data == nullptr) return cudaErrorMemoryAllocation;
    if (output.masked == 0) continue;
    plan.outputs[i].valid = static_cast<uint32_t *>(output_of(args->alloc, 2 * i + 1, 1, args->rows));
    if (plan.outputs[i].valid == nullptr) return cudaErrorMemoryAllocation;
  }
  plan.step_count = args->step_count;
  plan.output_count = args->output_count;
  plan.rows = args->rows;
  if (args->rows == 0) return cudaSuccess;
  return launch(evaluate_steps, blocks_for(args->rows, kTile), EvaluatePolicy::kBlockThreads,
                static_cast<size_t>(args->slots) * kTile * sizeof(Word), stream, plan);
}

}  // namespace CN_BUILD
