//! Names that the expansion uses itself, and words of Rust.

use nnue::Model;

nnue::nnue! {
    pub struct Network = Chess768[..] -> 32x2 -> 1;
    pub struct Layer = Chess768[..] -> 32x2 -> 1;
    pub struct Architecture2 = Chess768[..] -> 32x2 -> 1;
    pub struct r#Raw = Chess768[..] -> 32x2 -> 1;

    pub struct Locals {
        us = accumulate(Chess768[..], 32) x 2;
        let simd = crelu(us);
        let params = affine(simd, 8);
        let them = crelu(params);
        let stack = affine(them, 8);
        let r#fn = sqr_crelu(stack);
        let type = affine(concat(r#fn, them), 8);
        output affine(crelu(type), 1) + stack[3] * 2;
    }
}

#[test]
fn they_do_not_collide() {
    assert_eq!(Network::SPEC.name, "Network");
    assert_eq!(Layer::SPEC.name, "Layer");
    assert_eq!(Architecture2::SPEC.name, "Architecture2");
    assert_eq!(Raw::SPEC.name, "Raw");
    let buffers: Vec<_> = Locals::SPEC
        .buffers
        .iter()
        .map(|buffer| buffer.name)
        .collect();
    assert_eq!(buffers, ["simd", "them", "fn", "fc2_crelu"]);
    let _ = super::zero::<Locals>();
}
