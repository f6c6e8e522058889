//! SFNNv10 to v16 and the small network of scale 255: declared, planned, read, written, recognised and evaluated by the
//! reference, against files that another writer made and numbers that released engines printed.

mod evaluation;
mod files;

use nnue_codegen::plan_text;
use nnue_spec::check::Limits;
use nnue_spec::plan::Plan;

/// The declarations.
const NETWORKS: &str = include_str!("declarations.txt");

/// File variants, and the names of their declarations.
const FILES: [(&str, &str); 11] = [
    ("v10", "Sfnnv10"),
    ("v10i8", "Sfnnv10"),
    ("v11", "Sfnnv11"),
    ("v12", "Sfnnv12"),
    ("v13", "Sfnnv13"),
    ("v13h", "Sfnnv13"),
    ("v14", "Sfnnv14"),
    ("v14.1", "Sfnnv14_1"),
    ("v15", "Sfnnv15"),
    ("v16", "Sfnnv16"),
    ("v14s", "SfnnSmall255"),
];

fn plans() -> Vec<Plan> {
    plan_text(NETWORKS, Limits::DESCRIPTOR).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn plan(name: &str) -> Plan {
    plans().into_iter().find(|plan| plan.name == name).unwrap_or_else(|| panic!("`{name}` is not declared"))
}

#[test]
fn hashes_are_the_published_ones() {
    let published = [
        ("Sfnnv10", 0x8F23_44B8, 0xEC10_2EF2),
        ("Sfnnv12", 0x8F23_44B8, 0xEC10_2EF2),
        ("Sfnnv13", 0x6165_DDC9, 0x0256_ACDF),
        ("Sfnnv14", 0x6165_DDC9, 0x0256_ACDF),
        ("Sfnnv14_1", 0x6165_DDC9, 0x0256_ACDF),
        ("Sfnnv15", 0x6165_DDC9, 0x0256_ACDF),
        ("Sfnnv16", 0xCB68_5313, 0xA85B_2205),
        ("SfnnSmall255", 0x7F23_4DB8, 0x1C10_3C92),
    ];
    for (name, transformer, network) in published {
        let container = plan(name).container;
        assert_eq!((container.transformer_hash, container.network_hash()), (transformer, network), "{name}");
    }
}

#[test]
fn declarations_are_short() {
    for declaration in NETWORKS.split("///").skip(1) {
        assert!(declaration.lines().count() - 1 <= 15, "{declaration}");
    }
}

#[test]
fn tensors_stand_in_file_order() {
    let names = |name| -> Vec<String> {
        plan(name)
            .tensors
            .iter()
            .filter(|tensor| !tensor.role.is_of_layer())
            .map(|tensor| tensor.name.clone())
            .collect()
    };
    assert_eq!(names("Sfnnv12"), ["ft_bias", "ft1_weight", "ft_weight", "ft1_psqt", "ft_psqt"]);
    assert_eq!(names("Sfnnv15"), ["ft_bias", "ft1_weight", "ft1_psqt", "ft_weight", "ft_psqt"]);
    assert_eq!(
        names("Sfnnv16"),
        ["ft_bias", "ft1_weight", "ft1_psqt", "ft2_weight", "ft2_psqt", "ft_weight", "ft_psqt"]
    );
}

#[test]
fn what_the_runtime_cannot_do_yet_is_one_error_for_each_declaration() {
    let errors = plan_text(NETWORKS, Limits::RUNTIME).expect_err("sums of feature sets have no kernels");
    assert_eq!(errors.len(), 8);
    assert!(errors.iter().all(|error| error.slug == "several-feature-sets"), "{errors:?}");
}

#[test]
fn sets_of_threats_are_named_by_their_rows() {
    let error = |features: &str| {
        let source = format!("struct N = {features} -> 64x2 -> 1;");
        plan_text(&source, Limits::DESCRIPTOR).expect_err("there is no such set").remove(0)
    };
    assert_eq!(error("FullThreats[79857]").slug, "wrong-rows");
    assert_eq!(error("FullThreats[..]").slug, "wrong-rows");
    assert_eq!(error("FullThreat[79856]").slug, "unknown-feature-set");
    for features in ["FullThreats[79856]", "PawnPairs[..]"] {
        let source = format!("struct N = {features} -> 64x2 -> 1;");
        plan_text(&source, Limits::DESCRIPTOR).expect("a set of pairs alone is a network");
        let errors = plan_text(&source, Limits::RUNTIME).expect_err("it has no kernels");
        assert_eq!(errors.iter().map(|error| error.slug).collect::<Vec<_>>(), ["unknown-feature-set"]);
    }
}
