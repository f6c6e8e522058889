//! The levels that the program wants: `NNUE_LEVELS=avx2,avx512vnni cargo build`. Each is a `cfg(nnue_level = "..")`.
//!
//! A build script and not `option_env!`: of packages from a registry, cargo looks at environment variables of build scripts only.

/// Every level but `scalar`, which is always there. The compiler compares them with those in `src/simd/level.rs`: a name that is
/// missing here is an unexpected `cfg` there.
const LEVELS: &[&str] = &[
    "sse41",
    "avx2",
    "avxvnni",
    "avx512",
    "avx512vnni",
    "neon",
    "neondotprod",
    "neoni8mm",
    "simd128",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=NNUE_LEVELS");
    println!("cargo::rustc-check-cfg=cfg(nnue_some_levels)");
    println!(
        "cargo::rustc-check-cfg=cfg(nnue_level, values(\"{}\"))",
        LEVELS.join("\", \"")
    );
    let wanted = std::env::var_os("NNUE_LEVELS").map(|names| names.to_string_lossy().into_owned());
    match wanted
        .as_deref()
        .map(str::trim)
        .filter(|names| !names.is_empty())
    {
        None => usual_levels(),
        Some(names) => {
            println!("cargo::rustc-cfg=nnue_some_levels");
            names.split(',').map(str::trim).for_each(check_and_want);
        }
    }
}

/// Levels that only the feature `all-levels` adds: `docs/building.md` says why.
const RARE: &[&str] = &["sse41", "avx512"];

/// Without `NNUE_LEVELS`.
fn usual_levels() {
    let all = std::env::var_os("CARGO_FEATURE_ALL_LEVELS").is_some();
    if !all {
        println!("cargo::rustc-cfg=nnue_some_levels");
    }
    let is_wanted = |level: &&str| all || !RARE.contains(level);
    LEVELS.iter().copied().filter(is_wanted).for_each(want);
}

fn check_and_want(name: &str) {
    if LEVELS.contains(&name) {
        want(name);
    } else if name != "scalar" {
        let known = LEVELS.join(", ");
        println!(
            "cargo::error=NNUE_LEVELS names an unknown level `{name}`; known: scalar, {known}"
        );
    }
}

fn want(level: &str) {
    println!("cargo::rustc-cfg=nnue_level=\"{level}\"");
}
