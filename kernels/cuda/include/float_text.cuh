// Floats as the shortest text that is read as the same float, and the float that is nearest to a text. Powers of ten are
// products of two numbers of a small table (kernels/src/strings/convert/powers.rs).
//
// Written: Raffaello Giulietti, "The Schubfach way to render doubles", 2020. Read: the bounds of a product of 64 and 128
// bits, rounded; where these differ, the digits are compared with the number between two floats, in big integers (W. D.
// Clinger, "How to read floating point numbers accurately", 1990; Daniel Lemire, "Number parsing at a gigabyte per
// second", 2021).
#pragma once
#include "number_text.cuh"

namespace CN_BUILD {

// The layout of Powers in powers.rs.
struct Powers {
  static constexpr int kStep = 27;
  static constexpr int kFirst = -351;
  static constexpr int kSteps = 26;
  // 10^(kFirst + kStep * i): the highest 192 bits, the lowest word first.
  uint64_t coarse[kSteps][3];
  // 5^i, shifted to the highest bit.
  uint64_t fine[kStep];

  // The highest 128 bits of 10^k, rounded down, for k from -343 to 324.
  __device__ __forceinline__ uint128 at(int k) const {
    int step = (k - kFirst) / kStep;
    uint64_t factor = fine[k - kFirst - step * kStep];
    const uint64_t(&words)[3] = coarse[step];
    uint128 low = static_cast<uint128>(words[0]) * factor;
    uint128 middle = static_cast<uint128>(words[1]) * factor + static_cast<uint64_t>(low >> 64);
    uint128 high = static_cast<uint128>(words[2]) * factor + static_cast<uint64_t>(middle >> 64);
    if (high >> 127 != 0) return high;
    return high << 1 | static_cast<uint64_t>(middle) >> 63;
  }
  static __device__ __forceinline__ bool is_exact(int k) { return k >= 0 && k <= 55; }
  // The position of the highest bit of 10^k.
  static __device__ __forceinline__ int top_bit(int k) { return (k * 1741647) >> 19; }
};

template <class F>
struct FloatFormat;
template <>
struct FloatFormat<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52;
  static constexpr int kBias = 1023;
  // Numbers of up to kWhole digits are written without an exponent, and those with fewer than kZeros zeros after the
  // point.
  static constexpr int kWhole = 16;
  static constexpr int kZeros = 5;
};
template <>
struct FloatFormat<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23;
  static constexpr int kBias = 127;
  static constexpr int kWhole = 13;
  static constexpr int kZeros = 6;
};

// A finite float as mantissa * 2^exponent.
template <class F>
struct FloatParts {
  uint64_t mantissa;
  int exponent;
  bool is_regular;

  __device__ __forceinline__ explicit FloatParts(typename FloatFormat<F>::Bits magnitude) {
    using Format = FloatFormat<F>;
    uint64_t fraction = magnitude & ((uint64_t{1} << Format::kMantissa) - 1);
    int biased = static_cast<int>(magnitude >> Format::kMantissa);
    mantissa = biased == 0 ? fraction : fraction | uint64_t{1} << Format::kMantissa;
    exponent = (biased == 0 ? 1 : biased) - Format::kBias - Format::kMantissa;
    // The floats around it are as far above as below.
    is_regular = fraction != 0 || biased <= 1;
  }
};

// digits * 10^exponent.
struct ShortDecimal {
  uint64_t digits;
  int exponent;
};

namespace float_detail {

// The product above the lowest 128 bits; its lowest bit is set if bits below it are.
__device__ __forceinline__ uint64_t product_to_odd(uint128 power, uint64_t factor) {
  uint128 low = static_cast<uint128>(static_cast<uint64_t>(power)) * factor;
  uint128 high = static_cast<uint128>(static_cast<uint64_t>(power >> 64)) * factor + static_cast<uint64_t>(low >> 64);
  return static_cast<uint64_t>(high >> 64) | (static_cast<uint64_t>(high) > 1 ? 1 : 0);
}

}  // namespace float_detail

