// cuda_functions.h: CUDA's functions of one thread, and its vectors. cuda_on_cpu.h includes it.
//
// The fast functions of floating-point numbers (__expf, __fdividef and so on) are as exact here as the others. A rounding
// that a name asks for (__fadd_rn, __float2int_rz) is the one that happens; each such function is one operation, which no
// compiler joins with another.
#pragma once

// ---- integers -------------------------------------------------------------------------------------------------------

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
// Each nibble of the selector chooses a byte of yx (0 to 7), or its sign bit eight times (+ 8).
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned nibble = selector >> 4 * i & 15, byte = unsigned(bytes >> 8 * (nibble & 7)) & 255;
        result |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
inline unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
inline unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
inline int __mul24(int x, int y) { return int((long long)(x << 8 >> 8) * (y << 8 >> 8)); }
inline unsigned __umul24(unsigned x, unsigned y) { return unsigned((unsigned long long)(x & 0xffffff) * (y & 0xffffff)); }
inline unsigned __sad(int x, int y, unsigned z) { return z + (x < y ? unsigned(y) - x : unsigned(x) - y); }
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
inline int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
// The sum of the products of four signed, or unsigned, bytes, and a third number.
inline int __dp4a(int x, int y, int sum) {
    for (int i = 0; i < 32; i += 8) sum += (signed char)(x >> i) * (signed char)(y >> i);
    return sum;
}
inline unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
    for (int i = 0; i < 32; i += 8) sum += (x >> i & 255) * (y >> i & 255);
    return sum;
}

// ---- floating-point numbers -----------------------------------------------------------------------------------------

namespace cuda_on_cpu {
template <class To, class From> To same_bits(From value) {
    static_assert(sizeof(To) == sizeof(From), "");
    To result;
    memcpy(&result, &value, sizeof value);
    return result;
}
// A conversion outside of the range gives the nearest number, and of what is no number 0.
template <class To> To saturated(double value, double least, double most, To lowest, To highest) {
    if (value != value) return 0;
    return value <= least ? lowest : value >= most ? highest : To(value);
}
}  // namespace cuda_on_cpu
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline void __sincosf(float x, float* sine, float* cosine) { *sine = sinf(x), *cosine = cosf(x); }
inline float __saturatef(float x) { return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }
#define CUDA_ON_CPU_ROUNDED(name, type, ...) __attribute__((noinline)) inline type name { return __VA_ARGS__; }
CUDA_ON_CPU_ROUNDED(__fadd_rn(float x, float y), float, x + y)
CUDA_ON_CPU_ROUNDED(__fsub_rn(float x, float y), float, x - y)
CUDA_ON_CPU_ROUNDED(__fmul_rn(float x, float y), float, x * y)
CUDA_ON_CPU_ROUNDED(__fdiv_rn(float x, float y), float, x / y)
CUDA_ON_CPU_ROUNDED(__frcp_rn(float x), float, 1.0f / x)
CUDA_ON_CPU_ROUNDED(__fsqrt_rn(float x), float, sqrtf(x))
CUDA_ON_CPU_ROUNDED(__fmaf_rn(float x, float y, float z), float, fmaf(x, y, z))
CUDA_ON_CPU_ROUNDED(__fdividef(float x, float y), float, x / y)
CUDA_ON_CPU_ROUNDED(__dadd_rn(double x, double y), double, x + y)
CUDA_ON_CPU_ROUNDED(__dsub_rn(double x, double y), double, x - y)
CUDA_ON_CPU_ROUNDED(__dmul_rn(double x, double y), double, x * y)
CUDA_ON_CPU_ROUNDED(__ddiv_rn(double x, double y), double, x / y)
CUDA_ON_CPU_ROUNDED(__fma_rn(double x, double y, double z), double, fma(x, y, z))
inline int __float_as_int(float x) { return cuda_on_cpu::same_bits<int>(x); }
inline unsigned __float_as_uint(float x) { return cuda_on_cpu::same_bits<unsigned>(x); }
inline float __int_as_float(int x) { return cuda_on_cpu::same_bits<float>(x); }
inline float __uint_as_float(unsigned x) { return cuda_on_cpu::same_bits<float>(x); }
inline long long __double_as_longlong(double x) { return cuda_on_cpu::same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return cuda_on_cpu::same_bits<double>(x); }
#define CUDA_ON_CPU_CONVERTED(suffix, rounded) \
    inline int __float2int_##suffix(float x) { \
        return cuda_on_cpu::saturated<int>(rounded(x), -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647); \
    } \
    inline unsigned __float2uint_##suffix(float x) { \
        return cuda_on_cpu::saturated<unsigned>(rounded(x), 0.0, 4294967295.0, 0u, ~0u); \
    }
