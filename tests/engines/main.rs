//! Engines of 2026, declared: every level, compiled and described, against the reference interpreter with random weights, and against the
//! engines' values where `NNUE_ENGINE_NETS` names the folder of their networks.

#[expect(
    unreachable_pub,
    reason = "declarations that the command knows are public, and so are their sets"
)]
mod crazyhouse;
#[expect(
    unreachable_pub,
    reason = "declarations that the command knows are public, and so are their sets"
)]
mod halogen;
#[expect(
    unreachable_pub,
    reason = "declarations that the command knows are public, and so are their sets"
)]
mod listed;
mod networks;
#[path = "../behaviour/reference.rs"]
mod reference;
#[path = "../behaviour/support.rs"]
#[allow(dead_code, reason = "boards of games are for other tests")]
mod support;
mod values;
mod vectors;

use networks::{Berserk, Caissa, Hobbes, Obsidian, PlentyChess, Reckless, Stormphrax, Viridithas};
use reference::agrees_with_the_reference;

#[test]
fn berserk_agrees_with_the_reference() {
    agrees_with_the_reference::<Berserk>();
}

#[test]
fn caissa_agrees_with_the_reference() {
    agrees_with_the_reference::<Caissa>();
}

#[test]
fn hobbes_agrees_with_the_reference() {
    agrees_with_the_reference::<Hobbes>();
}

#[test]
fn obsidian_agrees_with_the_reference() {
    agrees_with_the_reference::<Obsidian>();
}

#[test]
fn plentychess_agrees_with_the_reference() {
    agrees_with_the_reference::<PlentyChess>();
}

#[test]
fn reckless_agrees_with_the_reference() {
    agrees_with_the_reference::<Reckless>();
}

#[test]
fn stormphrax_agrees_with_the_reference() {
    agrees_with_the_reference::<Stormphrax>();
}

#[test]
fn viridithas_agrees_with_the_reference() {
    agrees_with_the_reference::<Viridithas>();
}
