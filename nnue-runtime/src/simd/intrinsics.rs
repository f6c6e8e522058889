//! Macros with which backends call intrinsics.
//!
//! Intrinsics without pointers are unsafe to call only because the processor may lack their
//! feature. All calls use `call!` in methods of tokens, and tokens exist only if the processor has
//! the features, so one safety argument covers them all.

/// Calls an intrinsic in a method that has a token of its level.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! call {
    ($intrinsic:path $(, $argument:expr)*) => {
        // SAFETY: there is a token, and tokens are made (`assume`) only if the processor has the
        // features of their level.
        unsafe { $intrinsic($($argument),*) }
    };
}

/// Calls an intrinsic. An engine that lacks it refuses the whole module, so it is safe to call.
#[cfg(target_arch = "wasm32")]
macro_rules! call {
    ($intrinsic:path $(, $argument:expr)*) => {
        $intrinsic($($argument),*)
    };
}

/// Defines methods that are one intrinsic each.
macro_rules! intrinsics {
    ($($name:ident($($argument:ident: $type:ident),+) -> $out:ident = $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, $($argument: Self::$type),+) -> Self::$out {
            call!($intrinsic, $($argument),+)
        }
    )* };
}

pub(super) use {call, intrinsics};
