//! What the machine code of each kernel must contain.

/// A kernel, by what the name of its task contains, and the instruction that does its work.
pub(super) struct Rule {
    pub(super) task: &'static str,
    pub(super) work: Work,
}

/// The instruction that a kernel spends its time on.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// the u8 x i8 dot product of the level
    Dot,
    /// an instruction that every level has: its name without the `v` of the wider levels
    Each(&'static str),
}

pub(super) const RULES: &[Rule] = &[
    // The rows have a shell of their own, whoever adds them.
    Rule { task: "rows::AddRows", work: Work::Each("paddw") },
    Rule { task: "specimens::ActivateCrelu", work: Work::Each("packuswb") },
    Rule { task: "specimens::ActivatePairwise", work: Work::Each("pmullw") },
    Rule { task: "specimens::AffineSparse", work: Work::Dot },
    Rule { task: "specimens::AffineDense", work: Work::Dot },
    Rule { task: "specimens::Row", work: Work::Dot },
    Rule { task: "specimens::Crelu", work: Work::Each("psrad") },
    Rule { task: "specimens::SqrCrelu", work: Work::Each("pmulld") },
];

/// A level: how its token is called in the names of shells, its registers, its dot product.
pub(super) struct LevelRule {
    pub(super) name: &'static str,
    pub(super) token: &'static str,
    pub(super) registers: &'static str,
    prefix: &'static str,
    dot: &'static str,
}

pub(super) const LEVELS: &[LevelRule] = &[
    LevelRule { name: "sse41", token: "::Sse41, ", registers: "%xmm", prefix: "", dot: "pmaddubsw" },
    LevelRule { name: "avx2", token: "::Avx2, ", registers: "%ymm", prefix: "v", dot: "vpmaddubsw" },
    LevelRule { name: "avxvnni", token: "avx2::Vnni>, ", registers: "%ymm", prefix: "v", dot: "vpdpbusd" },
    LevelRule { name: "avx512", token: "::Avx512, ", registers: "%zmm", prefix: "v", dot: "vpmaddubsw" },
    LevelRule { name: "avx512vnni", token: "avx512::Vnni>, ", registers: "%zmm", prefix: "v", dot: "vpdpbusd" },
];

impl LevelRule {
    /// The mnemonic that does `work` at this level.
    pub(super) fn mnemonic(&self, work: Work) -> String {
        match work {
            Work::Dot => self.dot.into(),
            Work::Each(name) => format!("{}{name}", self.prefix),
        }
    }
}
