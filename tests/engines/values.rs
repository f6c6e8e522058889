//! The declarations have the values of the engines, after their files are brought into the order of the axes.

use crate::files::{self, Layer, Number, Stack};
use crate::networks::{
    Berserk, Caissa, Hobbes, Obsidian, PlentyChess, Reckless, Stormphrax, Viridithas,
};
use crate::vectors::agree;

/// The accumulators of all networks but Berserk's.
const WIDTH: usize = 64;
const STACKS: usize = 8;

#[test]
fn berserk_has_the_values_of_the_engine() {
    agree::<Berserk>("berserk", |bytes| files::turned(bytes, 16 * 12, 2 * 96));
}

#[test]
fn caissa_has_the_values_of_the_engine() {
    let stack = Stack {
        weights: 2 * 2 * WIDTH,
        bias: 4,
        padding: 60,
    };
    agree::<Caissa>("caissa", |bytes| {
        files::stacks_apart(&bytes, STACKS, &stack)
    });
}

#[test]
fn hobbes_has_the_values_of_the_engine() {
    agree::<Hobbes>("hobbes", |bytes| bytes);
}

#[test]
fn obsidian_has_the_values_of_the_engine() {
    agree::<Obsidian>("obsidian", |bytes| bytes);
}

#[test]
fn plentychess_has_the_values_of_the_engine() {
    let tensors = [
        (Number::I16, 12 * 768 * WIDTH),
        (Number::I8, (4560 + 59808) * WIDTH),
        (Number::I16, WIDTH),
        (Number::I8, WIDTH * STACKS * 16),
        (Number::F32, STACKS * (16 + 32 * 32 + 32 + 64 + 1)),
    ];
    agree::<PlentyChess>("plentychess", |bytes| files::from_leb128(&bytes, &tensors));
}

#[test]
fn reckless_has_the_values_of_the_engine() {
    let layer = Layer {
        start: (66864 + 2 * 10 * 768 + 2) * WIDTH,
        stacks: STACKS,
        inputs: WIDTH,
        outputs: 16,
    };
    agree::<Reckless>("reckless", |bytes| files::unpacked(bytes, &layer));
}

#[test]
fn stormphrax_has_the_values_of_the_engine() {
    let layer = Layer {
        start: 64 + (2 * 16 * 704 + 4560 + 59808 + 2) * WIDTH,
        stacks: STACKS,
        inputs: WIDTH,
        outputs: 32,
    };
    agree::<Stormphrax>("stormphrax", |bytes| files::unpacked(bytes, &layer));
}

#[test]
fn viridithas_has_the_values_of_the_engine() {
    agree::<Viridithas>("viridithas", |bytes| bytes);
}
