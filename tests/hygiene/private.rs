//! All items have the visibility that is written.

mod inner {
    nnue::nnue! {
        pub(super) struct ForParent = Chess768[..] -> 32x2 -> 1;
        struct Hidden = Chess768[..] -> 32x2 -> 1;
    }

    pub(super) fn hidden() -> &'static str {
        let _: Option<HiddenParams> = None;
        let _: Option<HiddenAccumulator> = None;
        <Hidden as nnue::Model>::SPEC.name
    }
}

#[test]
fn the_parent_sees_what_it_should() {
    let _: Option<(
        inner::ForParentParams,
        inner::ForParentNetwork,
        inner::ForParentAccumulator,
    )> = None;
    assert_eq!(inner::hidden(), "Hidden");
}
