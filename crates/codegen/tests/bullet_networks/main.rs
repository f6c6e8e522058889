//! Networks of public engines that were trained with `bullet`: declared, planned, read, written and evaluated by the reference,
//! against what those engines print.

mod evaluation;
mod faults;
mod files;
mod parts;
mod search;
mod sections;
mod separate;

use nnue_codegen::plan_text;
use nnue_spec::plan::Plan;

/// The declarations; each follows a line with the name of its file.
const NETWORKS: &str = include_str!("../../../../tests/behaviour/bullet_networks.rs");

/// Those with layers of floats.
const FLOATS: &str = include_str!("../../../../tests/floats/network.rs");

/// The plans, with the names of their files.
fn plans() -> Vec<(&'static str, Plan)> {
    [NETWORKS, FLOATS].into_iter().flat_map(plans_of).collect()
}

fn plans_of(declarations: &'static str) -> Vec<(&'static str, Plan)> {
    let plans = plan_text(declarations).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let files: Vec<&str> = declarations
        .lines()
        .filter_map(|line| line.trim().strip_prefix("/// "))
        .collect();
    assert_eq!(files.len(), plans.len(), "every declaration names its file");
    files.into_iter().zip(plans).collect()
}

fn plan(name: &str) -> Plan {
    let named = plans().into_iter().find(|(_, plan)| plan.name == name);
    named
        .unwrap_or_else(|| panic!("`{name}` is not declared"))
        .1
}

/// The name of the file in the folder of networks.
fn file_name(name: &str) -> String {
    format!("{name}.bin")
}

#[test]
fn declarations_are_short() {
    for declaration in [NETWORKS, FLOATS]
        .iter()
        .flat_map(|declarations| declarations.split("/// ").skip(1))
    {
        assert!(
            declaration.trim_end().lines().count() - 1 <= 12,
            "{declaration}"
        );
    }
}

#[test]
fn chains_read_as_engines_write_them() {
    let notation = |name| plan(name).notation;
    assert_eq!(
        notation("Akimbo512"),
        "Chess768[768] -> 512x2 @ 255 -> (1: i16)x8 by (piece_count - 2) / 4"
    );
    assert_eq!(
        notation("Calvin768"),
        "768hm[768] -> 768x2 @ 255 screlu -> 1: i16"
    );
    assert_eq!(
        notation("Obsidian"),
        "768x4hm[3072] -> 512x2 @ 255 screlu -> (1: i16)x8 by (piece_count - 2) / 4"
    );
}
