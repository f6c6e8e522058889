//! The levels: their features (written once, below), their detection, and the shells that enter them.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32"),
    allow(unsafe_code, reason = "enters functions that need processor features, which were detected")
)]
#![cfg_attr(
    target_arch = "wasm32",
    allow(unused_unsafe, reason = "an engine without a feature refuses the whole module, so no call is unsafe there")
)]

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use nnue_spec::{LayerDesc, LayerKind, NetDesc};

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::aarch64::{Neon, NeonDotprod, NeonI8mm};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::Simd128;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Vnni, AvxVnni, Sse41};
use super::{Scalar, Simd, pack_order};

/// Something to be computed at a level that is known only at run time.
///
/// [`Task::run`] must be `#[inline(always)]`, and so must all that it calls that is to be fast: it is compiled once per
/// level, inside a function that has the level's features.
pub trait Task {
    /// the result
    type Output;
    /// Computes it with the operations of `simd`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// What the layouts and checks of prepared weights need to know of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// [`Simd::BYTES`]
    pub(crate) bytes: usize,
    /// [`Simd::DENSE_WEIGHTS`]
    pub(crate) dense_weights: usize,
    /// [`Simd::DOT_LIMIT`]
    pub(crate) dot_limit: u8,
}

impl Facts {
    fn of<S: Simd>() -> Self {
        Self { bytes: S::BYTES, dense_weights: S::DENSE_WEIGHTS, dot_limit: S::DOT_LIMIT }
    }
}

/// Whether this processor has a feature. Asking needs an operating system that says which registers it keeps; without the feature
/// `std` the answer is what the program was compiled for. WebAssembly cannot ask either: a module that names a feature runs
/// only where it is.
#[allow(unused_macros, reason = "there may be no level but scalar")]
macro_rules! detected {
    ($feature:tt) => {{
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let detected = std::arch::is_x86_feature_detected!($feature);
        #[cfg(all(target_arch = "aarch64", feature = "std"))]
        let detected = std::arch::is_aarch64_feature_detected!($feature);
        #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), feature = "std")))]
        let detected = cfg!(target_feature = $feature);
        detected
    }};
}

/// The shell of a level whose features every processor has that the program runs on. It stands apart from its callers, as the others do
/// because their features differ: callers may be compiled in several places, each with a copy.
#[inline(never)]
fn plain_shell<S: Simd, T: Task>(simd: S, task: T) -> T::Output {
    task.run(simd)
}

/// Defines [`Level`] and [`dispatch`]. This is the only place that names a level's features: the attribute of its shell,
/// its detection and its documentation all come from here. The levels of each group exist where its condition holds.
macro_rules! levels {
    ($($target:literal where $exists:meta {
        $($(#[doc = $doc:literal])* $level:ident $name:literal $token:ty, [$($feature:tt)*];)*
    })*) => {
        /// An instruction level.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Level {
            /// Any processor.
            Scalar,
            $($(
                $(#[doc = $doc])*
                #[doc = concat!("\n\nFor ", $target, ". Needs: ", $($feature, " ",)*)]
                $level,
            )*)*
        }

        impl Level {
            /// All levels, from the simplest to the fastest.
            pub const ALL: &'static [Self] = &[Self::Scalar, $($(Self::$level),*),*];

            /// The name, for options and reports: `scalar`, `sse41`, `avx2`, ...
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Scalar => "scalar",
                    $($(Self::$level => $name,)*)*
                }
            }

            /// Whether this processor has the level's features.
            pub fn is_available(self) -> bool {
                match self {
                    Self::Scalar => true,
                    $($(
                        #[cfg($exists)]
                        Self::$level => true $(&& detected!($feature))*,
                        #[cfg(not($exists))]
                        Self::$level => false,
                    )*)*
                }
            }

            /// What the layouts of weights need to know of the level.
            pub(crate) fn facts(self) -> Facts {
                match self {
                    $($(
                        #[cfg($exists)]
                        Self::$level => Facts::of::<$token>(),
                    )*)*
                    _ => Facts::of::<Scalar>(),
                }
            }

            /// The order of the 8-byte groups of values in a buffer made from accumulators at this level, of which each
            /// makes `len` values: entry `i` is the index in order of the group that stands at place `i` of each
            /// `8 * entries` values.
            pub(crate) fn pack_order(self, len: usize) -> &'static [usize] {
                match self {
                    $($(
                        #[cfg($exists)]
                        Self::$level => pack_order::<$token>(len),
                    )*)*
                    _ => pack_order::<Scalar>(len),
                }
            }
        }

        /// Runs `task` at `level`.
        #[inline(always)]
        pub fn dispatch<T: Task>(level: AvailableLevel, task: T) -> T::Output {
            match level.0 {
                $($(
                    #[cfg($exists)]
                    Level::$level => {
                        // SAFETY: an `AvailableLevel` is made only of a level whose features were detected.
                        let simd = unsafe { <$token>::assume() };
                        if const { true $(&& cfg!(target_feature = $feature))* } {
                            return plain_shell(simd, task);
                        }
                        // Generic over the token, so that its name says the level in profiles and disassemblies.
                        $(#[target_feature(enable = $feature)])*
                        fn shell<S: Simd, T: Task>(simd: S, task: T) -> T::Output {
                            task.run(simd)
                        }
                        // SAFETY: the same.
                        unsafe { shell(simd, task) }
                    }
                )*)*
                _ => plain_shell(Scalar, task),
            }
        }
    };
}

