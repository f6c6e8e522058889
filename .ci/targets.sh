# Cargo commands for processors that are not this one. Sourced by .ci/run, after .ci/prepare-aarch64 or .ci/prepare-wasm.
#
# The standard libraries of other targets come from Debian, with a compiler of their own; the toolchain's cargo drives it.

# What a cargo command needs to build with Debian's compiler: an artefact folder of its own, beside the others.
debian_compiler() {
    export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc
    CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debian
    export CARGO_TARGET_DIR
}

# The linker of the toolchain, for targets without one of their own.
rust_lld() { echo "$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin/rust-lld"; }

# A cargo command for aarch64, its programs run on an emulated processor, where none of these levels may be skipped.
on_aarch64() { # CPU LEVELS CARGO-ARGUMENT...
    debian_compiler
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc NNUE_REQUIRE_LEVELS=$2
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="--cfg emulated" # fewer crates to compile
    # No -L: with the library of libc6-dev-arm64-cross beside that of libc6:arm64, threads hang.
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -cpu $1"
    cargo "$3" --target aarch64-unknown-linux-gnu "${@:4}"
}

# The same for s390x, which is big-endian and has no level but scalar.
on_s390x() { # CARGO-ARGUMENT...
    debian_compiler
    export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc NNUE_REQUIRE_LEVELS=scalar
    export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="qemu-s390x-static -L /usr/s390x-linux-gnu"
    cargo "$1" --target s390x-unknown-linux-gnu "${@:2}"
}

# The machine code of the kernels for aarch64.
asm_aarch64() {
    debian_compiler
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    cargo xtask asm-check aarch64
}

# WebAssembly with these features, its programs run by node. They start with more memory than they need: where it grew as networks were
# read, the garbage collector of node 20.20 crashed in nine runs of ten ("unreachable code", while it marked what lives), and never since.
wasm_compiler() { # FEATURES
    debian_compiler
    local library
    library=$(/usr/bin/rustc --print sysroot)/lib/rustlib/wasm32-wasip1/lib/self-contained
    CARGO_TARGET_WASM32_WASIP1_LINKER=$(rust_lld)
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="${1:+-Ctarget-feature=$1 }-Clink-arg=$library/stub.o -Clink-arg=--initial-memory=$((2 << 30))"
    CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/.ci/wasi.mjs"
    export CARGO_TARGET_WASM32_WASIP1_{LINKER,RUSTFLAGS,RUNNER}
}

# A cargo command for WebAssembly, where none of these levels may be skipped.
on_wasm() { # FEATURES LEVELS CARGO-ARGUMENT...
    wasm_compiler "$1"
    NNUE_REQUIRE_LEVELS=$2 cargo "$3" --target wasm32-wasip1 "${@:4}"
}

# The machine code of the kernels for WebAssembly, as far as that is any.
asm_wasm() {
    wasm_compiler +simd128
    cargo xtask asm-check wasm
}

# A cargo command for a crate that stands apart, with a lock file of its own, linked by the toolchain's linker.
apart() { # FOLDER TARGET CARGO-ARGUMENT...
    debian_compiler
    local target=${2^^}
    export "CARGO_TARGET_${target//-/_}_LINKER=$(rust_lld)"
    cd "$1"
    cargo fmt --check
    cargo "${@:3}" --quiet --release --locked
}

# The program for a board without an operating system, run on an emulated one.
on_bare_metal() { apart examples/bare_metal thumbv7em-none-eabihf run; }

# The program of the demonstration page.
build_page() { apart examples/web wasm32-unknown-unknown build; }
