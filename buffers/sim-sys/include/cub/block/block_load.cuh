#pragma once
#include "block_reduce.cuh"

namespace cn_sim {
namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
};

// Transposing algorithms differ only in speed: every thread ends up with consecutive items.
template <class T, int X, int Items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1>
class BlockLoad {
 public:
  struct TempStorage {
    char unused;
  };
  BlockLoad() = default;
  explicit BlockLoad(TempStorage &) {}

  template <class It>
  void Load(It from, T (&to)[Items]) {
    for (int i = 0; i < Items; i++) to[i] = from[place(i)];
  }
  template <class It>
  void Load(It from, T (&to)[Items], int valid) {
    for (int i = 0; i < Items; i++) {
      if (place(i) < valid) to[i] = from[place(i)];
    }
  }
  template <class It>
  void Load(It from, T (&to)[Items], int valid, T otherwise) {
    for (int i = 0; i < Items; i++) to[i] = place(i) < valid ? T(from[place(i)]) : otherwise;
  }

 private:
  static int place(int i) {
    int rank = (int)sim_detail::thread_rank();
    return algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1>
class BlockStore {
 public:
  struct TempStorage {
    char unused;
  };
  BlockStore() = default;
  explicit BlockStore(TempStorage &) {}

  template <class It>
  void Store(It to, T (&from)[Items]) {
    for (int i = 0; i < Items; i++) to[place(i)] = from[i];
  }
  template <class It>
  void Store(It to, T (&from)[Items], int valid) {
    for (int i = 0; i < Items; i++) {
      if (place(i) < valid) to[place(i)] = from[i];
    }
  }

 private:
  static int place(int i) {
    int rank = (int)sim_detail::thread_rank();
    return algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
  }
};

}  // namespace cub
}  // namespace cn_sim
