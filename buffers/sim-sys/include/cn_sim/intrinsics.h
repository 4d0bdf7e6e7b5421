// Bit, arithmetic and cache-hint intrinsics.
#pragma once
#include "execution.h"

namespace cn_sim {

// ---- bits ----

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }

inline unsigned __brev(unsigned x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

// Each nibble of the selector selects a byte of b:a; its top bit selects that byte's sign instead.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    unsigned nibble = selector >> (4 * i) & 0xf;
    unsigned byte = (unsigned)(bytes >> (8 * (nibble & 7))) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  shift &= 31;
  return shift ? hi << shift | lo >> (32 - shift) : hi;
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  shift &= 31;
  return shift ? lo >> shift | hi << (32 - shift) : lo;
}

#define CN_SIM_BIT_CAST(name, To, From)          \
  inline To name(From from) {                    \
    To to;                                       \
    static_assert(sizeof to == sizeof from, ""); \
    memcpy(&to, &from, sizeof to);               \
    return to;                                   \
  }
CN_SIM_BIT_CAST(__float_as_int, int, float)
CN_SIM_BIT_CAST(__int_as_float, float, int)
CN_SIM_BIT_CAST(__float_as_uint, unsigned, float)
CN_SIM_BIT_CAST(__uint_as_float, float, unsigned)
CN_SIM_BIT_CAST(__double_as_longlong, long long, double)
CN_SIM_BIT_CAST(__longlong_as_double, double, long long)
#undef CN_SIM_BIT_CAST

// ---- arithmetic ----

inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}

#define CN_SIM_MIN_MAX(T)                          \
  inline T min(T a, T b) { return a < b ? a : b; } \
  inline T max(T a, T b) { return a < b ? b : a; }
CN_SIM_MIN_MAX(int)
CN_SIM_MIN_MAX(unsigned)
CN_SIM_MIN_MAX(long)
CN_SIM_MIN_MAX(unsigned long)
CN_SIM_MIN_MAX(long long)
CN_SIM_MIN_MAX(unsigned long long)
#undef CN_SIM_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline double __dsqrt_rn(double x) { return sqrt(x); }

// ---- loads and stores with a cache hint ----

#define CN_SIM_LOAD(name)     \
  template <class T>          \
  inline T name(const T *p) { \
    return *p;                \
  }
CN_SIM_LOAD(__ldg)
CN_SIM_LOAD(__ldcs)
CN_SIM_LOAD(__ldcg)
CN_SIM_LOAD(__ldca)
CN_SIM_LOAD(__ldlu)
CN_SIM_LOAD(__ldcv)
#undef CN_SIM_LOAD

#define CN_SIM_STORE(name)          \
  template <class T>                \
  inline void name(T *p, T value) { \
    *p = value;                     \
  }
CN_SIM_STORE(__stcs)
CN_SIM_STORE(__stcg)
CN_SIM_STORE(__stwb)
CN_SIM_STORE(__stwt)
#undef CN_SIM_STORE

long long clock64();

}  // namespace cn_sim
