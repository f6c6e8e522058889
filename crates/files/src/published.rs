//! Published generations of networks, by the version and the hash of their files, for error messages.

/// A published generation of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// first word of its files
    pub version: u32,
    /// hash of the network
    pub network_hash: u32,
    /// its name, or the names of generations that look alike
    pub name: &'static str,
    /// the name of its declaration in this project
    pub declared: &'static str,
}

const fn generation(
    version: u32,
    hash: u32,
    name: &'static str,
    declared: &'static str,
) -> Generation {
    Generation {
        version,
        network_hash: hash,
        name,
        declared,
    }
}

const PUBLISHED: &[Generation] = &[
    generation(
        0x7AF3_2F16,
        0x3E5A_A6EE,
        "SFNNv1",
        "`nnue::stockfish::Sfnnv1`",
    ),
    generation(
        0x7AF3_2F20,
        0x3C10_3E72,
        "SFNNv2",
        "`nnue::stockfish::Sfnnv2`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_2EEC,
        "SFNNv3",
        "`nnue::stockfish::Sfnnv3`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_2EF2,
        "SFNNv4 or SFNNv5",
        "`nnue::stockfish::Sfnnv5` (or `Sfnnv4`)",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_2B72,
        "SFNNv6",
        "`nnue::stockfish::Sfnnv6`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_37F2,
        "SFNNv7",
        "`nnue::stockfish::Sfnnv7`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_3072,
        "SFNNv8",
        "`nnue::stockfish::Sfnnv8`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_20F2,
        "SFNNv9",
        "`nnue::stockfish::Sfnnv9`",
    ),
    generation(
        0x7AF3_2F20,
        0x1C10_3C92,
        "the small network",
        "`nnue::stockfish::SfnnSmall` (or `SfnnSmall255`)",
    ),
    generation(
        0x7AF3_2F20,
        0xEC10_2EF2,
        "SFNNv10, v11 or v12",
        "`nnue::stockfish::Sfnnv10` (or `Sfnnv11`, `Sfnnv12`)",
    ),
    generation(
        0x7AF3_2F20,
        0xEC10_35AE,
        "SFNNv13",
        "`nnue::stockfish::Sfnnv13`",
    ),
    generation(
        0x7AF3_2F20,
        0x0256_ACDF,
        "SFNNv13 or v14",
        "`nnue::stockfish::Sfnnv14` (or `Sfnnv13`)",
    ),
    generation(
        0x6A44_8AFA,
        0x0256_ACDF,
        "SFNNv14.1 or v15",
        "`nnue::stockfish::Sfnnv15` (or `Sfnnv14_1`)",
    ),
    generation(
        0x6A44_8AFA,
        0xA85B_2205,
        "SFNNv16",
        "`nnue::stockfish::Sfnnv16`",
    ),
];

/// The version words of published networks, once for each generation.
pub(crate) fn published_versions() -> impl Iterator<Item = u32> {
    PUBLISHED.iter().map(|generation| generation.version)
}

/// Whether networks with this version word were published.
pub fn is_published_version(version: u32) -> bool {
    PUBLISHED
        .iter()
        .any(|generation| generation.version == version)
}

/// The names of the generations with this version word.
pub(crate) fn generations_of_version(version: u32) -> Option<&'static str> {
    match version {
        0x7AF3_2F16 => Some("Stockfish 12 and 13"),
        0x7AF3_2F20 => Some("Stockfish 14 to 18"),
        0x6A44_8AFA => Some("Stockfish after 18"),
        _ => None,
    }
}

/// The generation whose files have this version and this hash.
pub fn generation_of(version: u32, network_hash: u32) -> Option<&'static Generation> {
    PUBLISHED
        .iter()
        .find(|known| known.version == version && known.network_hash == network_hash)
}
