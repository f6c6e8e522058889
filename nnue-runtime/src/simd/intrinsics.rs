//! How backends call intrinsics.
//!
//! Intrinsics without pointers are unsafe to call only because the processor may lack their feature. All calls go through
//! `call!` in methods of tokens, and tokens exist only where the features do, so the argument is made once.

/// One intrinsic, called in a method that has a token of its level.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! call {
    ($intrinsic:path $(, $argument:expr)*) => {
        // SAFETY: a token is at hand, and tokens are made (`assume`) only where the processor has their level's features.
        unsafe { $intrinsic($($argument),*) }
    };
}

/// One intrinsic. An engine that lacks it refuses the whole module, so it is safe to call.
#[cfg(target_arch = "wasm32")]
macro_rules! call {
    ($intrinsic:path $(, $argument:expr)*) => {
        $intrinsic($($argument),*)
    };
}

/// Methods that are one intrinsic.
macro_rules! intrinsics {
    ($($name:ident($($argument:ident: $type:ident),+) -> $out:ident = $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, $($argument: Self::$type),+) -> Self::$out {
            call!($intrinsic, $($argument),+)
        }
    )* };
}

pub(super) use {call, intrinsics};
