//! The networks that are measured.

use nnue_testkit::nets_dir;
use nnue_testkit::synthetic::{Profile, Synthetic};

/// A network file.
pub(crate) struct NetworkFile {
    /// where it comes from, for the report
    pub(crate) name: String,
    /// its bytes
    pub(crate) bytes: Vec<u8>,
}

/// Released networks, by generation, as their programs name them.
const RELEASED: [(&str, &str); 3] = [
    ("v5", "nn-ad9b42354671.nnue"),
    ("v9", "nn-1c0000000000.nnue"),
    ("v9s", "nn-37f18f62d772.nnue"),
];

impl NetworkFile {
    /// The network of a generation (`v1` to `v16`, `v10i8`, `v9s`, ..): a released one if `NNUE_NETS` names a folder
    /// and there is one for this generation, otherwise the synthetic one.
    ///
    /// # Panics
    ///
    /// If the folder lacks the file, or there is no such generation.
    pub(crate) fn of(generation: &str) -> Self {
        let released = RELEASED.iter().find(|(of, _)| *of == generation);
        if let (Some(folder), Some((_, file))) = (nets_dir(), released) {
            let path = folder.join(file);
            let bytes = std::fs::read(&path)
                .unwrap_or_else(|error| panic!("NNUE_NETS: {}: {error}", path.display()));
            return Self {
                name: (*file).to_owned(),
                bytes,
            };
        }
        Self {
            name: "synthetic".to_owned(),
            bytes: Synthetic::new(generation, Profile::Normal).bytes(),
        }
    }
}
