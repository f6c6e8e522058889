//! The levels: their features (listed once, below), their detection, and the shells that enter
//! them.
#![cfg_attr(
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "wasm32"
    ),
    allow(
        unsafe_code,
        reason = "enters functions that need processor features, which were detected"
    )
)]
#![cfg_attr(
    target_arch = "wasm32",
    allow(
        unused_unsafe,
        reason = "an engine without a feature refuses the whole module, so no call is unsafe there"
    )
)]

use core::fmt;
use core::str::FromStr;

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::aarch64::{Neon, NeonDotprod, NeonI8mm};
use super::available::{AvailableLevel, UnknownLevel};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::Simd128;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Counting, Avx512Vnni, AvxVnni, Sse41};
use super::{Scalar, Simd, pack_order};

/// A computation at a level that is chosen at run time.
///
/// [`Task::run`] and everything fast that it calls must be `#[inline(always)]`: it is compiled once
/// per level, inside a function with the level's features.
pub trait Task {
    /// the result
    type Output;
    /// Runs the computation with the operations of `simd`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The constants of a level that determine the layouts and checks of prepared weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// [`Simd::BYTES`]
    pub(crate) bytes: usize,
    /// [`Simd::DOT_LIMIT`]
    pub(crate) dot_limit: u8,
    /// [`Simd::LOOKS_UP`]
    pub(crate) looks_up: bool,
}

impl Facts {
    fn of<S: Simd>() -> Self {
        Self {
            bytes: S::BYTES,
            dot_limit: S::DOT_LIMIT,
            looks_up: S::LOOKS_UP,
        }
    }
}

/// Whether this processor has a feature. Detection needs an operating system, because registers
/// must be saved and restored; without the Cargo feature `std` the answer is the target feature at
/// compile time. In WebAssembly nothing is detected either: an engine without a feature refuses the
/// module.
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

/// True if this processor has these features.
#[allow(unused_macros, reason = "there may be no level but scalar")]
macro_rules! all_detected {
    ([$($shared:tt)*] [$($feature:tt)*]) => { true $(&& detected!($shared))* $(&& detected!($feature))* };
}

/// The names of these features.
macro_rules! listed {
    ([$($shared:tt)*] [$($feature:tt)*]) => { concat!($($shared, " ",)* $($feature, " ",)*) };
}

/// The shell of a level whose features the whole program has. It is not inlined, like the shells of
/// other levels: callers may be compiled in several places, each with a copy.
#[inline(never)]
fn plain_shell<S: Simd, T: Task>(simd: S, task: T) -> T::Output {
    task.run(simd)
}