// The shortest decimal between the neighbours of a float above zero, of those the nearest.
template <class F>
__device__ __forceinline__ ShortDecimal shortest(FloatParts<F> of, const Powers &powers) {
  using namespace float_detail;
  bool is_even = of.mantissa % 2 == 0;
  uint64_t middle = 4 * of.mantissa;
  uint64_t below = middle - (of.is_regular ? 2 : 1), above = middle + 2;
  // floor(log10(2^exponent)), of three quarters of that for an irregular one.
  int k = (of.exponent * 1262611 - (of.is_regular ? 0 : 524031)) >> 22;
  int shift = of.exponent + Powers::top_bit(-k) + 1;
  uint128 power = powers.at(-k) + (Powers::is_exact(-k) ? 0 : 1);
  uint64_t low = product_to_odd(power, below << shift) + (is_even ? 0 : 1);
  uint64_t value = product_to_odd(power, middle << shift);
  uint64_t high = product_to_odd(power, above << shift) - (is_even ? 0 : 1);
  uint64_t quarter = value / 4;
  if (quarter >= 10) {
    uint64_t tens = quarter / 10;
    bool is_down_inside = low <= 40 * tens, is_up_inside = 40 * tens + 40 <= high;
    if (is_down_inside != is_up_inside) return {tens + (is_up_inside ? 1 : 0), k + 1};
  }
  bool is_down_inside = low <= 4 * quarter, is_up_inside = 4 * quarter + 4 <= high;
  if (is_down_inside != is_up_inside) return {quarter + (is_up_inside ? 1 : 0), k};
  uint64_t half = 4 * quarter + 2;
  bool rounds_up = value > half || (value == half && quarter % 2 == 1);
  return {quarter + (rounds_up ? 1 : 0), k};
}

template <class Bytes>
__device__ __forceinline__ void put_word(uint64_t word, Bytes &out) {
  for (; word != 0; word >>= 8) out.put(static_cast<uint8_t>(word));
}

template <class Bytes>
__device__ __forceinline__ void put_zeros(int count, Bytes &out) {
  for (int k = 0; k < count; k++) out.put('0');
}

// `count` digits with a point after the first `before`, which is less than `count`.
template <class Bytes>
__device__ __forceinline__ void put_with_point(uint64_t digits, int count, int before, Bytes &out) {
  if constexpr (Bytes::kChecks) {
    out.bytes += count + 1;
  } else {
    uint8_t *to = out.to;
    out.to += count + 1;
    for (int k = count; k >= 0; k--) {
      if (k == before) {
        to[k] = '.';
      } else {
        to[k] = static_cast<uint8_t>('0' + digits % 10);
        digits /= 10;
      }
    }
  }
}

// As the crate ryu writes it: 1.0, 0.001, 12.5, 1e30, 1.234e-7, inf, NaN.
template <class F, class Bytes>
__device__ __forceinline__ void put_float(typename FloatFormat<F>::Bits bits, const Powers &powers, Bytes &out) {
  using Format = FloatFormat<F>;
  using Bits = typename Format::Bits;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Bits kInfinite = static_cast<Bits>(Bits{2 * Format::kBias + 1} << Format::kMantissa);
  Bits magnitude = bits & static_cast<Bits>(~kSign);
  if (magnitude > kInfinite) {
    put_word(0x4e614e, out);
    return;
  }
  if ((bits & kSign) != 0) out.put('-');
  if (magnitude == kInfinite) {
    put_word(0x666e69, out);
    return;
  }
  if (magnitude == 0) {
    put_word(0x302e30, out);
    return;
  }
  ShortDecimal decimal = shortest(FloatParts<F>(magnitude), powers);
  while (decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    decimal.exponent++;
  }
  int count = digits_of(decimal.digits);
  // The digits before the point.
  int before = count + decimal.exponent;
  if (decimal.exponent >= 0 && before <= Format::kWhole) {
    put_digits(decimal.digits, count, out);
    put_zeros(decimal.exponent, out);
    put_word(0x302e, out);
  } else if (before > 0 && before <= Format::kWhole) {
    put_with_point(decimal.digits, count, before, out);
  } else if (before <= 0 && before > -Format::kZeros) {
    put_word(0x2e30, out);
    put_zeros(-before, out);
    put_digits(decimal.digits, count, out);
  } else {
    if (count == 1) put_digits(decimal.digits, 1, out);
    else put_with_point(decimal.digits, count, 1, out);
    out.put('e');
    int exponent = before - 1;
    if (exponent < 0) out.put('-');
    put_number(static_cast<uint64_t>(exponent < 0 ? -exponent : exponent), out);
  }
}

// What a text says of a float.
struct ScannedFloat {
  // Digits and perhaps a point.
  StringRow text;
  // The first 19 digits from the first that is not zero, and whether one after them is not zero.
  uint64_t digits;
  bool is_cut;
  bool is_negative;
  // 0 for a number, 1 infinity, 2 not a number.
  int special;
  // The digits of the text from the first that is not zero, and the exponent of a point before them.
  int64_t count;
  int64_t point;

  static constexpr int kDigits = 19;

  // The exponent of the last of `digits`.
  __device__ __forceinline__ int64_t exponent() const { return point - (count < kDigits ? count : kDigits); }
};

__device__ __forceinline__ uint64_t lower_word(StringRow text) {
  uint64_t word = 0;
  for (int64_t k = 0; k < text.length && k < 8; k++) {
    uint8_t byte = text.bytes[k];
    word |= static_cast<uint64_t>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte) << (8 * k);
  }
  return word;
}

