// functions.cu: functions of CUDA that kernels of other people use.
#include "common.cuh"
#include "functions_own.cuh"

extern "C" __global__ void of_integers(int first, int last, const int* in /*[last][2]*/, i64* out /*[last][14]*/) {
    EACH_ITEM(item, 1) {
        const int x = in[2 * item], y = in[2 * item + 1];
        i64* mine = out + 14 * i64(item);
        mine[0] = __mulhi(x, y);
        mine[1] = __umulhi(x, y);
        mine[2] = i64(__umul64hi(u64(x) << 32 | u32(y), 0x9e3779b97f4a7c15ull));
        mine[3] = __mul64hi(i64(x) << 32 | u32(y), 0x1e3779b97f4a7c15ll);
        mine[4] = __mul24(x, y);
        mine[5] = __umul24(x, y);
        mine[6] = __sad(x, y, 7u);
        mine[7] = __usad(x, y, 7u);
        mine[8] = __hadd(x, y);
        mine[9] = i64(__brevll(u64(x) << 32 | u32(y)));
        mine[10] = __dp4a(x, y, 5);
        mine[11] = __dp4a(u32(x), u32(y), 5u);
        mine[12] = __clz(x);
        mine[13] = own_function(x);
    }
}

extern "C" __global__ void of_floats(int first, int last, const float* in /*[last][2]*/, float* out /*[last][16]*/) {
    EACH_ITEM(item, 1) {
        const float x = in[2 * item], y = in[2 * item + 1];
        float* mine = out + 16 * i64(item);
        mine[0] = rsqrtf(x);
        mine[1] = __expf(y / 64);
        mine[2] = __logf(x);
        mine[3] = __fdividef(x, y);
        mine[4] = __fadd_rn(x, y);
        mine[5] = __fsub_rn(x, y);
        mine[6] = __fmul_rn(x, y);
        mine[7] = __fmaf_rn(x, y, x);
        mine[8] = __fsqrt_rn(x);
        mine[9] = __saturatef(x / 100);
        mine[10] = __int_as_float(__float_as_int(x) ^ 0x80000000);
        mine[11] = float(__float2int_rn(y));
        mine[12] = float(__float2int_rz(y));
        mine[13] = float(__float2int_rd(y));
        mine[14] = float(__float2int_ru(y));
        mine[15] = float(__float2uint_rn(y));
    }
}

extern "C" __global__ void of_warps(int first, int last, const int* in /*[last][32]*/, u32* out /*[last][32][3]*/) {
    EACH_ITEM(item, WARP) {
        const int lane = threadIdx.x % warpSize;
        u32* mine = out + (i64(item) * 32 + lane) * 3;
        int all;
        mine[0] = __match_any_sync(FULL, in[item * 32 + lane]);
        mine[1] = __match_all_sync(FULL, in[item * 32 + lane] / 1000, &all) + all;
        mine[2] = __activemask();
        __nanosleep(100);
    }
}

extern "C" __global__ void of_memory(int first, int last, const float4* in /*[last][4]*/, const uchar4* bytes /*[last][4]*/,
        size_t lambda, const int16_t* pass /*[lambda]*/, uint32_t* count /*[4] changed*/, float* out /*[last]*/) {
    EACH_ITEM(item, 1) {
        const float4 four = __ldcg(&in[item]);
        const uchar4 small = make_uchar4(bytes[item].x, 1, 2, 3);
        __stcs(&out[item], four.x + four.y + four.z + four.w + small.x + small.w + pass[item % lambda]);
        atomicInc(&count[0], 6u);
        atomicDec_block(&count[1], 6u);
        atomicAdd_system(&count[2], 2u);
        atomicCAS_block(&count[3], 0u, 9u);
        __threadfence_system();
    }
}
