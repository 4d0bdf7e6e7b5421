#pragma once
#include <numeric>

#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

// A double buffer: a sort leaves the data in either of the two.
template <class T>
struct DoubleBuffer {
  T *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

namespace sim_detail {

using Bits = unsigned __int128;

// The key as bits that compare like the key: the sign bit of integers flipped, negative floats inverted, −0.0
// as +0.0.
template <class K>
Bits radix_bits(K key) {
  constexpr int width = (int)sizeof(K) * 8;
  constexpr Bits sign = (Bits)1 << (width - 1);
  constexpr Bits all = sign | (sign - 1);
  Bits bits = 0;
  ::memcpy(&bits, &key, sizeof key);
  if (std::is_floating_point<K>::value) {
    if (bits == sign) bits = 0;
    return (bits & sign ? ~bits : bits | sign) & all;
  }
  bool is_signed = (K)-1 < (K)0;
  return is_signed ? bits ^ sign : bits;
}

enum class Order { Ascending, Descending };

// Compares the digits of two keys between two bits.
template <class K>
struct DigitsLess {
  int begin_bit, end_bit;
  Order order;

  Bits digits(K key) const {
    int width = end_bit - begin_bit;
    Bits mask = width >= 128 ? ~(Bits)0 : ((Bits)1 << width) - 1;
    return radix_bits(key) >> begin_bit & mask;
  }
  bool operator()(K a, K b) const {
    return order == Order::Ascending ? digits(a) < digits(b) : digits(b) < digits(a);
  }
};

}  // namespace sim_detail

struct DeviceRadixSort {
  template <class K, class V, class N>
  static cudaError_t SortPairs(void *temp, size_t &bytes, const K *keys_in, K *keys_out, const V *values_in,
                               V *values_out, N n, int begin_bit = 0, int end_bit = sizeof(K) * 8,
                               cudaStream_t stream = 0) {
    return pairs<K, V>(temp, bytes, keys_in, keys_out, values_in, values_out, n,
                       {begin_bit, end_bit, sim_detail::Order::Ascending}, stream);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairsDescending(void *temp, size_t &bytes, const K *keys_in, K *keys_out,
                                         const V *values_in, V *values_out, N n, int begin_bit = 0,
                                         int end_bit = sizeof(K) * 8, cudaStream_t stream = 0) {
    return pairs<K, V>(temp, bytes, keys_in, keys_out, values_in, values_out, n,
                       {begin_bit, end_bit, sim_detail::Order::Descending}, stream);
  }
  template <class K, class N>
  static cudaError_t SortKeys(void *temp, size_t &bytes, const K *keys_in, K *keys_out, N n,
                              int begin_bit = 0, int end_bit = sizeof(K) * 8, cudaStream_t stream = 0) {
    return keys<K>(temp, bytes, keys_in, keys_out, n, {begin_bit, end_bit, sim_detail::Order::Ascending},
                   stream);
  }
  template <class K, class N>
  static cudaError_t SortKeysDescending(void *temp, size_t &bytes, const K *keys_in, K *keys_out, N n,
                                        int begin_bit = 0, int end_bit = sizeof(K) * 8,
                                        cudaStream_t stream = 0) {
    return keys<K>(temp, bytes, keys_in, keys_out, n, {begin_bit, end_bit, sim_detail::Order::Descending},
                   stream);
  }

  template <class K, class V, class N>
  static cudaError_t SortPairs(void *temp, size_t &bytes, DoubleBuffer<K> &k, DoubleBuffer<V> &v, N n,
                               int begin_bit = 0, int end_bit = sizeof(K) * 8, cudaStream_t stream = 0) {
    cudaError_t error = SortPairs(temp, bytes, (const K *)k.Current(), k.Alternate(), (const V *)v.Current(),
                                  v.Alternate(), n, begin_bit, end_bit, stream);
    if (temp) k.selector ^= 1, v.selector ^= 1;
    return error;
  }
  template <class K, class N>
  static cudaError_t SortKeys(void *temp, size_t &bytes, DoubleBuffer<K> &k, N n, int begin_bit = 0,
                              int end_bit = sizeof(K) * 8, cudaStream_t stream = 0) {
    cudaError_t error =
        SortKeys(temp, bytes, (const K *)k.Current(), k.Alternate(), n, begin_bit, end_bit, stream);
    if (temp) k.selector ^= 1;
    return error;
  }

 private:
  template <class K, class V, class N>
  static cudaError_t pairs(void *temp, size_t &bytes, const K *keys_in, K *keys_out, const V *values_in,
                           V *values_out, N n, sim_detail::DigitsLess<K> less, cudaStream_t stream) {
    size_t needed = 256 + (size_t)n * (sizeof(K) + sizeof(V));
    return sim_detail::two_phase(temp, bytes, needed, stream, [=] {
      std::vector<N> order((size_t)n);
      std::iota(order.begin(), order.end(), N{0});
      std::stable_sort(order.begin(), order.end(), [&](N a, N b) { return less(keys_in[a], keys_in[b]); });
      for (N i = 0; i < n; i++) {
        N from = order[(size_t)i];
        keys_out[i] = keys_in[from];
        values_out[i] = values_in[from];
      }
    });
  }

  template <class K, class N>
  static cudaError_t keys(void *temp, size_t &bytes, const K *keys_in, K *keys_out, N n,
                          sim_detail::DigitsLess<K> less, cudaStream_t stream) {
    size_t needed = 256 + (size_t)n * sizeof(K);
    return sim_detail::two_phase(temp, bytes, needed, stream, [=] {
      std::copy(keys_in, keys_in + n, keys_out);
      std::stable_sort(keys_out, keys_out + n, less);
    });
  }
};

}  // namespace cub
}  // namespace cn_sim