// The grammar of Rust's `f64::from_str`. False for what is no float.
__device__ __forceinline__ bool scan_float(StringRow text, ScannedFloat &out) {
  out = {};
  out.is_negative = take_sign(text);
  int64_t at = 0, fraction = 0, seen = 0;
  bool is_after_point = false;
  for (; at < text.length; at++) {
    uint32_t digit = digit_of(text.bytes[at]);
    if (digit <= 9) {
      seen++;
      fraction += is_after_point ? 1 : 0;
      if (out.count > 0 || digit != 0) {
        if (out.count < ScannedFloat::kDigits) out.digits = out.digits * 10 + digit;
        else out.is_cut |= digit != 0;
        out.count++;
      }
    } else if (text.bytes[at] == '.' && !is_after_point) {
      is_after_point = true;
    } else {
      break;
    }
  }
  if (seen == 0) {
    uint64_t word = text.length == 3 || text.length == 8 ? lower_word(text) : 0;
    if (word == (text.length == 3 ? 0x666e69 : 0x7974696e69666e69)) out.special = 1;
    if (word == 0x6e616e && text.length == 3) out.special = 2;
    return out.special != 0;
  }
  out.text = {text.bytes, at};
  int64_t exponent = 0;
  if (at < text.length) {
    if ((text.bytes[at] | 0x20) != 'e') return false;
    StringRow rest{text.bytes + at + 1, text.length - at - 1};
    bool is_negative = take_sign(rest);
    if (rest.length == 0) return false;
    for (int64_t k = 0; k < rest.length; k++) {
      uint32_t digit = digit_of(rest.bytes[k]);
      if (digit > 9) return false;
      if (exponent < 65536) exponent = exponent * 10 + digit;
    }
    if (is_negative) exponent = -exponent;
  }
  out.point = exponent - fraction + out.count;
  return true;
}

// The magnitudes of the nearest floats to the least and the greatest number that a text may stand for, by its first digits.
template <class F>
struct FloatBounds {
  using Format = FloatFormat<F>;
  using Bits = typename Format::Bits;
  static constexpr Bits kInfinite = static_cast<Bits>(Bits{2 * Format::kBias + 1} << Format::kMantissa);
  Bits low, high;

  // The float nearest to high * 2^(exponent - 63), of which `rest` are lower bits and the highest bit of `high` is set.
  static __device__ __forceinline__ Bits nearest(uint64_t high, uint128 rest, int exponent) {
    if (exponent > Format::kBias) return kInfinite;
    int dropped = 63 - Format::kMantissa;
    bool is_subnormal = exponent < 1 - Format::kBias;
    if (is_subnormal) dropped += 1 - Format::kBias - exponent;
    if (dropped > 64) return 0;
    uint64_t kept = dropped == 64 ? 0 : high >> dropped;
    uint64_t lost = dropped == 64 ? high : high & ((uint64_t{1} << dropped) - 1);
    uint64_t half = uint64_t{1} << (dropped - 1);
    kept += lost > half || (lost == half && (rest != 0 || kept % 2 == 1)) ? 1 : 0;
    // The hidden bit counts as one of the exponent; so does a carry.
    uint64_t above = is_subnormal ? 0 : static_cast<uint64_t>(exponent + Format::kBias - 1) << Format::kMantissa;
    return static_cast<Bits>(above + kept);
  }

  __device__ __forceinline__ FloatBounds(const ScannedFloat &of, const Powers &powers) : low(0), high(0) {
    int64_t exponent = of.exponent();
    if (of.digits == 0 || exponent < -343) return;
    if (exponent > 308) {
      low = high = kInfinite;
      return;
    }
    int k = static_cast<int>(exponent);
    int shift = __clzll(static_cast<long long>(of.digits));
    uint64_t digits = of.digits << shift;
    uint128 power = powers.at(k);
    uint128 bottom = static_cast<uint128>(static_cast<uint64_t>(power)) * digits;
    uint128 top = static_cast<uint128>(static_cast<uint64_t>(power >> 64)) * digits + static_cast<uint64_t>(bottom >> 64);
    uint64_t last = static_cast<uint64_t>(bottom);
    int bit = Powers::top_bit(k) + 63 - shift;
    low = rounded(top, last, bit);
    high = low;
    // What the power and the digits may be larger by, less than one each in their last place.
    uint128 more = Powers::is_exact(k) ? 0 : digits;
    uint128 carry = 0;
    if (of.is_cut) {
      more += static_cast<uint128>(static_cast<uint64_t>(power)) << shift;
      if (!Powers::is_exact(k)) more += uint64_t{1} << shift;
      carry = static_cast<uint128>(static_cast<uint64_t>(power >> 64)) << shift;
    }
    if (more == 0 && carry == 0) return;
    uint128 sum = static_cast<uint128>(last) + static_cast<uint64_t>(more);
    uint128 raised = top + (more >> 64) + (sum >> 64);
    bool overflows = raised < top;
    top = raised;
    raised += carry;
    overflows |= raised < top;
    // The bounds differ where the sum does not fit.
    high = overflows ? low + 1 : rounded(raised, static_cast<uint64_t>(sum), bit);
  }

