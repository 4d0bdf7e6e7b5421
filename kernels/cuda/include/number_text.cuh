// Integers and decimals as text and back, as kernels/src/strings/convert/host has them. Text goes to CountedBytes or
// WrittenBytes.
#pragma once
#include "operand.cuh"
#include "written_strings.cuh"

namespace CN_BUILD {

__device__ __forceinline__ uint32_t digit_of(uint8_t byte) { return static_cast<uint32_t>(byte) - '0'; }

// The number of decimal digits.
__device__ __forceinline__ int digits_of(uint64_t value) {
  int count = 1;
  for (uint64_t power = 10; count < 20 && value >= power; power *= 10) count++;
  return count;
}

// The last `count` digits.
template <class Bytes>
__device__ __forceinline__ void put_digits(uint64_t value, int count, Bytes &out) {
  if constexpr (Bytes::kChecks) {
    out.bytes += count;
  } else {
    uint8_t *to = out.to;
    out.to += count;
    int k = count;
    while (k > 0 && value > UINT32_MAX) {
      to[--k] = static_cast<uint8_t>('0' + value % 10);
      value /= 10;
    }
    for (uint32_t rest = static_cast<uint32_t>(value); k > 0; rest /= 10) to[--k] = static_cast<uint8_t>('0' + rest % 10);
  }
}

template <class Bytes>
__device__ __forceinline__ void put_number(uint64_t value, Bytes &out) {
  put_digits(value, digits_of(value), out);
}

constexpr uint64_t kTenTo19 = 10000000000000000000u;

// Units of 10^-scale, all digits of them.
template <class Bytes>
__device__ __forceinline__ void put_decimal(int128 value, int scale, Bytes &out) {
  uint128 magnitude = value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
  // Parts of 19 digits, and one digit at most before them.
  uint64_t low = static_cast<uint64_t>(magnitude), middle = 0, top = 0;
  int parts = 1;
  if (magnitude >= kTenTo19) {
    uint128 high = magnitude / kTenTo19;
    low = static_cast<uint64_t>(magnitude - high * kTenTo19);
    middle = static_cast<uint64_t>(high);
    parts = 2;
    if (high >= kTenTo19) {
      top = static_cast<uint64_t>(high / kTenTo19);
      middle = static_cast<uint64_t>(high - static_cast<uint128>(top) * kTenTo19);
      parts = 3;
    }
  }
  int digits = 19 * (parts - 1) + digits_of(parts == 3 ? top : parts == 2 ? middle : low);
  int zeros_after = scale < 0 && value != 0 ? -scale : 0;
  int shown = scale > 0 && digits <= scale ? scale + 1 : digits;
  if (value < 0) out.put('-');
  if constexpr (Bytes::kChecks) {
    out.bytes += shown + zeros_after + (scale > 0 ? 1 : 0);
  } else {
    uint8_t *end = out.to + shown + (scale > 0 ? 1 : 0);
    out.to = end;
    uint64_t part = low;
    for (int k = 0; k < shown; k++) {
      if (k == 19) part = middle;
      if (k == 38) part = top;
      if (k == scale && scale > 0) *--end = '.';
      *--end = static_cast<uint8_t>('0' + part % 10);
      part /= 10;
    }
    for (int k = 0; k < zeros_after; k++) out.put('0');
  }
}

// Takes a sign off the text.
__device__ __forceinline__ bool take_sign(StringRow &text) {
  if (text.length == 0 || (text.bytes[0] != '-' && text.bytes[0] != '+')) return false;
  bool negative = text.bytes[0] == '-';
  text = {text.bytes + 1, text.length - 1};
  return negative;
}

// False for no digits, another character and more than 64 bits.
__device__ __forceinline__ bool read_unsigned(StringRow text, uint64_t &value) {
  value = 0;
  if (text.length == 0) return false;
  for (int64_t at = 0; at < text.length; at++) {
    uint32_t digit = digit_of(text.bytes[at]);
    if (digit > 9) return false;
    // 19 digits always fit.
    if (at >= 19 && value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return true;
}

// A number of exactly `count` digits, at most nine.
__device__ __forceinline__ bool read_digits(const uint8_t *bytes, int count, uint32_t &value) {
  value = 0;
  bool are_digits = true;
  for (int k = 0; k < count; k++) {
    uint32_t digit = digit_of(bytes[k]);
    are_digits &= digit <= 9;
    value = value * 10 + digit;
  }
  return are_digits;
}

// The digits after `e`, with or without a sign.
__device__ __forceinline__ bool read_exponent(StringRow text, int64_t &value) {
  // Beyond the length of any text: with such an exponent a decimal is 0 or too large.
  constexpr int64_t kMostExponent = int64_t{1} << 40;
  bool negative = take_sign(text);
  if (text.length == 0) return false;
  int64_t magnitude = 0;
  for (int64_t at = 0; at < text.length; at++) {
    uint32_t digit = digit_of(text.bytes[at]);
    if (digit > 9) return false;
    magnitude = magnitude * 10 + digit;
    if (magnitude > kMostExponent) magnitude = kMostExponent;
  }
  value = negative ? -magnitude : magnitude;
  return true;
}

// Units of 10^-scale, rounded half away from zero, at most `most` of them, which is less than 10^38.
__device__ __forceinline__ bool read_decimal(StringRow text, int scale, uint128 most, int128 &value) {
  constexpr uint128 kTenTo37 = static_cast<uint128>(kTenTo19) * 1000000000000000000u;
  bool negative = take_sign(text);
  int64_t end = 0, point = -1, exponent = 0;
  while (end < text.length && (text.bytes[end] | 0x20) != 'e') {
    if (point < 0 && text.bytes[end] == '.') point = end;
    end++;
  }
  if (end < text.length && !read_exponent({text.bytes + end + 1, text.length - end - 1}, exponent)) return false;
  int64_t digits = point < 0 ? end : end - 1;
  if (point < 0) point = end;
  if (digits == 0) return false;
  int64_t kept = point + scale + exponent;
  uint128 units = 0;
  bool rounds_up = false;
  for (int64_t at = 0; at < digits; at++) {
    uint32_t digit = digit_of(text.bytes[at < point ? at : at + 1]);
    if (digit > 9) return false;
    if (at < kept) {
      if (units >= kTenTo37) return false;
      units = units * 10 + digit;
    } else if (at == kept) {
      rounds_up = digit >= 5;
    }
  }
  for (int64_t at = digits; at < kept && units != 0; at++) {
    if (units >= kTenTo37) return false;
    units *= 10;
  }
  units += rounds_up ? 1 : 0;
  if (units > most) return false;
  value = negative ? -static_cast<int128>(units) : static_cast<int128>(units);
  return true;
}

}  // namespace CN_BUILD
