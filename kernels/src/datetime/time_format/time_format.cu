// Times as text in a format, and back. A format is a program in the constants of the launch: one byte an item, for text
// between items also its length and its bytes. Written: one thread per row makes the text twice, first to count its bytes
// (written_strings.cuh). Read: one thread per row (parsed_rows.cuh). No atomics but for the total size and the first row
// that does not match; deterministic.
#include "time_format.abi.h"
#include "calendar.cuh"
#include "number_text.cuh"
#include "parsed_rows.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of Code in pattern.rs.
enum Code : uint8_t {
  LITERAL,
  YEAR,
  SHORT_YEAR,
  MONTH,
  DAY,
  PADDED_DAY,
  DAY_OF_YEAR,
  HOUR,
  SHORT_HOUR,
  HALF,
  MINUTE,
  SECOND,
  FRACTION,
  SHORT_MONTH_NAME,
  MONTH_NAME,
  SHORT_DAY_NAME,
  DAY_NAME,
  WEEKDAY,
  SUNDAY_WEEKDAY,
  ISO_YEAR,
  ISO_WEEK,
  OFFSET,
  CENTURY,
  SHORT_ISO_YEAR,
  PADDED_HOUR,
  PADDED_SHORT_HOUR,
  LOWER_HALF,
  EPOCH_SECONDS,
  ZONE_NAME,
  MILLIS,
  MICROS,
  NANOS,
  POINT_FRACTION,
  UNPADDED
};

constexpr int kMonths = 12;
constexpr int kDays = 7;

template <int kSize>
__host__ __device__ constexpr uint64_t packed(const char (&text)[kSize]) {
  uint64_t word = 0;
  for (int k = 0; k < kSize - 1 && k < 8; k++) word |= static_cast<uint64_t>(static_cast<uint8_t>(text[k])) << (8 * k);
  return word;
}

// A name of up to nine letters, of which the first eight are in a word, the first of them in the lowest byte.
struct Name {
  uint64_t word;
  uint8_t ninth;
  int length;
};

// The months, then the days of the week from Monday on.
__device__ __forceinline__ Name name_of(int index, bool is_full) {
  constexpr uint64_t kJanuary = packed("January"), kFebruary = packed("February"), kMarch = packed("March"),
                     kApril = packed("April"), kMay = packed("May"), kJune = packed("June"), kJuly = packed("July"),
                     kAugust = packed("August"), kSeptember = packed("September"), kOctober = packed("October"),
                     kNovember = packed("November"), kDecember = packed("December"), kMonday = packed("Monday"),
                     kTuesday = packed("Tuesday"), kWednesday = packed("Wednesday"), kThursday = packed("Thursday"),
                     kFriday = packed("Friday"), kSaturday = packed("Saturday"), kSunday = packed("Sunday");
  uint64_t word;
  switch (index) {
    case 0: word = kJanuary; break;
    case 1: word = kFebruary; break;
    case 2: word = kMarch; break;
    case 3: word = kApril; break;
    case 4: word = kMay; break;
    case 5: word = kJune; break;
    case 6: word = kJuly; break;
    case 7: word = kAugust; break;
    case 8: word = kSeptember; break;
    case 9: word = kOctober; break;
    case 10: word = kNovember; break;
    case 11: word = kDecember; break;
    case 12: word = kMonday; break;
    case 13: word = kTuesday; break;
    case 14: word = kWednesday; break;
    case 15: word = kThursday; break;
    case 16: word = kFriday; break;
    case 17: word = kSaturday; break;
    default: word = kSunday; break;
  }
  if (!is_full) return {word & 0xffffff, 0, 3};
  uint8_t ninth = index == 8 ? 'r' : index == 14 ? 'y' : 0;
  int length = 8 - __clzll(static_cast<long long>(word)) / 8 + (ninth != 0 ? 1 : 0);
  return {word, ninth, length};
}

__device__ __forceinline__ uint32_t day_of_year(int64_t day) {
  return static_cast<uint32_t>(march_date(day).day_of_civil_year());
}

template <class Bytes>
__device__ __forceinline__ void put_name(int index, bool is_full, Bytes &out) {
  Name name = name_of(index, is_full);
  for (int k = 0; k < name.length; k++) out.put(k < 8 ? static_cast<uint8_t>(name.word >> (8 * k)) : name.ninth);
}

// A time as a day and what is left.
struct Instant {
  int64_t day;
  uint32_t second;
  uint32_t nano;
};