levels! {
    "x86-64" where target_arch = "x86_64" {
        /// 128-bit vectors: processors from 2008 on.
        Sse41 "sse41" Sse41, ["ssse3" "sse4.1"];
        /// 256-bit vectors.
        Avx2 "avx2" Avx2, ["avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2"];
        /// 256-bit vectors and dot products in one instruction.
        AvxVnni "avxvnni" AvxVnni, ["avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2" "avxvnni"];
        /// 512-bit vectors.
        Avx512 "avx512" Avx512,
            ["avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512cd" "avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2"];
        /// 512-bit vectors and dot products in one instruction.
        Avx512Vnni "avx512vnni" Avx512Vnni,
            ["avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512cd" "avx512vnni" "avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2"];
    }
    "little-endian aarch64" where all(target_arch = "aarch64", target_endian = "little") {
        /// 128-bit vectors: every processor of 64 bits.
        Neon "neon" Neon, ["neon"];
        /// 128-bit vectors and dot products of signed bytes in one instruction.
        NeonDotprod "neondotprod" NeonDotprod, ["neon" "dotprod"];
        /// 128-bit vectors and dot products of unsigned and signed bytes in one instruction.
        NeonI8mm "neoni8mm" NeonI8mm, ["neon" "dotprod" "i8mm"];
    }
    "WebAssembly compiled with simd128" where all(target_arch = "wasm32", target_feature = "simd128") {
        /// 128-bit vectors.
        Simd128 "simd128" Simd128, ["simd128"];
    }
}

impl Level {
    /// Whether the kernels of this level read a layer of `weights` prepared weights whole. The same rule as [`super::reads_whole`].
    pub(crate) fn reads_prepared_whole(self, kind: LayerKind, weights: usize) -> bool {
        kind == LayerKind::Sparse && weights <= self.facts().dense_weights
    }

    /// This level, if the processor has it.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn check(self) -> Result<AvailableLevel, UnavailableLevel> {
        if self.is_available() { Ok(AvailableLevel(self)) } else { Err(UnavailableLevel(self)) }
    }

    /// The levels that this processor has, from the simplest to the fastest.
    pub fn available() -> impl DoubleEndedIterator<Item = AvailableLevel> {
        Self::ALL.iter().filter_map(|level| level.check().ok())
    }

    /// The fastest level that this processor has.
    pub fn detect() -> AvailableLevel {
        Self::available().next_back().unwrap_or(AvailableLevel(Self::Scalar))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        Self::ALL.iter().copied().find(|level| level.name() == name).ok_or_else(|| UnknownLevel(name.into()))
    }
}

/// A level that this processor has: the proof that [`dispatch`] asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AvailableLevel(Level);

impl AvailableLevel {
    /// The level of a token.
    #[inline(always)]
    pub(super) fn of<S: Simd>(_: S) -> Self {
        Self(S::LEVEL)
    }

    /// The level.
    pub const fn level(self) -> Level {
        self.0
    }

    /// Whether this level reads all weights of layer `layer` of `net`, which could skip blocks of four zero inputs, because it reads a
    /// layer of this size faster than it finds the blocks: how many inputs are zero does not matter then.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn reads_whole(self, net: &NetDesc<'_>, layer: usize) -> bool {
        let LayerDesc { kind, segments, outputs, .. } = net.layers[layer];
        let blocks: usize = (0..segments.len()).map(|segment| net.segment_blocks(layer, segment).len()).sum();
        self.0.reads_prepared_whole(kind, 4 * blocks * outputs.next_multiple_of(16))
    }
}

impl fmt::Display for AvailableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The processor lacks a level's features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnavailableLevel(pub Level);

impl fmt::Display for UnavailableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::available().map(|level| level.level().name()).collect();
        write!(f, "this processor has no level `{}`; it has: {}", self.0, names.join(", "))
    }
}

impl core::error::Error for UnavailableLevel {}

/// A name that is no level's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::ALL.iter().map(|level| level.name()).collect();
        write!(f, "unknown level `{}`; known: {}", self.0, names.join(", "))
    }
}

impl core::error::Error for UnknownLevel {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Which;

    impl Task for Which {
        type Output = Level;

        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> Level {
            S::LEVEL
        }
    }

    #[test]
    fn a_task_runs_at_the_level_that_was_asked_for() {
        for level in Level::available() {
            assert_eq!(dispatch(level, Which), level.level());
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for &level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let error = "mmx".parse::<Level>().unwrap_err();
        assert!(error.to_string().starts_with("unknown level `mmx`; known: scalar"));
    }

    /// Names in `NNUE_REQUIRE_LEVELS` (comma-separated) must be available: a run of the tests that is meant to cover a
    /// level does not pass silently on a machine that lacks it.
    #[test]
    fn supports_required_levels() {
        let required = std::env::var("NNUE_REQUIRE_LEVELS").unwrap_or_default();
        for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let level: Level = name.parse().unwrap();
            level.check().unwrap();
        }
    }
}
