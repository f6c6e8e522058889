//! The crate `nnue` under another path.

mod engine {
    pub(crate) mod deps {
        pub(crate) use ::nnue as networks;
    }
}

/// Not the crate.
#[allow(dead_code)]
mod nnue {}

engine::deps::networks::nnue! {
    #[nnue(crate = crate::reexported::engine::deps::networks)]
    struct Elsewhere = Chess768[..] -> 32x2 -> 1;
}

#[test]
fn it_is_found() {
    assert_eq!(super::zero::<Elsewhere>().description(), b"");
}
