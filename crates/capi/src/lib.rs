//! Declared networks as a C library.
//!
//! A crate of your own declares the networks and exports them; `cargo build --release` makes a shared and a static library of it, which C
//! and C++ programs use by the header `include/nnue.h` of this crate:
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib", "staticlib"]
//!
//! [dependencies]
//! nnue = { git = "https://github.com/nnue-rs/nnue" }
//! nnue-capi = { git = "https://github.com/nnue-rs/nnue" }
//! ```
//!
//! ```
//! nnue::nnue! {
//!     pub struct Main = HalfKAv2_hm[..] -> 256x2 -> 16 -> 32 -> 1;
//! }
//! nnue_capi::export! { Main }
//! # fn main() {}
//! ```
//!
//! ```c
//! nnue_network *network;
//! if (nnue_network_open("Main", "main.nnue", NULL, &network) != NNUE_STATUS_OK)
//!     fprintf(stderr, "%s\n", nnue_error_message());
//! ```
//!
//! `docs/c.md` is the guide, `crates/capi/examples` an engine in C. Networks of chess are exported; those of other games read boards of the program,
//! which C has no name for. With the feature `described`, C opens any other network of chess by a declaration, by its name, or as its file says,
//! without an export; with `rows`, networks over lists of rows.
//!
//! Every function returns a [`Status`], and none panics into C: a panic becomes [`Status::Panic`]. All `unsafe` code of the crate is in the
//! module that C calls: pointers become references there, once they were compared with null.
#![deny(unsafe_code)]

mod c;
mod declared;
#[cfg(feature = "described")]
mod described;
mod executor;
mod failure;
mod network;
#[cfg(feature = "rows")]
mod rows;
#[cfg(feature = "search")]
mod search;

pub use c::*;
pub use declared::Declared;
pub use failure::Status;

/// Exports networks of chess as a C library: their types, and after `; embedded` those that the program contains
/// (`weights "file"` in the declaration).
///
/// C finds a network by the name of its type. A library has one `export!`.
///
/// ```
/// # nnue::nnue! { pub struct Small = Chess768[..] -> 32x2 -> 1; }
/// nnue_capi::export! { Small, nnue::stockfish::Sfnnv9 }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export {
    ($($network:path),* $(,)? $(; embedded $($own:path),+ $(,)?)?) => {
        const _: () = {
            static DECLARED: &[$crate::Declared] = &[
                $($crate::Declared::of::<$network>(),)*
                $($($crate::Declared::embedded::<$own>(),)+)?
            ];

            #[unsafe(no_mangle)]
            fn nnue_capi_declared() -> &'static [$crate::Declared] {
                DECLARED
            }
        };
    };
}
