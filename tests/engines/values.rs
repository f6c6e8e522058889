//! The declarations read the files of the engines and have their values.

use crate::networks::{
    Berserk, Caissa, Hobbes, Obsidian, PlentyChess, Reckless, Stormphrax, Viridithas,
};
use crate::vectors::agree;

#[test]
fn berserk_has_the_values_of_the_engine() {
    agree::<Berserk>("berserk");
}

#[test]
fn caissa_has_the_values_of_the_engine() {
    agree::<Caissa>("caissa");
}

#[test]
fn hobbes_has_the_values_of_the_engine() {
    agree::<Hobbes>("hobbes");
}

#[test]
fn obsidian_has_the_values_of_the_engine() {
    agree::<Obsidian>("obsidian");
}

#[test]
fn plentychess_has_the_values_of_the_engine() {
    agree::<PlentyChess>("plentychess");
}

#[test]
fn reckless_has_the_values_of_the_engine() {
    agree::<Reckless>("reckless");
}

#[test]
fn stormphrax_has_the_values_of_the_engine() {
    agree::<Stormphrax>("stormphrax");
}

#[test]
fn viridithas_has_the_values_of_the_engine() {
    agree::<Viridithas>("viridithas");
}