__device__ __forceinline__ Instant instant(int64_t time, int64_t per_second) {
  if (per_second == 0) return {time, 0, 0};
  int64_t second = floor_quotient(time, per_second);
  int64_t rest = time % per_second;
  if (rest < 0) rest += per_second;
  int64_t day = floor_quotient(second, kDaySeconds);
  uint32_t of_day = static_cast<uint32_t>(second - day * kDaySeconds);
  return {day, of_day, static_cast<uint32_t>(rest * (1000000000 / per_second))};
}

struct FormattedTimes {
  ColumnDesc input;
  // Seconds from UTC; without data: none.
  ColumnDesc offsets;
  int64_t per_second;
  // What is written, as of pattern.rs.
  Literal steps;

  using Shared = LiteralShared;
  static constexpr bool kComposed = false;

  __device__ __forceinline__ void stage(Shared &shared) const { steps.staged(&shared.words[0]); }
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *, const Shared &shared, Bytes &out) const {
    if (row >= input.rows || !input.valid(row)) return 0;
    const uint8_t *program = steps.in(&shared.words[0]);
    Instant time = instant(per_second == 0 ? input.at<int32_t>(row) : input.at<int64_t>(row), per_second);
    // Days of 32 bits have years of at most seven digits.
    if (time.day != static_cast<int32_t>(time.day)) return FAULT_NOT_A_DATE;
    CivilDate date = civil_date(time.day);
    uint32_t hour = time.second / 3600;
    // Of the same ISO 8601 week.
    int64_t thursday = time.day + 3 - weekday_of(time.day);
    if (thursday > INT32_MAX) thursday = INT32_MAX;
    bool is_unpadded = false;
    for (int64_t at = 0; at < steps.bytes; at++) {
      const uint8_t code = program[at];
      if (code == UNPADDED) {
        is_unpadded = true;
        continue;
      }
      if (code == LITERAL) {
        int64_t count = program[at + 1];
        out.copy(program + at + 2, count);
        at += 1 + count;
        continue;
      }
      if (code == HALF || code == LOWER_HALF) {
        const uint8_t lower = code == HALF ? 0 : 'a' - 'A';
        out.put((hour < 12 ? 'A' : 'P') + lower);
        out.put('M' + lower);
        continue;
      }
      if (code == SHORT_MONTH_NAME || code == MONTH_NAME) {
        put_name(date.month - 1, code == MONTH_NAME, out);
        continue;
      }
      if (code == SHORT_DAY_NAME || code == DAY_NAME) {
        put_name(kMonths + weekday_of(time.day), code == DAY_NAME, out);
        continue;
      }
      // The name of the zone is written by the caller.
      if (code == ZONE_NAME || (code == OFFSET && offsets.data == nullptr)) continue;
      // All others are numbers, written in one place: code of the digits for each of them would take more registers.
      int64_t number;
      int width = 2;
      switch (code) {
        case ISO_YEAR:
        case SHORT_ISO_YEAR: number = civil_date(thursday).year; break;
        case YEAR:
        case SHORT_YEAR:
        case CENTURY: number = date.year; break;
        case MONTH: number = date.month; break;
        case DAY:
        case PADDED_DAY: number = date.day; break;
        case DAY_OF_YEAR: number = day_of_year(time.day); break;
        case ISO_WEEK: number = (day_of_year(thursday) - 1) / 7 + 1; break;
        case HOUR:
        case PADDED_HOUR: number = hour; break;
        case SHORT_HOUR:
        case PADDED_SHORT_HOUR: number = (hour + 11) % 12 + 1; break;
        case MINUTE: number = time.second / 60 % 60; break;
        case SECOND: number = time.second % 60; break;
        case FRACTION:
        case MICROS: number = time.nano / 1000; break;
        case MILLIS: number = time.nano / 1000000; break;
        case NANOS: number = time.nano; break;
        case POINT_FRACTION:
          if (time.nano == 0) continue;
          out.put('.');
          width = time.nano % 1000 != 0 ? 9 : time.nano % 1000000 != 0 ? 6 : 3;
          number = time.nano / (width == 9 ? 1 : width == 6 ? 1000 : 1000000);
          break;
        case WEEKDAY: number = weekday_of(time.day) + 1; break;
        case SUNDAY_WEEKDAY: number = (weekday_of(time.day) + 1) % 7; break;
        case EPOCH_SECONDS: number = time.day * kDaySeconds + time.second; break;
        default: number = 0;
      }
      if (code == OFFSET || code == EPOCH_SECONDS) {
        int64_t offset = offsets.data == nullptr ? 0 : offsets.at<int64_t>(row);
        number = code == OFFSET ? offset : number - offset;
      }
      if (code == SHORT_YEAR || code == SHORT_ISO_YEAR || code == CENTURY) {
        int64_t century = floor_quotient(number, 100);
        number = code == CENTURY ? century : number - century * 100;
      }
      bool is_signed = number < 0;
      uint64_t magnitude = is_signed ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
      if (code == YEAR || code == ISO_YEAR || code == OFFSET) width = 4;
      if (code == OFFSET) {
        uint32_t minutes = static_cast<uint32_t>(magnitude / 60);
        magnitude = minutes / 60 * 100 + minutes % 60;
        if (!is_signed) out.put('+');
      }
      if (is_signed) out.put('-');
      if (code == DAY_OF_YEAR) width = 3;
      if (code == FRACTION || code == MICROS) width = 6;
      if (code == MILLIS) width = 3;
      if (code == NANOS) width = 9;
      if (code == WEEKDAY || code == SUNDAY_WEEKDAY || code == EPOCH_SECONDS || is_unpadded) width = 1;
      is_unpadded = false;
      if (code == PADDED_DAY || code == PADDED_HOUR || code == PADDED_SHORT_HOUR) {
        width = 1;
        if (magnitude < 10) out.put(' ');
      }
      int digits = digits_of(magnitude);
      put_digits(magnitude, digits > width ? digits : width, out);
    }
    return 0;
  }
};

