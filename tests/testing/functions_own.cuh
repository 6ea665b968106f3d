// functions_own.cuh: a header beside its program.
__device__ int own_function(int x) { return 3 * x % 1000; }
