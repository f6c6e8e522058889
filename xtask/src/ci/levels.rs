//! The levels of this processor, as `Level::name` spells them; no test may skip one. They are read from the
//! kernel's feature list, to find mistakes in the library's own detection.

/// Levels and their required features, from lowest to best.
const LEVELS: [(&str, &[&[&str]]); 6] = [
    ("scalar", &[]),
    ("sse41", &[&["ssse3", "sse4_1"]]),
    ("avx2", &[AVX2]),
    ("avxvnni", &[AVX2, &["avx_vnni"]]),
    ("avx512", &[AVX2, AVX512]),
    ("avx512vnni", &[AVX2, AVX512, &["avx512_vnni"]]),
];

const AVX2: &[&str] = &["avx2", "popcnt", "abm", "bmi1", "bmi2"];
const AVX512: &[&str] = &["avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"];

/// `NNUE_LEVELS` (with scalar) for programs that do not test kernels, which take longest to compile.
pub(super) const FEW: &str = "avx2";

/// The same for aarch64.
pub(super) const FEW_OF_AARCH64: &str = "neon";

pub(super) fn native() -> Vec<&'static str> {
    of(&field("flags"))
}

/// Levels that differ from another in one instruction, and take a tenth of the tests' time to compile: a nightly check
/// has them.
const BETWEEN: &[&str] = &["avxvnni", "avx512"];

/// The levels of this processor that are tested before each change: all but those [between](BETWEEN) two others.
pub(super) fn common() -> Vec<&'static str> {
    without_between(&native())
}

fn without_between(levels: &[&'static str]) -> Vec<&'static str> {
    let best = levels.last();
    let is_common = |level: &&&str| Some(*level) == best || !BETWEEN.contains(level);
    levels.iter().filter(is_common).copied().collect()
}

pub(super) fn best() -> &'static str {
    native().last().copied().unwrap_or("scalar")
}

pub(super) fn processor() -> String {
    field("model name")
}

fn of(flags: &str) -> Vec<&'static str> {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let has = |features: &[&[&str]]| {
        features
            .iter()
            .copied()
            .flatten()
            .all(|feature| flags.contains(feature))
    };
    LEVELS
        .iter()
        .filter(|(_, features)| has(features))
        .map(|(name, _)| *name)
        .collect()
}

/// The first value of this field in `/proc/cpuinfo`.
fn field(name: &str) -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(field, _)| field.trim() == name);
    line.map_or_else(String::new, |(_, value)| value.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_is_always_common() {
        let all = LEVELS.map(|(name, _)| name);
        assert_eq!(
            without_between(&all),
            ["scalar", "sse41", "avx2", "avx512vnni"]
        );
        assert_eq!(
            without_between(&all[..4]),
            ["scalar", "sse41", "avx2", "avxvnni"]
        );
        assert!(without_between(&[]).is_empty());
    }

    #[test]
    fn levels_need_all_of_their_features() {
        assert_eq!(of(""), ["scalar"]);
        assert_eq!(of("ssse3 sse4_1 popcnt"), ["scalar", "sse41"]);
        assert_eq!(
            of("ssse3 sse4_1 avx2 popcnt abm bmi1 bmi2 avx_vnni"),
            ["scalar", "sse41", "avx2", "avxvnni"]
        );
        assert_eq!(
            of("ssse3 sse4_1 avx2 popcnt abm bmi1 bmi2 avx512f"),
            ["scalar", "sse41", "avx2"]
        );
    }
}