// A text that is read from the beginning.
struct TextReader {
  StringRow text;
  int64_t at;

  __device__ __forceinline__ bool is_next(uint8_t byte) const { return at < text.length && text.bytes[at] == byte; }
  // A number of `least` to `most` digits, from `low` to `high`.
  __device__ __forceinline__ bool number(int least, int most, uint32_t low, uint32_t high, uint32_t &value) {
    int count = 0;
    value = 0;
    for (; count < most && at < text.length; count++, at++) {
      uint32_t digit = digit_of(text.bytes[at]);
      if (digit > 9) break;
      value = value * 10 + digit;
    }
    return count >= least && value >= low && value <= high;
  }
  __device__ __forceinline__ uint8_t lower(int64_t position) const {
    uint8_t byte = position < text.length ? text.bytes[position] : 0;
    return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte;
  }
  // Which of `count` names from the name `first` on is next, in any case; -1 if none is.
  __device__ __forceinline__ int name(int first, int count, bool is_full) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= static_cast<uint64_t>(lower(at + k)) << (8 * k);
    for (int k = 0; k < count; k++) {
      Name name = name_of(first + k, is_full);
      // Its first letter alone is a capital.
      uint64_t letters = name.length >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * name.length)) - 1;
      if ((word & letters) != (name.word | 0x20) || (name.ninth != 0 && lower(at + 8) != name.ninth)) continue;
      at += name.length;
      return k;
    }
    return -1;
  }
  // Seconds east of UTC: Z, +02, +0200 or +02:00.
  __device__ __forceinline__ bool offset(int32_t &seconds) {
    if (at >= text.length) return false;
    uint8_t sign = text.bytes[at];
    at++;
    seconds = 0;
    if (sign == 'Z' || sign == 'z') return true;
    uint32_t hours, minutes;
    if ((sign != '+' && sign != '-') || !number(2, 2, 0, 23, hours)) return false;
    if (is_next(':')) at++;
    int64_t before = at;
    if (!number(2, 2, 0, 99, minutes)) {
      at = before;
      minutes = 0;
    }
    seconds = static_cast<int32_t>(hours * 3600 + minutes * 60);
    if (sign == '-') seconds = -seconds;
    return minutes < 60;
  }
};

// A range of the bits of a word.
template <int kShift, int kBits>
struct Part {
  static __device__ __forceinline__ uint32_t of(uint32_t word) { return word >> kShift & ((1u << kBits) - 1); }
  static __device__ __forceinline__ void set(uint32_t &word, uint32_t value) {
    word = (word & ~(((1u << kBits) - 1) << kShift)) | value << kShift;
  }
};

// What a text has of a time, in few words, so that a thread needs few registers.
struct Fields {
  // Negative where it is not said.
  int32_t year, offset;
  uint32_t date, clock, nano;

