//! `#[cfg(..)]` on a declaration reaches everything it expands to, and `#[deprecated]` makes the expansion warn of nothing.

nnue::nnue! {
    /// Exists nowhere, with errors and all.
    #[cfg(any())]
    pub struct Chosen = Chess768[..] -> 32x2 -> 8 -> 1 { weights "no/such/file.nnue"; };

    /// Exists everywhere.
    #[cfg(all())]
    pub struct Chosen = Chess768[..] -> 64x2 -> 8 -> 1;

    /// The network of an earlier release.
    #[deprecated = "use `Chosen`"]
    pub struct Earlier = Chess768[mirrored] -> 32x2 -> (8 -> 1)x8;
}

#[test]
fn the_declaration_whose_condition_holds_is_compiled() {
    let notation = <Chosen as nnue::Model>::SPEC.notation;
    assert_eq!(notation, "Chess768[768] -> 64x2 -> 8 -> 1");
    let network: ChosenNetwork = super::zero();
    let _: &ChosenParams = network.params();
}
