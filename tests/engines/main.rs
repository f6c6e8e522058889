//! Engines of 2026 whose arithmetic is written in the declaration: every level, compiled and described, against the reference interpreter
//! with random weights, and against the engines' values where `NNUE_ENGINE_NETS` names the folder of their networks.

mod files;
mod networks;
#[path = "../behaviour/reference.rs"]
mod reference;
#[path = "../behaviour/support.rs"]
#[allow(dead_code, reason = "boards of games are for other tests")]
mod support;
mod vectors;

use networks::{Berserk, Hobbes, Stormphrax};
use reference::agrees_with_the_reference;

#[test]
fn berserk_agrees_with_the_reference() {
    agrees_with_the_reference::<Berserk>();
}

#[test]
fn berserk_has_the_values_of_the_engine() {
    vectors::agree::<Berserk>("berserk", files::turned_berserk);
}

#[test]
fn hobbes_agrees_with_the_reference() {
    agrees_with_the_reference::<Hobbes>();
}

#[test]
fn stormphrax_agrees_with_the_reference() {
    agrees_with_the_reference::<Stormphrax>();
}

#[test]
fn hobbes_has_the_values_of_the_engine() {
    vectors::agree::<Hobbes>("hobbes", |bytes| bytes);
}

#[test]
fn stormphrax_has_the_values_of_the_engine() {
    vectors::agree::<Stormphrax>("stormphrax", files::unpacked_stormphrax);
}