  // Of `date`. The day of the year and the week are 0 where they are not said; weekday 0 is Monday. The year is that of the
  // week if there is one: a format has no other beside it.
  using Day = Part<0, 5>;
  using Month = Part<5, 4>;
  using DayOfYear = Part<9, 9>;
  using Week = Part<18, 6>;
  using Weekday = Part<24, 3>;
  // Of `clock`. The half of the day is 0 where it is not said, 1 for AM and 2 for PM; it does not count beside an hour of the
  // whole day.
  using Second = Part<0, 6>;
  using Minute = Part<6, 6>;
  using Hour = Part<12, 5>;
  using Half = Part<17, 2>;
  using IsShortHour = Part<19, 1>;

  // The Monday of the first ISO 8601 week of a year, which has its 4 January.
  static __device__ __forceinline__ int64_t first_monday(int32_t year) {
    int64_t fourth = first_day_of(year * 12) + 3;
    return fourth - weekday_of(fourth);
  }

  // False for a day that the month does not have, a week that the year does not have, or a time that does not fit.
  __device__ __forceinline__ bool time(int64_t per_second, uint32_t nanos, int64_t &value) const {
    int64_t days, next;
    if (Week::of(date) != 0) {
      days = first_monday(year) + 7 * static_cast<int64_t>(Week::of(date) - 1);
      next = first_monday(year + 1);
      if (days >= next) return false;
      days += Weekday::of(date);
    } else {
      int32_t first_year = year < 0 ? 1970 : year;
      bool is_of_year = DayOfYear::of(date) != 0;
      int32_t month = static_cast<int32_t>(is_of_year ? 1 : Month::of(date));
      days = first_day_of(first_year * 12 + month - 1) + (is_of_year ? DayOfYear::of(date) : Day::of(date)) - 1;
      next = first_day_of(first_year * 12 + (is_of_year ? 12 : month));
      if (days >= next) return false;
    }
    value = days;
    if (per_second == 0) return true;
    uint32_t hours = Hour::of(clock);
    if (Half::of(clock) != 0 && IsShortHour::of(clock) != 0) hours = hours % 12 + (Half::of(clock) == 2 ? 12 : 0);
    int64_t seconds = days * kDaySeconds + hours * 3600 + Minute::of(clock) * 60 + Second::of(clock) - offset;
    int128 exact = static_cast<int128>(seconds) * per_second + nano / nanos;
    value = static_cast<int64_t>(exact);
    return value == exact;
  }
};

// T: 32-bit days, or 64-bit times.
template <class T>
struct TimeReader {
  using Value = T;
  // Without a bound ptxas keeps times in 32 registers, and spills.
  static constexpr bool kIsBounded = true;
  static constexpr bool kResolves = false;
  Literal literal;
  int64_t per_second;
  // Nanoseconds a unit.
  uint32_t nanos;

  static __device__ __forceinline__ bool read_item(uint8_t code, TextReader &reader, Fields &fields) {
    const int64_t start = reader.at;
    switch (code) {
      case LOWER_HALF:
      case HALF: {
        uint8_t first = reader.lower(start);
        if ((first != 'a' && first != 'p') || reader.lower(start + 1) != 'm') return false;
        reader.at += 2;
        Fields::Half::set(fields.clock, first == 'p' ? 2 : 1);
        return true;
      }
      case SHORT_MONTH_NAME:
      case MONTH_NAME:
      case SHORT_DAY_NAME:
      case DAY_NAME: {
        const bool is_month = code == SHORT_MONTH_NAME || code == MONTH_NAME;
        const bool is_full = code == MONTH_NAME || code == DAY_NAME;
        int name = reader.name(is_month ? 0 : kMonths, is_month ? kMonths : kDays, is_full);
        if (name < 0) return false;
        if (is_month) {
          Fields::Month::set(fields.date, static_cast<uint32_t>(name + 1));
        } else {
          Fields::Weekday::set(fields.date, static_cast<uint32_t>(name));
        }
        return true;
      }
      case OFFSET: return reader.offset(fields.offset);
      default: return read_number(code, reader, fields);
    }
  }

