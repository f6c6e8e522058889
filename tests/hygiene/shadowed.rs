//! Names of the prelude and of `core` that are defined differently here.
#![allow(dead_code, unused_macros)]

mod core {}
mod std {}
mod alloc {}
struct Option;
struct Some;
struct None;
struct Result;
struct Ok;
struct Err;
struct Vec;
struct String;
struct Box;
struct Clone;
struct Copy;
struct Debug;
struct Default;
struct Sized;
struct Send;
struct Sync;
struct From;
struct Into;
struct Simd;
struct Level;

macro_rules! vec {
    ($($token:tt)*) => {
        compile_error!("the wrong macro")
    };
}
macro_rules! assert {
    ($($token:tt)*) => {
        compile_error!("the wrong macro")
    };
}

nnue::nnue! {
    struct Shadowed {
        acc = accumulate(HalfKAv2_hm[..], 64) x 2, psqt 4;
        let x = pairwise(acc);
        stacks 4 by (piece_count - 1) / 8 {
            let h = affine(x, 16);
            output affine(concat(sqr_crelu(h[..15]), crelu(h[..15])), 1) + h[15] * 9600 / 8128;
        }
    }
}

nnue::nnue! {
    struct Written {
        acc = accumulate(Chess768[..], 32) x 2;
        let h = affine(crelu(acc), 8);
        output affine(concat(clamp(h >> 6, 0, 64) << 2, crelu(h)), 1: i32);
        format raw
    }
}

#[test]
fn it_compiles() {
    let _ = super::zero::<Written>();
    let _ = vec_of_names();
    assert_eq!(super::zero::<Shadowed>().description(), b"");
}

fn vec_of_names() -> [&'static str; 1] {
    [<Shadowed as ::nnue::Model>::SPEC.name]
}
