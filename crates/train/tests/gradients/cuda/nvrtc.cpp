// Compiles a file of CUDA C to PTX with NVRTC, whose library is named: nvrtc LIBRARY ARCHITECTURE FILE. No GPU is needed.

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>

template <class F> static F* function(void* library, const char* name) {
    void* found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "the library has no %s\n", name);
        exit(1);
    }
    return reinterpret_cast<F*>(found);
}

int main(int, char** arguments) {
    void* library = dlopen(arguments[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    auto create = function<int(void**, const char*, const char*, int, const char**, const char**)>(library, "nvrtcCreateProgram");
    auto compile = function<int(void*, int, const char**)>(library, "nvrtcCompileProgram");
    auto log_size = function<int(void*, size_t*)>(library, "nvrtcGetProgramLogSize");
    auto get_log = function<int(void*, char*)>(library, "nvrtcGetProgramLog");
    auto ptx_size = function<int(void*, size_t*)>(library, "nvrtcGetPTXSize");
    auto get_ptx = function<int(void*, char*)>(library, "nvrtcGetPTX");
    std::stringstream text;
    text << std::ifstream(arguments[3]).rdbuf();
    void* program = nullptr;
    if (create(&program, text.str().c_str(), "network.cu", 0, nullptr, nullptr)) return 1;
    std::string option = std::string("--gpu-architecture=") + arguments[2];
    const char* options[] = {option.c_str()};
    int result = compile(program, 1, options);
    size_t size = 0;
    log_size(program, &size);
    std::string log(size, '\0');
    get_log(program, &log[0]);
    fputs(log.c_str(), stderr);
    if (result) return 1;
    ptx_size(program, &size);
    std::string ptx(size, '\0');
    get_ptx(program, &ptx[0]);
    fputs(ptx.c_str(), stdout);
    return 0;
}