  // All numbers are read in one place: code of the digits for each of them would take more registers.
  static __device__ __forceinline__ bool read_number(uint8_t code, TextReader &reader, Fields &fields) {
    int least = 1, most = 2;
    uint32_t low = 0, high = 59;
    switch (code) {
      case ISO_YEAR:
      case YEAR: least = most = 4, high = 9999; break;
      case SHORT_YEAR: least = 2, high = 99; break;
      case MONTH: low = 1, high = 12; break;
      case PADDED_DAY:
      case DAY: low = 1, high = 31; break;
      case DAY_OF_YEAR: most = 3, low = 1, high = 366; break;
      case PADDED_HOUR:
      case HOUR: high = 23; break;
      case PADDED_SHORT_HOUR:
      case SHORT_HOUR: low = 1, high = 12; break;
      case MILLIS: least = most = 3, high = 999999999; break;
      case MICROS: least = most = 6, high = 999999999; break;
      case NANOS: least = most = 9, high = 999999999; break;
      case POINT_FRACTION:
        if (!reader.is_next('.')) return true;
        reader.at++;
        [[fallthrough]];
      case FRACTION: most = 9, high = 999999999; break;
      case WEEKDAY: most = 1, low = 1, high = 7; break;
      case SUNDAY_WEEKDAY: most = 1, high = 6; break;
      case ISO_WEEK: low = 1, high = 53; break;
      // A minute or a second.
      default: break;
    }
    const bool is_padded = code == PADDED_DAY || code == PADDED_HOUR || code == PADDED_SHORT_HOUR;
    if (is_padded && reader.is_next(' ')) reader.at++;
    const int64_t start = reader.at;
    uint32_t number;
    if (!reader.number(least, most, low, high, number)) return false;
    switch (code) {
      // As POSIX has years of two digits.
      case SHORT_YEAR: number += number < 69 ? 2000 : 1900; [[fallthrough]];
      case ISO_YEAR:
      case YEAR: fields.year = static_cast<int32_t>(number); break;
      case MONTH: Fields::Month::set(fields.date, number); break;
      case PADDED_DAY:
      case DAY: Fields::Day::set(fields.date, number); break;
      case DAY_OF_YEAR: Fields::DayOfYear::set(fields.date, number); break;
      case PADDED_SHORT_HOUR:
      case SHORT_HOUR:
        Fields::IsShortHour::set(fields.clock, 1);
        number %= 12;
        [[fallthrough]];
      case PADDED_HOUR:
      case HOUR: Fields::Hour::set(fields.clock, number); break;
      case MINUTE: Fields::Minute::set(fields.clock, number); break;
      case SECOND: Fields::Second::set(fields.clock, number); break;
      case MILLIS:
      case MICROS:
      case NANOS:
      case POINT_FRACTION:
      case FRACTION:
        for (int64_t digits = reader.at - start; digits < 9; digits++) number *= 10;
        fields.nano = number;
        // Digits that no unit has.
        while (code == POINT_FRACTION && reader.at < reader.text.length && digit_of(reader.text.bytes[reader.at]) <= 9) reader.at++;
        break;
      case WEEKDAY: Fields::Weekday::set(fields.date, number - 1); break;
      case SUNDAY_WEEKDAY: Fields::Weekday::set(fields.date, (number + 6) % 7); break;
      default: Fields::Week::set(fields.date, number);
    }
    return true;
  }

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *program, T &value, int64_t &wrong) const {
    // The first day of the first month.
    Fields fields{-1, 0, 1u << 5 | 1, 0, 0};
    TextReader reader{text, 0};
    for (int64_t at = 0; at < literal.bytes; at++) {
      wrong = reader.at;
      if (program[at] == LITERAL) {
        int64_t count = program[at + 1];
        if (count > text.length - reader.at) return false;
        for (int64_t k = 0; k < count; k++) {
          if (text.bytes[reader.at + k] != program[at + 2 + k]) return false;
        }
        reader.at += count;
        at += 1 + count;
      } else if (!read_item(program[at], reader, fields)) {
        return false;
      }
    }
    wrong = reader.at;
    if (reader.at < text.length) return false;
    wrong = 0;
    int64_t time;
    if (!fields.time(per_second, nanos, time)) return false;
    value = static_cast<T>(time);
    return true;
  }
};

}  // namespace

ENTRY(format_times)(const FormatTimesArgs *args, cudaStream_t stream) {
  FormattedTimes rows{args->input, args->offsets, args->per_second, {args->program, args->program_far, args->program_bytes}};
  return write_strings(args->alloc, rows, args->string_bytes, args->faults, stream);
}

ENTRY(parse_times)(const ParseTimesArgs *args, cudaStream_t stream) {
  Literal program{args->program, args->program_far, args->program_bytes};
  if (args->per_second == 0) {
    return parse_strings(args->alloc, args->input, TimeReader<int32_t>{program, 0, 1}, args->failed, stream);
  }
  TimeReader<int64_t> reader{program, args->per_second, static_cast<uint32_t>(1000000000 / args->per_second)};
  return parse_strings(args->alloc, args->input, reader, args->failed, stream);
}

}  // namespace CN_BUILD
