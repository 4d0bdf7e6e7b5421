// Dates, times and durations as text and back, as kernels/src/strings/convert/host/time.rs has them.
#pragma once
#include "calendar.cuh"
#include "number_text.cuh"

namespace CN_BUILD {

// What counts of time stand for; TimeKind of kernels/src/strings/convert/cuda.rs.
enum TimeKind : int32_t { DATE, TIME, ZONED, DURATION, CLOCK };

// " days ", the first character in the lowest byte.
constexpr uint64_t kDaysMark = 0x207379616420;

// A unit of time: 10^digits of them a second.
struct TimeScale {
  int64_t per_second;
  int32_t digits;
};

template <class Bytes>
__device__ __forceinline__ void put_date(int64_t days, Bytes &out) {
  // The days of the years 0 to 9999.
  if (Bytes::kChecks && days >= -719528 && days <= 2932896) {
    put_digits(0, 10, out);
    return;
  }
  CivilDate date = civil_date(days);
  // Four characters at least, with the sign.
  int least = 4;
  if (date.year < 0) {
    out.put('-');
    date.year = -date.year;
    least = 3;
  }
  int width = digits_of(static_cast<uint64_t>(date.year));
  put_digits(static_cast<uint64_t>(date.year), width > least ? width : least, out);
  out.put('-');
  put_digits(static_cast<uint32_t>(date.month), 2, out);
  out.put('-');
  put_digits(static_cast<uint32_t>(date.day), 2, out);
}

// `HH:MM:SS.fraction` of a second of the day.
template <class Bytes>
__device__ __forceinline__ void put_clock(uint32_t second, uint64_t fraction, int digits, Bytes &out) {
  put_digits(second / 3600, 2, out);
  out.put(':');
  put_digits(second / 60 % 60, 2, out);
  out.put(':');
  put_digits(second % 60, 2, out);
  if (digits == 0) return;
  out.put('.');
  put_digits(fraction, digits, out);
}

template <class Bytes>
__device__ __forceinline__ void put_time(int64_t value, TimeScale scale, Bytes &out) {
  int64_t seconds = floor_quotient(value, scale.per_second);
  int64_t fraction = value % scale.per_second;
  if (fraction < 0) fraction += scale.per_second;
  int64_t days = floor_quotient(seconds, kDaySeconds);
  put_date(days, out);
  out.put(' ');
  put_clock(static_cast<uint32_t>(seconds - days * kDaySeconds), static_cast<uint64_t>(fraction), scale.digits, out);
}

// Also a time of day: the duration since midnight.
template <class Bytes>
__device__ __forceinline__ void put_duration(int64_t value, TimeScale scale, Bytes &out) {
  uint64_t magnitude = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  uint64_t per_second = static_cast<uint64_t>(scale.per_second);
  uint64_t seconds = magnitude / per_second, days = seconds / static_cast<uint64_t>(kDaySeconds);
  if (value < 0) out.put('-');
  if (days > 0) {
    put_number(days, out);
    for (uint64_t rest = kDaysMark; rest != 0; rest >>= 8) out.put(static_cast<uint8_t>(rest));
  }
  put_clock(static_cast<uint32_t>(seconds - days * static_cast<uint64_t>(kDaySeconds)),
            magnitude - seconds * per_second, scale.digits, out);
}

// An offset from UTC in seconds, as +01:00, with seconds if there are any; `shows_z`: a Z for none.
template <class Bytes>
__device__ __forceinline__ void put_offset(int64_t offset, bool shows_z, Bytes &out) {
  if (offset == 0 && shows_z) {
    out.put('Z');
    return;
  }
  out.put(offset < 0 ? '-' : '+');
  uint32_t seconds = static_cast<uint32_t>(offset < 0 ? -offset : offset);
  put_digits(seconds / 3600, 2, out);
  out.put(':');
  put_digits(seconds / 60 % 60, 2, out);
  if (seconds % 60 == 0) return;
  out.put(':');
  put_digits(seconds % 60, 2, out);
}

// Days since 1970-01-01 of `[-]YYYY-MM-DD`; years of up to seven digits.
__device__ __forceinline__ bool read_date(StringRow text, int64_t &days) {
  bool negative = text.length > 0 && text.bytes[0] == '-';
  if (negative) text = {text.bytes + 1, text.length - 1};
  int64_t year_digits = text.length - 6;
  if (year_digits < (negative ? 3 : 4) || year_digits > 7) return false;
  const uint8_t *rest = text.bytes + year_digits;
  uint32_t year, month, day;
  bool are_digits = read_digits(text.bytes, static_cast<int>(year_digits), year);
  are_digits &= read_digits(rest + 1, 2, month);
  are_digits &= read_digits(rest + 4, 2, day);
  if (!are_digits || rest[0] != '-' || rest[3] != '-') return false;
  return day_of_date(negative ? -static_cast<int64_t>(year) : static_cast<int64_t>(year), month, day, days);
}

// Seconds of a day, and units after them, of `HH:MM[:SS[.fraction]]`.
__device__ __forceinline__ bool read_clock(StringRow text, TimeScale scale, int64_t &seconds, int64_t &units) {
  uint32_t hour, minute, second = 0, fraction = 0;
  if (text.length < 5 || text.bytes[2] != ':') return false;
  bool are_digits = read_digits(text.bytes, 2, hour);
  are_digits &= read_digits(text.bytes + 3, 2, minute);
  units = 0;
  if (text.length > 5) {
    if (text.length < 8 || text.bytes[5] != ':') return false;
    are_digits &= read_digits(text.bytes + 6, 2, second);
    if (text.length > 8) {
      int64_t digits = text.length - 9;
      if (text.bytes[8] != '.' || digits == 0 || digits > scale.digits) return false;
      are_digits &= read_digits(text.bytes + 9, static_cast<int>(digits), fraction);
      units = fraction;
      for (int64_t missing = digits; missing < scale.digits; missing++) units *= 10;
    }
  }
  if (!are_digits || hour > 23 || minute > 59 || second > 59) return false;
  seconds = hour * 3600 + minute * 60 + second;
  return true;
}

// `seconds * per_second + units` if that fits in 64 bits.
__device__ __forceinline__ bool in_units(int64_t seconds, int64_t units, TimeScale scale, int64_t &value) {
  int128 exact = static_cast<int128>(seconds) * scale.per_second + units;
  value = static_cast<int64_t>(exact);
  return value == exact;
}

// Units since 1970-01-01 of a date, or a date and a time after a space or T.
__device__ __forceinline__ bool read_time(StringRow text, TimeScale scale, int64_t &value) {
  // Dates of four digits are the rule.
  int64_t at = text.length > 10 && text.bytes[0] != '-' && (text.bytes[10] == ' ' || text.bytes[10] == 'T') ? 10 : 0;
  while (at < text.length && text.bytes[at] != ' ' && text.bytes[at] != 'T') at++;
  int64_t days, seconds = 0, units = 0;
  if (!read_date({text.bytes, at}, days)) return false;
  if (at < text.length && !read_clock({text.bytes + at + 1, text.length - at - 1}, scale, seconds, units)) return false;
  return in_units(days * kDaySeconds + seconds, units, scale, value);
}

// Units since 1970-01-01 UTC of a local time and its offset: Z, +HH:MM or +HH:MM:SS.
__device__ __forceinline__ bool read_zoned(StringRow text, TimeScale scale, int64_t &value) {
  if (text.length > 0 && text.bytes[text.length - 1] == 'Z') {
    return read_time({text.bytes, text.length - 1}, scale, value);
  }
  for (int64_t length = 6; length <= 9; length += 3) {
    if (text.length < length) return false;
    const uint8_t *sign = text.bytes + text.length - length;
    if (*sign != '+' && *sign != '-') continue;
    uint32_t hour, minute, second = 0;
    bool are_digits = read_digits(sign + 1, 2, hour);
    are_digits &= read_digits(sign + 4, 2, minute) && sign[3] == ':';
    if (length == 9) are_digits &= read_digits(sign + 7, 2, second) && sign[6] == ':';
    if (!are_digits || hour > 23 || minute > 59 || second > 59) return false;
    int64_t offset = static_cast<int64_t>(hour * 3600 + minute * 60 + second) * scale.per_second;
    int64_t local;
    if (!read_time({text.bytes, text.length - length}, scale, local)) return false;
    if (*sign == '+') offset = -offset;
    value = static_cast<int64_t>(static_cast<uint64_t>(local) + static_cast<uint64_t>(offset));
    return offset >= 0 ? value >= local : value < local;
  }
  return false;
}

// Units of `[-][N days ]HH:MM:SS[.fraction]`.
__device__ __forceinline__ bool read_duration(StringRow text, TimeScale scale, int64_t &value) {
  bool negative = text.length > 0 && text.bytes[0] == '-';
  if (negative) text = {text.bytes + 1, text.length - 1};
  uint64_t days = 0;
  int64_t space = 0;
  while (space < text.length && text.bytes[space] != ' ') space++;
  if (space < text.length) {
    for (int k = 0; k < 6; k++) {
      if (space + k >= text.length || text.bytes[space + k] != static_cast<uint8_t>(kDaysMark >> (8 * k))) return false;
    }
    if (!read_unsigned({text.bytes, space}, days) || days > UINT32_MAX) return false;
    text = {text.bytes + space + 6, text.length - space - 6};
  }
  int64_t seconds, units;
  if (text.length < 8 || !read_clock(text, scale, seconds, units)) return false;
  int128 exact = (static_cast<int128>(days) * kDaySeconds + seconds) * scale.per_second + units;
  if (negative) exact = -exact;
  value = static_cast<int64_t>(exact);
  return value == exact;
}

__device__ __forceinline__ bool read_count(StringRow text, TimeKind kind, TimeScale scale, int64_t &value) {
  int64_t seconds, units;
  switch (kind) {
    case DATE: return read_date(text, value) && value == static_cast<int32_t>(value);
    case TIME: return read_time(text, scale, value);
    case ZONED: return read_zoned(text, scale, value);
    case DURATION: return read_duration(text, scale, value);
    default: return read_clock(text, scale, seconds, units) && in_units(seconds, units, scale, value);
  }
}

}  // namespace CN_BUILD
