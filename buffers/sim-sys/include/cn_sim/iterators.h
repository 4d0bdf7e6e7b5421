// Random-access iterators that compute their values.
#pragma once
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "types.h"

namespace cn_sim {
namespace sim {

// Iterator arithmetic over a position; Derived implements `value(position)`.
template <class Derived, class Value>
class ComputedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::decay_t<Value>;
  using difference_type = ptrdiff_t;
  using pointer = void;
  using reference = Value;

  Value operator*() const { return self().value(position_); }
  Value operator[](difference_type n) const { return self().value(position_ + n); }

  Derived &operator++() { return self() += 1; }
  Derived &operator--() { return self() -= 1; }
  Derived operator++(int) {
    Derived before = self();
    position_++;
    return before;
  }
  Derived &operator+=(difference_type n) {
    position_ += n;
    return self();
  }
  Derived &operator-=(difference_type n) {
    position_ -= n;
    return self();
  }
  friend Derived operator+(Derived it, difference_type n) { return it += n; }
  friend Derived operator+(difference_type n, Derived it) { return it += n; }
  friend Derived operator-(Derived it, difference_type n) { return it -= n; }
  friend difference_type operator-(const Derived &a, const Derived &b) { return a.position_ - b.position_; }
  friend bool operator==(const Derived &a, const Derived &b) { return a.position_ == b.position_; }
  friend bool operator!=(const Derived &a, const Derived &b) { return a.position_ != b.position_; }
  friend bool operator<(const Derived &a, const Derived &b) { return a.position_ < b.position_; }

 private:
  Derived &self() { return *static_cast<Derived *>(this); }
  const Derived &self() const { return *static_cast<const Derived *>(this); }
  difference_type position_ = 0;
};

}  // namespace sim

namespace thrust {

// first, first + 1, …
template <class T>
class counting_iterator : public sim::ComputedIterator<counting_iterator<T>, T> {
 public:
  explicit counting_iterator(T first = T{}) : first_(first) {}
  T value(ptrdiff_t position) const { return T(first_ + (T)position); }

 private:
  T first_;
};
template <class T>
counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

template <class T>
class constant_iterator : public sim::ComputedIterator<constant_iterator<T>, T> {
 public:
  explicit constant_iterator(T value) : value_(value) {}
  T value(ptrdiff_t) const { return value_; }

 private:
  T value_;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

// function(*it), function(it[1]), …
template <class F, class It>
class transform_iterator : public sim::ComputedIterator<transform_iterator<F, It>,
                                                        decltype(std::declval<F>()(*std::declval<It>()))> {
 public:
  transform_iterator(It it, F function) : it_(it), function_(function) {}
  auto value(ptrdiff_t position) const { return function_(it_[position]); }

 private:
  It it_;
  F function_;
};
template <class F, class It>
transform_iterator<F, It> make_transform_iterator(It it, F function) {
  return transform_iterator<F, It>(it, function);
}

// Discards what is written to it.
class discard_iterator {
 public:
  struct sink {
    template <class T>
    const sink &operator=(const T &) const {
      return *this;
    }
  };
  using value_type = sink;
  using difference_type = ptrdiff_t;
  using pointer = void;
  using reference = sink;
  using iterator_category = std::random_access_iterator_tag;
  sink operator*() const { return {}; }
  sink operator[](ptrdiff_t) const { return {}; }
  discard_iterator operator+(ptrdiff_t) const { return *this; }
  discard_iterator &operator++() { return *this; }
};
inline discard_iterator make_discard_iterator() { return {}; }

}  // namespace thrust
}  // namespace cn_sim
