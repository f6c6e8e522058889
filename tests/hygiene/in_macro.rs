//! Declarations whose parts come from a `macro_rules!`.

macro_rules! network {
    ($name:ident, $set:ident, $width:literal, $hidden:literal) => {
        nnue::nnue! { struct $name = $set[..] -> $width x 2 -> $hidden -> 1; }
    };
}

network!(Small, Chess768, 32, 8);
network!(Big, HalfKP, 256, 32);

#[test]
fn they_are_what_was_asked_for() {
    use nnue::Model;
    assert_eq!(Small::SPEC.notation, "Chess768[768] -> 32x2 -> 8 -> 1");
    assert_eq!(Big::SPEC.notation, "HalfKP[41024] -> 256x2 -> 32 -> 1");
}