  // The float nearest to a number of 192 bits, of which the second highest is in place `bit` above the point.
  static __device__ __forceinline__ Bits rounded(uint128 top, uint64_t last, int bit) {
    bool is_high = top >> 127 != 0;
    if (!is_high) top = top << 1 | last >> 63;
    uint128 rest = (static_cast<uint128>(static_cast<uint64_t>(top)) << 64) | (is_high ? last : last << 1);
    return nearest(static_cast<uint64_t>(top >> 64), rest, bit + (is_high ? 1 : 0));
  }
};

// An unsigned integer in shared memory, the lowest word first, of as many words as the comparisons below need.
struct BigInteger {
  // The largest is 5^1111 and 54 bits, or 768 digits and a shift to the same size.
  static constexpr int kWords = 96;
  uint32_t *words;
  int count;

  __device__ __forceinline__ void multiply_add(uint32_t factor, uint32_t term) {
    uint64_t carry = term;
    for (int k = 0; k < count; k++) {
      carry += static_cast<uint64_t>(words[k]) * factor;
      words[k] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0 && count < kWords) words[count++] = static_cast<uint32_t>(carry);
  }
  __device__ __forceinline__ void multiply_by_five(int64_t power) {
    for (; power >= 13; power -= 13) multiply_add(1220703125, 0);
    for (; power > 0; power--) multiply_add(5, 0);
  }
  __device__ __forceinline__ void shift(int64_t bits) {
    int whole = static_cast<int>(bits / 32);
    multiply_add(uint32_t{1} << (bits % 32), 0);
    if (count + whole > kWords) whole = kWords - count;
    for (int k = count - 1; k >= 0; k--) words[k + whole] = words[k];
    for (int k = 0; k < whole; k++) words[k] = 0;
    count += whole;
  }
  // Below, at or above zero, as this is less than, equal to or greater than the other.
  __device__ __forceinline__ int compared_with(const BigInteger &other) const {
    if (count != other.count) return count < other.count ? -1 : 1;
    for (int k = count - 1; k >= 0; k--) {
      if (words[k] != other.words[k]) return words[k] < other.words[k] ? -1 : 1;
    }
    return 0;
  }
};

// The magnitude nearest to a text, which is `low` or the float above it. `words` are 2 * BigInteger::kWords.
template <class F>
__device__ __forceinline__ typename FloatFormat<F>::Bits nearest_float(const ScannedFloat &of,
                                                                       typename FloatFormat<F>::Bits low,
                                                                       uint32_t *words) {
  // No number between two floats has more digits.
  constexpr int64_t kMost = 768;
  BigInteger number{words, 0}, between{words + BigInteger::kWords, 0};
  int64_t taken = 0;
  bool is_cut = false;
  uint32_t chunk = 0, factor = 1;
  for (int64_t at = 0; at < of.text.length; at++) {
    uint32_t digit = digit_of(of.text.bytes[at]);
    if (digit > 9 || (taken == 0 && digit == 0)) continue;
    if (taken == kMost) {
      is_cut |= digit != 0;
      continue;
    }
    taken++;
    chunk = chunk * 10 + digit;
    factor *= 10;
    if (factor == 1000000000) {
      number.multiply_add(factor, chunk);
      chunk = 0;
      factor = 1;
    }
  }
  number.multiply_add(factor, chunk);
  FloatParts<F> parts(low);
  uint64_t odd = 2 * parts.mantissa + 1;
  between.words[0] = static_cast<uint32_t>(odd);
  between.words[1] = static_cast<uint32_t>(odd >> 32);
  between.count = odd >> 32 != 0 ? 2 : 1;
  int64_t exponent = of.point - taken;
  if (exponent >= 0) number.multiply_by_five(exponent);
  else between.multiply_by_five(-exponent);
  int64_t bits = exponent - (parts.exponent - 1);
  if (bits >= 0) number.shift(bits);
  else between.shift(-bits);
  int order = number.compared_with(between);
  if (order == 0 && is_cut) order = 1;
  return order > 0 || (order == 0 && low % 2 == 1) ? low + 1 : low;
}

}  // namespace CN_BUILD
