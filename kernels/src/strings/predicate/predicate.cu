// Tests of strings: one thread per row reads its string from shared memory; one word per warp by ballot. Characters beyond
// ASCII are looked up in the tables of tables.rs; without them, a row with one is a fault. Regular expressions are tables
// of states (automaton.cuh). No atomics but for the faults; deterministic.
#include "predicate.abi.h"
#include "automaton.cuh"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

// The numbers of Kind in cuda.rs.
enum Kind : int32_t { EACH, SPACE, CASE, TITLE, ASCII };

// Those of tables.rs.
enum Property : uint32_t { LETTER = 1, NUMERIC = 2, DECIMAL = 4, LOWERCASE = 8, UPPERCASE = 16, CASED = 32 };

__device__ __forceinline__ uint32_t properties_of_ascii(uint32_t code) {
  if (code >= '0' && code <= '9') return NUMERIC | DECIMAL;
  if (code >= 'a' && code <= 'z') return LETTER | LOWERCASE | CASED;
  if (code >= 'A' && code <= 'Z') return LETTER | UPPERCASE | CASED;
  return 0;
}

// Pages of 256 characters, by their position in what follows the kPages positions.
constexpr int kPages = 0x1100;

__device__ __forceinline__ uint32_t properties_of(uint32_t code, const uint8_t *tables) {
  uint32_t page = reinterpret_cast<const uint16_t *>(tables)[code >> 8];
  return tables[2 * kPages + 256 * page + (code & 255)];
}

struct Test {
  int32_t kind;
  // The properties of which each character has one, or of which it is if it has a case.
  uint32_t wanted;
  const uint8_t *tables;

  __device__ __forceinline__ bool passes(StringRow text, uint32_t &fault) const {
    bool each = true, any = false, any_cased = false, in_word = false, in_case = true;
    for (int64_t at = 0; at < text.length;) {
      Character character = character_at(text.bytes + at);
      at += character.size;
      if (kind == SPACE || kind == ASCII) {
        each = each && (kind == ASCII ? character.code < 0x80 : is_white_space(character.code));
        continue;
      }
      if (character.code >= 0x80 && tables == nullptr) {
        fault |= FAULT_NEEDS_TABLES;
        return false;
      }
      uint32_t is = character.code < 0x80 ? properties_of_ascii(character.code) : properties_of(character.code, tables);
      bool is_wanted = (is & wanted) != 0, is_cased = (is & CASED) != 0;
      each = each && is_wanted;
      any = any || is_wanted;
      any_cased = any_cased || is_cased;
      if (is_cased) in_case = in_case && (kind == TITLE ? ((is & LOWERCASE) != 0) == in_word : is_wanted);
      in_word = is_cased;
    }
    if (kind == ASCII) return each;
    if (kind == CASE) return any && in_case;
    if (kind == TITLE) return any_cased && in_case;
    return each && text.length > 0;
  }
};

__global__ void __launch_bounds__(kThreads) test_rows(ColumnDesc input, Test test, uint32_t *out, uint32_t *faults) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  int64_t row = thread_index();
  StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  bool passes = false;
  if (row < input.rows && input.valid(row)) {
    uint32_t fault = 0;
    if (is_utf8(text)) passes = test.passes(text, fault);
    else fault = FAULT_NOT_UTF8;
    if (fault != 0) atomicOr(faults, fault);
  }
  store_bit(out, row, input.rows, passes);
}

__global__ void __launch_bounds__(kThreads)
    match_rows(ColumnDesc input, AutomatonTable table, uint32_t *out, uint32_t *faults) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(words, uint16_t[kAutomatonWords]);
  stage_automaton(table, &words[0]);
  __syncthreads();
  Automaton automaton = staged_automaton(table, &words[0]);
  for_rows(input.rows, [&](int64_t row) {
    StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
    bool matches = false;
    if (row < input.rows && input.valid(row)) {
      if (is_utf8(text)) matches = automaton.is_match(text);
      else atomicOr(faults, static_cast<uint32_t>(FAULT_NOT_UTF8));
    }
    store_bit(out, row, input.rows, matches);
  });
}

// Calls `run` with the output and a word for faults, and reads that.
template <class Args, class Run>
cudaError_t with_faults(const Args &args, cudaStream_t stream, Run run) {
  int64_t rows = args.input.rows;
  uint32_t *out = args.alloc.template output<uint32_t>(0, (rows + 31) / 32);
  int64_t *faults = args.alloc.template scratch<int64_t>(1);
  if (out == nullptr || faults == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  CN_TRY(cudaMemsetAsync(faults, 0, sizeof(*faults), stream));
  CN_TRY(run(out, reinterpret_cast<uint32_t *>(faults)));
  return args.alloc.read(faults, args.faults, 1, stream);
}

}  // namespace

ENTRY(test_strings)(const TestArgs *args, cudaStream_t stream) {
  return with_faults(*args, stream, [&](uint32_t *out, uint32_t *faults) {
    Test test{args->kind, args->wanted, args->tables};
    return launch(test_rows, blocks_for(args->input.rows, kThreads), kThreads, 0, stream, args->input, test, out, faults);
  });
}

ENTRY(contains_regex)(const SearchArgs *args, cudaStream_t stream) {
  return with_faults(*args, stream, [&](uint32_t *out, uint32_t *faults) {
    return launch(match_rows, blocks_of_rows(args->input.rows), kThreads, 0, stream, args->input, args->automaton, out,
                  faults);
  });
}

}  // namespace CN_BUILD
