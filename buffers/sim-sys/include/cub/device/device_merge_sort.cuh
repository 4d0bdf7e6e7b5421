#pragma once
#include <numeric>

#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceMergeSort {
  template <class Keys, class N, class Less>
  static cudaError_t StableSortKeys(void *temp, size_t &bytes, Keys keys, N n, Less less,
                                    cudaStream_t stream = 0) {
    size_t needed = 256 + (size_t)n * sizeof(sim_detail::value_t<Keys>);
    return sim_detail::two_phase(temp, bytes, needed, stream,
                                 [=] { std::stable_sort(keys, keys + n, less); });
  }

  template <class Keys, class Items, class N, class Less>
  static cudaError_t StableSortPairs(void *temp, size_t &bytes, Keys keys, Items items, N n, Less less,
                                     cudaStream_t stream = 0) {
    using Key = sim_detail::value_t<Keys>;
    using Item = sim_detail::value_t<Items>;
    size_t needed = 256 + (size_t)n * (sizeof(Key) + sizeof(Item));
    return sim_detail::two_phase(temp, bytes, needed, stream, [=]() mutable {
      std::vector<N> order((size_t)n);
      std::iota(order.begin(), order.end(), N{0});
      std::stable_sort(order.begin(), order.end(), [&](N a, N b) { return less(keys[a], keys[b]); });
      std::vector<Key> sorted_keys;
      std::vector<Item> sorted_items;
      for (N from : order) {
        sorted_keys.push_back(keys[from]);
        sorted_items.push_back(items[from]);
      }
      std::copy(sorted_keys.begin(), sorted_keys.end(), keys);
      std::copy(sorted_items.begin(), sorted_items.end(), items);
    });
  }

  // CUB does not guarantee stability of these two; here they are stable.
  template <class Keys, class N, class Less>
  static cudaError_t SortKeys(void *temp, size_t &bytes, Keys keys, N n, Less less, cudaStream_t stream = 0) {
    return StableSortKeys(temp, bytes, keys, n, less, stream);
  }
  template <class Keys, class Items, class N, class Less>
  static cudaError_t SortPairs(void *temp, size_t &bytes, Keys keys, Items items, N n, Less less,
                               cudaStream_t stream = 0) {
    return StableSortPairs(temp, bytes, keys, items, n, less, stream);
  }
};

}  // namespace cub
}  // namespace cn_sim
