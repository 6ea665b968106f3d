// half.cuh: numbers of half precision and pairs of them, as <cuda_fp16.h> has them. It takes the place of that header in texts
// of other people (foreign.py), in the emulation only. Each operation is computed in double precision, which is exact for a sum
// or a product, and rounded once to the nearest half, ties to even.
struct __half {
    unsigned short bits;
    __half() = default;
    __half(float x) : bits(rounded(x)) {}
    __half(double x) : bits(rounded(x)) {}
    __half(int x) : bits(rounded(x)) {}
    operator float() const { return float(value()); }
    double value() const {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const double sign = bits >> 15 ? -1.0 : 1.0;
        if (exponent == 31) return fraction ? __builtin_nan("") : sign * __builtin_inf();
        return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
    }
    static unsigned short rounded(double x) {
        const unsigned short sign = signbit(x) ? 0x8000 : 0;
        if (x != x) return 0x7fff;
        x = fabs(x);
        if (x >= 65520.0) return sign | 0x7c00;  // halfway between the largest number and the next power of two
        int exponent;
        frexp(x, &exponent);
        if (x == 0.0 || exponent < -13) exponent = -13;  // those below 2^-14 have steps of 2^-24
        const double steps = rint(ldexp(x, 11 - exponent));  // of the last bit; 2,048 of them are the next exponent's 1,024
        return sign | (unsigned short)(steps + (exponent + 13) * 1024);
    }
};
typedef __half half;
struct alignas(4) __half2 { __half x, y; };
typedef __half2 half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline __half __int2half_rn(int x) { return __half(double(x)); }
inline float __half2float(__half x) { return float(x); }
inline int __half2int_rn(__half x) { return int(rint(x.value())); }
inline __half __ushort_as_half(unsigned short bits) {
    __half made;
    made.bits = bits;
    return made;
}
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline float2 __half22float2(__half2 x) { return make_float2(x.x, x.y); }
inline __half __low2half(__half2 x) { return x.x; }
inline __half __high2half(__half2 x) { return x.y; }
inline float __low2float(__half2 x) { return x.x; }
inline float __high2float(__half2 x) { return x.y; }

#define HALF_OPERATION(name, sign, expression) \
    inline __half name(__half a, __half b) { const double x = a.value(), y = b.value(); return __half(expression); } \
    inline __half operator sign(__half a, __half b) { return name(a, b); } \
    inline __half& operator sign##=(__half& a, __half b) { return a = name(a, b); } \
    inline __half2 name##2(__half2 a, __half2 b) { return {name(a.x, b.x), name(a.y, b.y)}; } \
    inline __half2 operator sign(__half2 a, __half2 b) { return name##2(a, b); }
HALF_OPERATION(__hadd, +, x + y)
HALF_OPERATION(__hsub, -, x - y)
HALF_OPERATION(__hmul, *, x * y)
HALF_OPERATION(__hdiv, /, x / y)
#define __h2div __hdiv2
inline __half __hneg(__half x) { return __ushort_as_half(x.bits ^ 0x8000); }
inline __half operator-(__half x) { return __hneg(x); }
inline __half __habs(__half x) { return __ushort_as_half(x.bits & 0x7fff); }
// The product of two halves is exact in double precision; the sum with a third is rounded to 53 bits before it is a half.
inline __half __hfma(__half a, __half b, __half c) { return __half(fma(a.value(), b.value(), c.value())); }
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline __half __hmax(__half a, __half b) { return a.value() < b.value() ? b : a; }
inline __half __hmin(__half a, __half b) { return b.value() < a.value() ? b : a; }
inline __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
inline __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
#define HALF_COMPARISON(name, sign) \
    inline bool name(__half a, __half b) { return a.value() sign b.value(); } \
    inline bool operator sign(__half a, __half b) { return name(a, b); }
HALF_COMPARISON(__heq, ==)
HALF_COMPARISON(__hne, !=)
HALF_COMPARISON(__hlt, <)
HALF_COMPARISON(__hle, <=)
HALF_COMPARISON(__hgt, >)
HALF_COMPARISON(__hge, >=)
inline bool __hisnan(__half x) { return x.value() != x.value(); }
inline __half hsqrt(__half x) { return __half(sqrt(x.value())); }
inline __half hrsqrt(__half x) { return __half(1.0 / sqrt(x.value())); }
inline __half hrcp(__half x) { return __half(1.0 / x.value()); }
inline __half hexp(__half x) { return __half(exp(x.value())); }
inline __half hlog(__half x) { return __half(log(x.value())); }
inline __half hsin(__half x) { return __half(sin(x.value())); }
inline __half hcos(__half x) { return __half(cos(x.value())); }
