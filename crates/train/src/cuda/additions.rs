//! Loads, and atomic additions, of several numbers at once.
//!
//! An atomic addition costs about the same for one number as for four adjacent ones (compute capability 9.0),
//! and the same for the number of a thread as for the sum of a warp. So rows are loaded and added by fours,
//! and additions of a warp to one address are summed first.

/// Adjacent numbers that are loaded or added at once.
pub(super) const FOUR: usize = 4;

/// The C functions. All threads of a warp must call `add_of_warp` together, with the same address.
pub(super) const HELPERS: &str = "\
// Neighbours in memory, at an address that is a multiple of all of them.
template <int COUNT> struct __align__(4 * COUNT) Numbers {
    float at[COUNT];
};

// Reads neighbours at once.
template <int COUNT> __device__ inline Numbers<COUNT> numbers_at(const float* address) {
    return *reinterpret_cast<const Numbers<COUNT>*>(address);
}

// Adds to four neighbours, at an address that is a multiple of all of them.
__device__ inline void add_four(float* address, Numbers<4> numbers) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    atomicAdd(reinterpret_cast<float4*>(address), make_float4(numbers.at[0], numbers.at[1], numbers.at[2], numbers.at[3]));
#else
    for (int i = 0; i < 4; i++) atomicAdd(address + i, numbers.at[i]);
#endif
}

// Adds a number of every thread of a warp.
template <class T> __device__ inline void add_of_warp(T* address, T number) {
#ifdef __CUDA_ARCH__
    for (int lanes = 16; lanes > 0; lanes /= 2) number += __shfl_down_sync(0xffffffffu, number, lanes);
    if (threadIdx.x % 32 != 0) return;
#endif
    if (number != (T)0) atomicAdd(address, number);
}

";
