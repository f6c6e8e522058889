//! Reference values of engines with bullet networks, for fixed positions, and those networks if a folder with
//! them is named.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;

use crate::vectors_dir;

/// A line of a table, by column name.
#[derive(Clone, Debug)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    /// The text in a column.
    ///
    /// # Panics
    ///
    /// If the table has no such column.
    pub fn text(&self, column: &str) -> &str {
        self.0
            .get(column)
            .unwrap_or_else(|| panic!("there is no column `{column}`"))
    }

    /// The number in a column; `None` if the table has no such column.
    ///
    /// # Panics
    ///
    /// If it is no number.
    pub fn number(&self, column: &str) -> Option<i64> {
        self.0.get(column).map(|text| {
            text.parse()
                .unwrap_or_else(|_| panic!("`{text}` is not a number"))
        })
    }

    /// The comma-separated numbers in a column.
    ///
    /// # Panics
    ///
    /// If the table has no such column, or one is no number.
    pub fn numbers(&self, column: &str) -> Vec<i64> {
        let number = |text: &str| {
            text.parse()
                .unwrap_or_else(|_| panic!("`{text}` is not a number"))
        };
        self.text(column).split(',').map(number).collect()
    }
}

/// The lines of the table `name`, which is a network, `features` or `accumulators`.
///
/// # Panics
///
/// If there is no such table or it cannot be read.
pub fn table(name: &str) -> Vec<Row> {
    let path = vectors_dir().join("bullet").join(format!("{name}.tsv.gz"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| line.expect("the table can be read"));
    let header: Vec<String> = lines
        .next()
        .expect("a table has a header")
        .split('\t')
        .map(str::to_owned)
        .collect();
    let row = |line: String| {
        Row(header
            .iter()
            .cloned()
            .zip(line.split('\t').map(str::to_owned))
            .collect())
    };
    lines.map(row).collect()
}

/// The bytes of the network `name`, if the environment variable `NNUE_BULLET_NETS` is set. It names the
/// folder that contains the network, directly or in a folder of that name.
///
/// # Panics
///
/// If the folder does not contain it.
pub fn network(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NNUE_BULLET_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_BULLET_NETS names no folder with {name}");
        return None;
    };
    let folders = [folder.clone(), folder.join("gpl3")];
    let path = folders
        .iter()
        .map(|folder| folder.join(name))
        .find(|path| path.exists());
    let path = path.unwrap_or_else(|| panic!("{} does not hold {name}", folder.display()));
    Some(std::fs::read(path).expect("the network can be read"))
}

/// CRC-32 (of Ethernet and zip files) of `bytes`.
pub fn crc32(bytes: impl IntoIterator<Item = u8>) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xEDB8_8320
            } else {
                crc >> 1
            }
        })
    };
    !bytes.into_iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_can_be_read() {
        for name in [
            "akimbo-256x2-crelu",
            "obsidian-4kbhm-512x2-screlu-ob8",
            "features",
        ] {
            assert_eq!(table(name).len(), 220, "{name}");
        }
        assert_eq!(table("calvin-64x2-screlu")[0].number("eval"), Some(35));
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(*b"123456789"), 0xCBF4_3926);
    }
}
