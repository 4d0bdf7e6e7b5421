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
  ZONE_NAME
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
__device__ __forceinline__ void put_year(int64_t year, Bytes &out) {
  if (year < 0) out.put('-');
  uint64_t magnitude = static_cast<uint64_t>(year < 0 ? -year : year);
  int width = digits_of(magnitude);
  put_digits(magnitude, width > 4 ? width : 4, out);
}

// A number of one or two digits after a space for one.
template <class Bytes>
__device__ __forceinline__ void put_padded(uint32_t number, Bytes &out) {
  if (number < 10) out.put(' ');
  put_digits(number, number < 10 ? 1 : 2, out);
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
    for (int64_t at = 0; at < steps.bytes; at++) {
      switch (program[at]) {
        case LITERAL: {
          int64_t count = program[at + 1];
          out.copy(program + at + 2, count);
          at += 1 + count;
          break;
        }
        case YEAR: put_year(date.year, out); break;
        case SHORT_YEAR: put_digits(static_cast<uint64_t>(date.year - floor_quotient(date.year, 100) * 100), 2, out); break;
        case MONTH: put_digits(static_cast<uint32_t>(date.month), 2, out); break;
        case DAY: put_digits(static_cast<uint32_t>(date.day), 2, out); break;
        case PADDED_DAY: put_padded(static_cast<uint32_t>(date.day), out); break;
        case CENTURY: {
          int64_t century = floor_quotient(date.year, 100);
          uint64_t magnitude = static_cast<uint64_t>(century < 0 ? -century : century);
          if (century < 0) out.put('-');
          int width = digits_of(magnitude);
          put_digits(magnitude, width > 2 ? width : 2, out);
          break;
        }
        case SHORT_ISO_YEAR: {
          int64_t year = civil_date(thursday).year;
          put_digits(static_cast<uint64_t>(year - floor_quotient(year, 100) * 100), 2, out);
          break;
        }
        case PADDED_HOUR: put_padded(hour, out); break;
        case PADDED_SHORT_HOUR: put_padded((hour + 11) % 12 + 1, out); break;
        case LOWER_HALF:
          out.put(hour < 12 ? 'a' : 'p');
          out.put('m');
          break;
        case EPOCH_SECONDS: {
          int64_t offset = offsets.data == nullptr ? 0 : offsets.at<int64_t>(row);
          int64_t seconds = time.day * kDaySeconds + time.second - offset;
          uint64_t magnitude = static_cast<uint64_t>(seconds < 0 ? -seconds : seconds);
          if (seconds < 0) out.put('-');
          put_digits(magnitude, digits_of(magnitude), out);
          break;
        }
        case DAY_OF_YEAR: put_digits(day_of_year(time.day), 3, out); break;
        case HOUR: put_digits(hour, 2, out); break;
        case SHORT_HOUR: put_digits((hour + 11) % 12 + 1, 2, out); break;
        case HALF:
          out.put(hour < 12 ? 'A' : 'P');
          out.put('M');
          break;
        case MINUTE: put_digits(time.second / 60 % 60, 2, out); break;
        case SECOND: put_digits(time.second % 60, 2, out); break;
        case FRACTION: put_digits(time.nano / 1000, 6, out); break;
        case SHORT_MONTH_NAME: put_name(date.month - 1, false, out); break;
        case MONTH_NAME: put_name(date.month - 1, true, out); break;
        case SHORT_DAY_NAME: put_name(kMonths + weekday_of(time.day), false, out); break;
        case DAY_NAME: put_name(kMonths + weekday_of(time.day), true, out); break;
        case WEEKDAY: put_digits(static_cast<uint32_t>(weekday_of(time.day) + 1), 1, out); break;
        case SUNDAY_WEEKDAY: put_digits(static_cast<uint32_t>((weekday_of(time.day) + 1) % 7), 1, out); break;
        case ISO_YEAR: put_year(civil_date(thursday).year, out); break;
        case ISO_WEEK: put_digits((day_of_year(thursday) - 1) / 7 + 1, 2, out); break;
        case OFFSET: {
          if (offsets.data == nullptr) break;
          int64_t offset = offsets.at<int64_t>(row);
          out.put(offset < 0 ? '-' : '+');
          uint64_t seconds = offset < 0 ? 0 - static_cast<uint64_t>(offset) : static_cast<uint64_t>(offset);
          uint32_t minutes = static_cast<uint32_t>(seconds / 60);
          put_digits(minutes / 60 * 100 + minutes % 60, 4, out);
          break;
        }
        // The name of the zone is written by the caller.
        default: break;
      }
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

// What a text has of a time.
struct Fields {
  // `year` and `iso_year`: negative where they are not said.
  int32_t year, offset, iso_year;
  // `iso_week`: 0 where it is not said; `weekday`: 0 for Monday.
  uint32_t iso_week, weekday;
  // `day_of_year` 0 and `half` 0: not said; 1 for AM and 2 for PM, which do not count beside an hour of the whole day.
  uint32_t month, day, day_of_year, hour, short_hour, half, minute, second, nano;

  // The Monday of the first ISO 8601 week of a year, which has its 4 January.
  static __device__ __forceinline__ int64_t first_monday(int32_t year) {
    int64_t fourth = first_day_of(year * 12) + 3;
    return fourth - weekday_of(fourth);
  }

  // False for a day that the month does not have, a week that the year does not have, or a time that does not fit.
  __device__ __forceinline__ bool time(int64_t per_second, uint32_t nanos, int64_t &value) const {
    int64_t days, next;
    if (year < 0 && iso_year >= 0 && iso_week != 0) {
      days = first_monday(iso_year) + 7 * static_cast<int64_t>(iso_week - 1);
      next = first_monday(iso_year + 1);
      if (days >= next) return false;
      days += weekday;
    } else {
      int32_t first_year = year < 0 ? 1970 : year;
      bool is_of_year = day_of_year != 0;
      int64_t first = first_day_of(first_year * 12 + static_cast<int32_t>(is_of_year ? 0 : month - 1));
      next = first_day_of(first_year * 12 + static_cast<int32_t>(is_of_year ? 12 : month));
      days = first + (is_of_year ? day_of_year : day) - 1;
      if (days >= next) return false;
    }
    value = days;
    if (per_second == 0) return true;
    uint32_t hours = half == 0 || short_hour == 0 ? hour : hour % 12 + (half == 2 ? 12 : 0);
    int64_t seconds = days * kDaySeconds + hours * 3600 + minute * 60 + second - offset;
    int128 exact = static_cast<int128>(seconds) * per_second + nano / nanos;
    value = static_cast<int64_t>(exact);
    return value == exact;
  }
};

// T: 32-bit days, or 64-bit times.
template <class T>
struct TimeReader {
  using Value = T;
  static constexpr bool kResolves = false;
  Literal literal;
  int64_t per_second;
  // Nanoseconds a unit.
  uint32_t nanos;

  static __device__ __forceinline__ bool read_item(uint8_t code, TextReader &reader, Fields &fields) {
    int64_t start = reader.at;
    switch (code) {
      case YEAR: {
        uint32_t year;
        if (!reader.number(4, 4, 0, 9999, year)) return false;
        fields.year = static_cast<int32_t>(year);
        return true;
      }
      case SHORT_YEAR: {
        uint32_t year;
        if (!reader.number(2, 2, 0, 99, year)) return false;
        // As POSIX has it.
        fields.year = static_cast<int32_t>(year + (year < 69 ? 2000 : 1900));
        return true;
      }
      case MONTH: return reader.number(1, 2, 1, 12, fields.month);
      case PADDED_DAY:
        if (reader.is_next(' ')) reader.at++;
        return reader.number(1, 2, 1, 31, fields.day);
      case PADDED_HOUR:
        if (reader.is_next(' ')) reader.at++;
        return reader.number(1, 2, 0, 23, fields.hour);
      case DAY: return reader.number(1, 2, 1, 31, fields.day);
      case DAY_OF_YEAR: return reader.number(1, 3, 1, 366, fields.day_of_year);
      case HOUR: return reader.number(1, 2, 0, 23, fields.hour);
      case PADDED_SHORT_HOUR:
      case SHORT_HOUR: {
        if (code == PADDED_SHORT_HOUR && reader.is_next(' ')) reader.at++;
        bool is_hour = reader.number(1, 2, 1, 12, fields.hour);
        fields.hour %= 12;
        fields.short_hour = 1;
        return is_hour;
      }
      case LOWER_HALF:
      case HALF: {
        uint8_t first = reader.lower(start);
        if ((first != 'a' && first != 'p') || reader.lower(start + 1) != 'm') return false;
        reader.at += 2;
        fields.half = first == 'p' ? 2 : 1;
        return true;
      }
      case MINUTE: return reader.number(1, 2, 0, 59, fields.minute);
      case SECOND: return reader.number(1, 2, 0, 59, fields.second);
      case FRACTION: {
        if (!reader.number(1, 9, 0, 999999999, fields.nano)) return false;
        for (int64_t digits = reader.at - start; digits < 9; digits++) fields.nano *= 10;
        return true;
      }
      case SHORT_MONTH_NAME:
      case MONTH_NAME: {
        int month = reader.name(0, kMonths, code == MONTH_NAME);
        fields.month = static_cast<uint32_t>(month + 1);
        return month >= 0;
      }
      case SHORT_DAY_NAME:
      case DAY_NAME: {
        int day = reader.name(kMonths, kDays, code == DAY_NAME);
        fields.weekday = static_cast<uint32_t>(day);
        return day >= 0;
      }
      case WEEKDAY: {
        bool is_day = reader.number(1, 1, 1, 7, fields.weekday);
        fields.weekday--;
        return is_day;
      }
      case SUNDAY_WEEKDAY: {
        bool is_day = reader.number(1, 1, 0, 6, fields.weekday);
        fields.weekday = (fields.weekday + 6) % 7;
        return is_day;
      }
      case ISO_YEAR: {
        uint32_t year;
        if (!reader.number(4, 4, 0, 9999, year)) return false;
        fields.iso_year = static_cast<int32_t>(year);
        return true;
      }
      case ISO_WEEK: return reader.number(1, 2, 1, 53, fields.iso_week);
      default: return reader.offset(fields.offset);
    }
  }

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *program, T &value, int64_t &wrong) const {
    Fields fields{-1, 0, -1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
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
