// Runs kernels thread after thread: what stands for a GPU in the tests. Text of `emulator.rs` comes after this.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sanitizer/asan_interface.h>
#include <vector>

#define KERNEL static
#define __device__ static
#define __align__(bytes) alignas(bytes)

struct Place {
    unsigned x;
};

static Place blockIdx, threadIdx;

template <class T> static T atomicAdd(T* to, T number) {
    T before = *to;
    *to += number;
    return before;
}

using std::size_t;
typedef uint64_t Word;

struct Memory {
    char* bytes;
    size_t size;
};

static std::vector<Memory> memory;

// Parts of buffers that the next kernel is given, and these buffers.
static std::vector<Memory> parts, divided;

// A buffer that a kernel is given, or a part of one.
template <class T> static T* buffer(Word index) {
    Word part = 1ull << 63;
    return reinterpret_cast<T*>((index & part ? parts.at(index & ~part) : memory.at(index)).bytes);
}

static float real(Word bits) {
    uint32_t low = static_cast<uint32_t>(bits);
    float number;
    memcpy(&number, &low, sizeof number);
    return number;
}

// Runs one thread.
static void run(Word kernel, const Word* a);

static void need(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "emulator: %s\n", what);
    exit(1);
}

static bool get(void* to, size_t size) {
    return fread(to, 1, size, stdin) == size;
}

static Word word() {
    Word number;
    need(get(&number, sizeof number), "the end of the commands");
    return number;
}

static void add_part() {
    Memory of = memory.at(word());
    Word begin = word(), size = word();
    need(begin + size <= of.size, "a part is not in its buffer");
    parts.push_back({of.bytes + begin, size});
    divided.push_back(of);
}

// What is between the parts can only be used when the kernel has run.
static void set_parts(bool are_used) {
    for (Memory of : divided) are_used ? ASAN_POISON_MEMORY_REGION(of.bytes, of.size) : ASAN_UNPOISON_MEMORY_REGION(of.bytes, of.size);
    if (are_used) for (Memory part : parts) ASAN_UNPOISON_MEMORY_REGION(part.bytes, part.size);
}

static void launch() {
    Word kernel = word(), blocks = word(), threads = word();
    std::vector<Word> arguments(word());
    for (Word& argument : arguments) argument = word();
    set_parts(true);
    for (unsigned block = 0; block < blocks; block++) {
        for (unsigned thread = 0; thread < threads; thread++) {
            blockIdx.x = block;
            threadIdx.x = thread;
            run(kernel, arguments.data());
        }
    }
    set_parts(false);
    parts.clear();
    divided.clear();
}

// Commands: 0 allocate, 1 write, 2 read, 3 clear, 4 launch, 5 a part of a buffer for the next launch.
int main() {
    Word command;
    while (get(&command, sizeof command)) {
        if (command == 4) {
            launch();
            continue;
        }
        if (command == 5) {
            add_part();
            continue;
        }
        Word size = word();
        if (command == 0) {
            memory.push_back({static_cast<char*>(calloc(size, 1)), size});
            continue;
        }
        Memory of = memory.at(word());
        need(size <= of.size, "a buffer is too small");
        if (command == 1) need(get(of.bytes, size), "the end of a buffer");
        if (command == 2) need(fwrite(of.bytes, 1, size, stdout) == size && fflush(stdout) == 0, "no reader");
        if (command == 3) memset(of.bytes, 0, size);
    }
    return 0;
}
