//! A digest that is cheap for files of any size.
//!
//! ```text
//!   up to 1 MiB   all of it
//!   larger        64 KiB at the beginning, at the end and at 14 places between, evenly spaced, and the length
//! ```
//!
//! It detects files that were replaced by mistake, such as another download or shard of the same name.
//! Changes between the samples of a large file are not noticed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::fnv;
use super::regular::{self, Accepted};

/// Files up to this size are read whole.
const WHOLE: u64 = 1 << 20;

/// Bytes of a sample.
const SAMPLE: u64 = 1 << 16;

const SAMPLES: u64 = 16;

/// The length of a file and a hash of its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// the length in bytes
    pub length: u64,
    /// the FNV-1a hash of the samples
    pub sum: u64,
}

impl Digest {
    /// The digest of the file at `path`; `None` for a pipe, which can be read only once.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is a folder or a device.
    pub fn of_path(path: &Path) -> io::Result<Option<Self>> {
        if !Accepted::FileOrPipe.check(path)?.is_file() {
            return Ok(None);
        }
        let mut file = regular::read(path)?;
        let length = file.metadata()?.len();
        Self::of_start(&mut file, length).map(Some)
    }

    /// The digest of the first `length` bytes of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is shorter.
    pub fn of_start(file: &mut File, length: u64) -> io::Result<Self> {
        let samples = match length {
            ..=WHOLE => vec![(0, length)],
            _ => (0..SAMPLES)
                .map(|sample| (spaced(length - SAMPLE, sample), SAMPLE))
                .collect(),
        };
        let (mut sum, mut bytes) = (fnv::START, Vec::new());
        for (begin, size) in samples {
            bytes.resize(size as usize, 0);
            file.seek(SeekFrom::Start(begin))?;
            file.read_exact(&mut bytes)?;
            sum = fnv::add(sum, &bytes);
        }
        Ok(Self { length, sum })
    }
}

/// The offset of a sample. The last sample begins at `last`.
fn spaced(last: u64, sample: u64) -> u64 {
    (u128::from(last) * u128::from(sample) / u128::from(SAMPLES - 1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sampled_tells_files_apart() {
        let path = std::env::temp_dir().join(format!("nnue-digest.{}", std::process::id()));
        let digest = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Digest::of_path(&path).unwrap().unwrap()
        };
        let small = vec![7; 1000];
        let large = vec![7; 3 << 20];
        for whole in [small, large] {
            let found = digest(&whole);
            assert_eq!((found.length, found), (whole.len() as u64, digest(&whole)));
            for changed in [0, whole.len() - 1] {
                let mut other = whole.clone();
                other[changed] = 8;
                assert_ne!(digest(&other), found, "{changed}");
            }
            assert_ne!(digest(&whole[1..]), found);
        }
        assert_eq!(spaced(1000, 0), 0);
        assert_eq!(spaced(1000, SAMPLES - 1), 1000);
        std::fs::remove_file(path).unwrap();
    }
}
