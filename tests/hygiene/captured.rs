//! Functions and types of the user's with names that `forward` binds: they are called, and not shadowed.

use nnue::{Color, Position};

fn simd(a: i16) -> u8 {
    u8::try_from(a.clamp(0, 50)).unwrap_or(0)
}

fn params(y: i32) -> u8 {
    u8::try_from((y >> 6).clamp(0, 60)).unwrap_or(0)
}

fn us(y: i32) -> u8 {
    u8::try_from((y >> 7).clamp(0, 70)).unwrap_or(0)
}

fn fc1(y: i32) -> u8 {
    u8::try_from((y >> 5).clamp(0, 80)).unwrap_or(0)
}

fn stack(y: i32) -> u8 {
    u8::try_from((y >> 6).clamp(0, 90)).unwrap_or(0)
}

fn position(position: &impl Position) -> usize {
    (position.side_to_move() == Color::Black).into()
}

nnue::nnue! {
    pub(crate) struct Captured {
        acc = accumulate(Chess768[..], 32) x 2;
        stacks 2 by position {
            let h1 = affine(simd(acc) max 50, 8);
            let h2 = affine(concat(params(h1) max 60, us(h1) max 70), 8);
            output affine(concat(fc1(h2) max 80, stack(h2) max 90), 1);
        }
    }
}

struct S;

impl S {
    fn step(a: i16) -> u8 {
        u8::try_from(a.clamp(0, 50)).unwrap_or(0)
    }
}

struct P;

impl P {
    fn side(position: &impl Position) -> usize {
        (position.side_to_move() == Color::Black).into()
    }
}

nnue::nnue! {
    pub(crate) struct OfTypes {
        acc = accumulate(Chess768[..], 32) x 2;
        stacks 2 by P::side {
            output affine(S::step(acc) max 50, 1);
        }
    }
}

#[test]
fn they_are_called() {
    assert_eq!(super::zero::<Captured>().description(), b"");
    assert_eq!(super::zero::<OfTypes>().description(), b"");
}
