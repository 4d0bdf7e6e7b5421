// Days of the proleptic Gregorian calendar since 1970-01-01: Howard Hinnant, "chrono-Compatible Low-Level Date
// Algorithms", 2013.
#pragma once
#include "kernel.h"

namespace CN_BUILD {

constexpr int64_t kDaySeconds = 86400;

// The quotient rounded down; the divisor is positive.
__device__ __forceinline__ int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

namespace calendar_detail {

// Days in 400 years.
constexpr int64_t kEraDays = 146097;
// Days from 0000-03-01 to 1970-01-01.
constexpr int64_t kEpochDays = 719468;

}  // namespace calendar_detail

// A date of a year that begins in March, so that the day of a leap year is its last: years of 400, months and days from 0.
struct MarchDate {
  int64_t era;
  uint32_t year_of_era, day, month;

  __device__ __forceinline__ int64_t year() const { return era * 400 + year_of_era; }
  __device__ __forceinline__ int64_t civil_year() const { return year() + (month >= 10 ? 1 : 0); }
  __device__ __forceinline__ int32_t civil_month() const {
    return static_cast<int32_t>(month < 10 ? month + 3 : month - 9);
  }
  __device__ __forceinline__ int32_t day_of_month() const { return static_cast<int32_t>(day - (153 * month + 2) / 5); }
  // From 1 in January.
  __device__ __forceinline__ int32_t day_of_civil_year() const {
    bool is_leap = year_of_era % 4 == 0 && (year_of_era % 100 != 0 || year_of_era == 0);
    return static_cast<int32_t>(month >= 10 ? day - 305 : day + 60 + (is_leap ? 1 : 0));
  }
};

__device__ __forceinline__ MarchDate march_date(int64_t days) {
  using namespace calendar_detail;
  int64_t shifted = days + kEpochDays;
  int64_t era = floor_quotient(shifted, kEraDays);
  uint32_t day_of_era = static_cast<uint32_t>(shifted - era * kEraDays);
  uint32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  uint32_t day = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  return {era, year_of_era, day, (5 * day + 2) / 153};
}

struct CivilDate {
  int64_t year;
  int32_t month, day;
};

__device__ __forceinline__ CivilDate civil_date(int64_t days) {
  MarchDate date = march_date(days);
  return {date.civil_year(), date.civil_month(), date.day_of_month() + 1};
}

// Monday = 0.
__device__ __forceinline__ int32_t weekday_of(int64_t day) {
  return static_cast<int32_t>(day + 3 - floor_quotient(day + 3, 7) * 7);
}

// The first day of a month, which is counted from January of the year 0.
__device__ __forceinline__ int64_t first_day_of(int64_t month) {
  using namespace calendar_detail;
  int64_t since_march = month - 2;
  int64_t year = floor_quotient(since_march, 12);
  int64_t march_month = since_march - year * 12;
  int64_t era = floor_quotient(year, 400);
  int64_t year_of_era = year - era * 400;
  return era * kEraDays + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * march_month + 2) / 5 - kEpochDays;
}

// False for a day that the month does not have.
__device__ __forceinline__ bool day_of_date(int64_t year, uint32_t month, uint32_t day, int64_t &days) {
  if (month - 1 > 11 || day == 0) return false;
  int64_t number = year * 12 + month - 1;
  days = first_day_of(number) + day - 1;
  return day <= 28 || days < first_day_of(number + 1);
}

}  // namespace CN_BUILD
