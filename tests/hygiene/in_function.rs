//! Declarations inside functions, twice under one name.

#[test]
fn one() {
    nnue::nnue! { struct Local = Chess768[..] -> 32x2 -> 1; }
    assert_eq!(
        super::zero::<Local>().level(),
        super::zero::<Local>().level()
    );
    let _: Option<LocalNetwork> = None;
}

#[test]
fn another() {
    nnue::nnue! { struct Local = Chess768[..] -> 64x2 -> 8 -> 1; }
    assert_eq!(super::zero::<Local>().params().fc1.bias.len(), 1);
}