CUDA_ON_CPU_CONVERTED(rn, rint)
CUDA_ON_CPU_CONVERTED(rz, trunc)
CUDA_ON_CPU_CONVERTED(rd, floor)
CUDA_ON_CPU_CONVERTED(ru, ceil)
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }

// ---- memory and time ------------------------------------------------------------------------------------------------

// Hints to the caches say nothing here. They are macros, so that the profiler sees an access of the kernel.
#define __ldg(source) (*(source))
#define __ldca(source) (*(source))
#define __ldcg(source) (*(source))
#define __ldcs(source) (*(source))
#define __ldcv(source) (*(source))
#define __ldlu(source) (*(source))
#define __stcg(target, value) ((void)(*(target) = (value)))
#define __stcs(target, value) ((void)(*(target) = (value)))
#define __stwb(target, value) ((void)(*(target) = (value)))
#define __stwt(target, value) ((void)(*(target) = (value)))
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}
// A clock that counts its own calls: the emulation says nothing about time.
inline long long clock64() {
    static long long ticks;
    return ++ticks;
}

// ---- vectors --------------------------------------------------------------------------------------------------------

// A vector is read and written as a whole, as on a GPU; otherwise the compiler might do it number by number.
#define CUDA_ON_CPU_VECTOR(name, type, whole, ...) \
    struct alignas(sizeof(whole)) name { \
        typedef whole Whole __attribute__((may_alias)); \
        type __VA_ARGS__; \
        name() = default; \
        __forceinline__ name(const name& other) { *(Whole*)this = *(const Whole*)&other; } \
        __forceinline__ name& operator=(const name& other) { return *(Whole*)this = *(const Whole*)&other, *this; }
#define CUDA_ON_CPU_VECTORS(name, type, whole2, whole4) \
    struct name##1 { type x; }; \
    struct name##3 { type x, y, z; }; \
    CUDA_ON_CPU_VECTOR(name##2, type, whole2, x, y) name##2(type x, type y) : x(x), y(y) {} }; \
    CUDA_ON_CPU_VECTOR(name##4, type, whole4, x, y, z, w) \
        name##4(type x, type y, type z, type w) : x(x), y(y), z(z), w(w) {} \
    }; \
    inline name##1 make_##name##1(type x) { return {x}; } \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
CUDA_ON_CPU_VECTORS(char, signed char, unsigned short, unsigned)
CUDA_ON_CPU_VECTORS(uchar, unsigned char, unsigned short, unsigned)
CUDA_ON_CPU_VECTORS(short, short, unsigned, unsigned long long)
CUDA_ON_CPU_VECTORS(ushort, unsigned short, unsigned, unsigned long long)
CUDA_ON_CPU_VECTORS(int, int, unsigned long long, unsigned __int128)
CUDA_ON_CPU_VECTORS(uint, unsigned, unsigned long long, unsigned __int128)
CUDA_ON_CPU_VECTORS(float, float, unsigned long long, unsigned __int128)
CUDA_ON_CPU_VECTOR(longlong2, long long, unsigned __int128, x, y) longlong2(long long x, long long y) : x(x), y(y) {} };
CUDA_ON_CPU_VECTOR(ulonglong2, unsigned long long, unsigned __int128, x, y)
    ulonglong2(unsigned long long x, unsigned long long y) : x(x), y(y) {}
};
CUDA_ON_CPU_VECTOR(double2, double, unsigned __int128, x, y) double2(double x, double y) : x(x), y(y) {} };
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