/// Runs a task inside a function that has these features, or directly if the whole program has
/// them.
#[allow(unused_macros, reason = "there may be no level but scalar")]
macro_rules! enter {
    ($token:ty, [$($shared:tt)*] [$($feature:tt)*], $task:ident) => {{
        // SAFETY: an `AvailableLevel` is made only from a level whose features were detected.
        let simd = unsafe { <$token>::assume() };
        if const { true $(&& cfg!(target_feature = $shared))* $(&& cfg!(target_feature = $feature))* } {
            return plain_shell(simd, $task);
        }
        // Generic over the token, so that profiles and disassemblies show the level in its name.
        $(#[target_feature(enable = $shared)])*
        $(#[target_feature(enable = $feature)])*
        fn shell<S: Simd, T: Task>(simd: S, task: T) -> T::Output {
            task.run(simd)
        }
        // SAFETY: as above.
        unsafe { shell(simd, $task) }
    }};
}

/// Defines [`Level`], [`dispatch`] and [`dispatch_family`]. Only this macro names a level's
/// features; it generates the attribute of the level's shell, its detection and its documentation.
///
/// A family may have a token that *counts* bits faster, with features that none of its levels
/// implies; they are detected when such a task runs.
///
/// Each group of processors has families of levels with the same vectors that differ only in dot
/// products. A level exists if the condition of its group holds and the program is built with it:
/// `build.rs` sets `nnue_level` to each name in `NNUE_LEVELS`.
macro_rules! levels {
    ($($target:literal where $exists:meta {
        $(family $family:ty, $shared:tt $(counting $counting:ty, [$($count:tt)*] for $($counted:ident)+)? {
            $($(#[doc = $doc:literal])* $level:ident $name:literal $token:ty, [$($feature:tt)*];)*
        })*
    })*) => {
        /// An instruction level.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Level {
            /// Any processor.
            Scalar,
            $($($(
                $(#[doc = $doc])*
                #[doc = concat!("\n\nFor ", $target, ". Needs: ", listed!($shared [$($feature)*]))]
                $level,
            )*)*)*
        }

        impl Level {
            /// All levels, from the simplest to the fastest.
            pub const ALL: &'static [Self] = &[Self::Scalar, $($($(Self::$level),*),*),*];

            /// The name, for options and reports: `scalar`, `sse41`, `avx2`, ...
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Scalar => "scalar",
                    $($($(Self::$level => $name,)*)*)*
                }
            }

            /// Whether this program contains the level: the architecture has it, and `NNUE_LEVELS`,
            /// if set at build time, names it.
            pub const fn is_compiled(self) -> bool {
                match self {
                    Self::Scalar => true,
                    $($($(Self::$level => cfg!(all($exists, nnue_level = $name)),)*)*)*
                }
            }

            /// Whether this program contains the level and this processor has its features.
            pub fn is_available(self) -> bool {
                match self {
                    Self::Scalar => true,
                    $($($(
                        #[cfg(all($exists, nnue_level = $name))]
                        Self::$level => all_detected!($shared [$($feature)*]),
                    )*)*)*
                    #[allow(unreachable_patterns, reason = "all levels may exist")]
                    _ => false,
                }
            }

            pub(crate) fn facts(self) -> Facts {
                match self {
                    $($($(
                        #[cfg(all($exists, nnue_level = $name))]
                        Self::$level => Facts::of::<$token>(),
                    )*)*)*
                    _ => Facts::of::<Scalar>(),
                }
            }

            /// The order of the 8-byte groups of values in a buffer that is made from accumulators
            /// at this level, with `len` values for each accumulator: entry `i` is the in-order
            /// index of the group at position `i` of each `8 * entries` values.
            pub(crate) fn pack_order(self, len: usize) -> &'static [usize] {
                match self {
                    $($($(
                        #[cfg(all($exists, nnue_level = $name))]
                        Self::$level => pack_order::<$token>(len),
                    )*)*)*
                    _ => pack_order::<Scalar>(len),
                }
            }
        }

        /// Runs `task` at `level`.
        #[inline(always)]
        pub fn dispatch<T: Task>(level: AvailableLevel, task: T) -> T::Output {
            match level.level() {
                $($($(
                    #[cfg(all($exists, nnue_level = $name))]
                    Level::$level => enter!($token, $shared [$($feature)*], task),
                )*)*)*
                _ => plain_shell(Scalar, task),
            }
        }

        /// Runs `task` at the first level of the family of `level`: for tasks without dot products,
        /// which are compiled once per family.
        #[inline(always)]
        pub fn dispatch_family<T: Task>(level: AvailableLevel, task: T) -> T::Output {
            match level.level() {
                $($(
                    #[cfg(all($exists, any($(nnue_level = $name),*)))]
                    $(Level::$level)|* => enter!($family, $shared [], task),
                )*)*
                _ => plain_shell(Scalar, task),
            }
        }

        /// [`dispatch_family`] for tasks that count bits: with the features for that, if the
        /// processor has them.
        #[inline(always)]
        pub(crate) fn dispatch_counting<T: Task>(level: AvailableLevel, task: T) -> T::Output {
            match level.level() {
                $($($(
                    #[cfg($exists)]
                    $(Level::$counted)|+ if all_detected!([] [$($count)*]) => {
                        enter!($counting, $shared [$($count)*], task)
                    }
                )?)*)*
                _ => dispatch_family(level, task),
            }
        }
    };
}

levels! {
    "x86-64" where target_arch = "x86_64" {
        family Sse41, ["ssse3" "sse4.1"] {
            /// 128-bit vectors: processors from 2008 on.
            Sse41 "sse41" Sse41, [];
        }
        family Avx2, ["avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2"] {
            /// 256-bit vectors.
            Avx2 "avx2" Avx2, [];
            /// 256-bit vectors and dot products in one instruction.
            AvxVnni "avxvnni" AvxVnni, ["avxvnni"];
        }
        family Avx512,
            ["avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512cd" "avx2" "fma" "popcnt" "lzcnt" "bmi1" "bmi2"]
            counting Avx512Counting, ["avx512vpopcntdq"] for Avx512 Avx512Vnni {
            /// 512-bit vectors.
            Avx512 "avx512" Avx512, [];
            /// 512-bit vectors and dot products in one instruction.
            Avx512Vnni "avx512vnni" Avx512Vnni, ["avx512vnni"];
        }
    }
    "little-endian aarch64" where all(target_arch = "aarch64", target_endian = "little") {
        family Neon, ["neon"] {
            /// 128-bit vectors: every processor of 64 bits.
            Neon "neon" Neon, [];
            /// 128-bit vectors and dot products of signed bytes in one instruction.
            NeonDotprod "neondotprod" NeonDotprod, ["dotprod"];
            /// 128-bit vectors and dot products of unsigned and signed bytes in one instruction.
            NeonI8mm "neoni8mm" NeonI8mm, ["dotprod" "i8mm"];
        }
    }
    "WebAssembly compiled with simd128" where all(target_arch = "wasm32", target_feature = "simd128") {
        family Simd128, ["simd128"] {
            /// 128-bit vectors.
            Simd128 "simd128" Simd128, [];
        }
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
        Self::ALL
            .iter()
            .copied()
            .find(|level| level.name() == name)
            .ok_or_else(|| UnknownLevel(name.into()))
    }
}

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
        assert!(
            error
                .to_string()
                .starts_with("unknown level `mmx`; known: scalar")
        );
    }

    /// The levels in `NNUE_REQUIRE_LEVELS` (comma-separated) must be available, so that tests of a
    /// level do not silently pass on a machine that lacks it.
    #[test]
    fn supports_required_levels() {
        let required = std::env::var("NNUE_REQUIRE_LEVELS").unwrap_or_default();
        for name in required
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let level: Level = name.parse().unwrap();
            level.check().unwrap();
        }
    }
}
