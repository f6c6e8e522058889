//! Rules for the machine code of each kernel.

/// A kernel, found by a part of its task's name, and its main operation.
pub(super) struct Rule {
    pub(super) task: &'static str,
    pub(super) work: Work,
    pub(super) levels: Levels,
}

/// The levels with a shell of a kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    Each,
    /// the first level of each family, whose shell the whole family uses
    Families,
    Only(&'static str),
}

/// The main operation of a kernel.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// u8 x i8 dot products
    Dot,
    /// sums of i16
    Add,
    /// sums of u8
    AddBytes,
    /// table lookups of bytes, sixteen entries
    LookUp,
    /// i16 packed to u8
    Narrow,
    /// low halves of products of i16
    Multiply,
    /// high halves of products of i16
    MultiplyHigh,
    /// i32 shifted right
    Shift,
    /// products of i32
    MultiplyWide,
}

pub(super) const RULES: &[Rule] = &[
    // in the library: compiled once for all networks
    Rule {
        task: "rows::Pass",
        work: Work::Add,
        levels: Levels::Families,
    },
    Rule {
        task: "rows::Derive",
        work: Work::Add,
        levels: Levels::Families,
    },
    Rule {
        task: "rows::Streams",
        work: Work::Add,
        levels: Levels::Families,
    },
    Rule {
        task: "binary::Count",
        work: Work::AddBytes,
        levels: Levels::Families,
    },
    Rule {
        task: "binary::LookUp",
        work: Work::LookUp,
        levels: Levels::Only("avx2"),
    },
    // in the specimens: compiled per network
    Rule {
        task: "specimens::ActivateCrelu",
        work: Work::Narrow,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::ActivatePairwise127",
        work: Work::Multiply,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::ActivatePairwise255",
        work: Work::MultiplyHigh,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::ActivateSqrCrelu",
        work: Work::Multiply,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::AffineSparse",
        work: Work::Dot,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::AffineWhole",
        work: Work::Dot,
        levels: Levels::Only("avx512vnni"),
    },
    Rule {
        task: "specimens::AffineDense",
        work: Work::Dot,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::Row",
        work: Work::Dot,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::OnDemand",
        work: Work::Dot,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::Crelu",
        work: Work::Shift,
        levels: Levels::Each,
    },
    Rule {
        task: "specimens::SqrCrelu",
        work: Work::MultiplyWide,
        levels: Levels::Each,
    },
];

/// A level: its token in names of shells, its registers, its dot product.
pub(super) struct LevelRule {
    pub(super) name: &'static str,
    pub(super) token: &'static str,
    pub(super) heads_family: bool,
    names: Names,
    dot: &'static str,
}

/// Naming of instructions and registers.
#[derive(Clone, Copy)]
enum Names {
    /// x86: prefix of the mnemonics, name of the registers
    X86(&'static str, &'static str),
    /// NEON, where registers name their lanes; the register of the dot product's operands
    Neon(&'static str),
    /// WebAssembly, where instructions name their lanes
    Wasm,
}

pub(super) const X86: &[LevelRule] = &[
    LevelRule {
        name: "sse41",
        token: "::Sse41, ",
        heads_family: true,
        names: Names::X86("", "%xmm"),
        dot: "pmaddubsw",
    },
    LevelRule {
        name: "avx2",
        token: "::Avx2, ",
        heads_family: true,
        names: Names::X86("v", "%ymm"),
        dot: "vpmaddubsw",
    },
    LevelRule {
        name: "avxvnni",
        token: "avx2::Vnni>, ",
        heads_family: false,
        names: Names::X86("v", "%ymm"),
        dot: "vpdpbusd",
    },
    LevelRule {
        name: "avx512",
        token: "::Avx512, ",
        heads_family: true,
        names: Names::X86("v", "%zmm"),
        dot: "vpmaddubsw",
    },
    LevelRule {
        name: "avx512vnni",
        token: "avx512::Vnni>, ",
        heads_family: false,
        names: Names::X86("v", "%zmm"),
        dot: "vpdpbusd",
    },
];

pub(super) const AARCH64: &[LevelRule] = &[
    LevelRule {
        name: "neon",
        token: "aarch64::Neon, ",
        heads_family: true,
        names: Names::Neon(".8b"),
        dot: "smull",
    },
    LevelRule {
        name: "neondotprod",
        token: "aarch64::Sdot>, ",
        heads_family: false,
        names: Names::Neon(".16b"),
        dot: "sdot",
    },
    LevelRule {
        name: "neoni8mm",
        token: "aarch64::Usdot>, ",
        heads_family: false,
        names: Names::Neon(".16b"),
        dot: "usdot",
    },
];

pub(super) const WASM: &[LevelRule] = &[LevelRule {
    name: "simd128",
    token: "::Simd128, ",
    heads_family: true,
    names: Names::Wasm,
    dot: "i32x4.dot_i16x8_s",
}];

impl Rule {
    pub(super) fn has_shell(&self, level: &LevelRule) -> bool {
        match self.levels {
            Levels::Each => true,
            Levels::Families => level.heads_family,
            Levels::Only(name) => level.name == name,
        }
    }
}

impl LevelRule {
    /// The mnemonic that does `work` at this level, and a part of its operands.
    pub(super) fn instruction(&self, work: Work) -> (String, &'static str) {
        match self.names {
            Names::X86(prefix, registers) => {
                let name = match work {
                    Work::Dot => return (self.dot.into(), registers),
                    Work::Add => "paddw",
                    Work::AddBytes => "paddb",
                    Work::LookUp => "pshufb",
                    Work::Narrow => "packuswb",
                    Work::Multiply => "pmullw",
                    Work::MultiplyHigh => "pmulhw",
                    Work::Shift => "psrad",
                    Work::MultiplyWide => "pmulld",
                };
                (format!("{prefix}{name}"), registers)
            }
            Names::Neon(dot_lanes) => {
                let (name, lanes) = match work {
                    Work::Dot => (self.dot, dot_lanes),
                    Work::Add => ("add", ".8h"),
                    Work::AddBytes => ("add", ".16b"),
                    Work::LookUp => ("tbl", ".16b"),
                    Work::Narrow => ("sqxtun2", ".16b"),
                    Work::Multiply => ("mul", ".8h"),
                    Work::MultiplyHigh => ("sqdmulh", ".8h"),
                    Work::Shift => ("sqshrn2", ".4s"),
                    Work::MultiplyWide => ("mul", ".4s"),
                };
                (name.into(), lanes)
            }
            Names::Wasm => {
                let name = match work {
                    Work::Dot => self.dot,
                    Work::Add => "i16x8.add",
                    Work::AddBytes => "i8x16.add",
                    Work::LookUp => "i8x16.swizzle",
                    Work::Narrow => "i8x16.narrow_i16x8_u",
                    Work::Multiply | Work::MultiplyHigh => "i16x8.mul", // no instruction for the high half
                    Work::Shift => "i32x4.shr_s",
                    Work::MultiplyWide => "i32x4.mul",
                };
                (name.into(), "")
            }
        }
    }
}
