//! Documentation and attributes are copied; without documentation a summary is generated (checked by `deny(missing_docs)`).

nnue::nnue! {
    pub struct Undocumented = Chess768[..] -> 32x2 -> 8 -> 1;

    /// Documented by the user.
    #[must_use]
    #[doc(alias = "another name")]
    pub struct Documented {
        acc = accumulate(Chess768[..], 32) x 2;
        output affine(crelu(acc), 1);
    }
}

#[test]
fn both_exist() {
    assert_eq!(
        Undocumented::default_notation(),
        "Chess768[768] -> 32x2 -> 8 -> 1"
    );
    assert_eq!(format!("{Documented:?}"), "Documented");
}

impl Undocumented {
    fn default_notation() -> &'static str {
        <Self as nnue::Model>::SPEC.notation
    }
}
