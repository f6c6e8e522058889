//! King buckets: `Chess768[buckets: [0, 0, 1, 1, 2 x 28], mirrored]`.

use nnue_spec::descriptor::{FeatureSetId, KingBuckets};
use nnue_spec::diagnostic::Code;

use super::Lowerer;
use crate::syntax::ast::Kings;
use crate::syntax::list::Table;
use crate::syntax::place::{Word, Wrong};

/// Sets of planes that can have several copies, and whether both kings share a plane.
const PLANES: [(&str, bool); 2] = [("Chess768", false), ("Chess704", true)];

/// Most buckets: one per square.
const MAX_BUCKETS: u64 = 64;

/// Whether the set has both kings in one plane, which needs buckets to distinguish them.
pub(crate) fn is_merged(name: &str) -> bool {
    PLANES.contains(&(name, true))
}

/// Whether the set can have copies for king buckets.
pub(crate) fn is_planes(name: &str) -> bool {
    PLANES.iter().any(|(set, _)| *set == name)
}

/// The error for annotations of planes after another set.
fn no_planes(name: &Word, kings: &Kings) -> Wrong {
    let is_attacks = kings.table.is_none() && kings.mirrored.is_none() && kings.rotated.is_none();
    let (what, help) = match is_attacks {
        true => (
            "has one row for a piece on a square, attacked or not",
            "write `Chess768[attacks]`",
        ),
        false => (
            "has no king buckets to choose",
            "write `Chess768[buckets: [..], mirrored]`",
        ),
    };
    Wrong::new(
        Code::KingBuckets,
        kings.place,
        format!("`{}` {what}", name.value),
    )
    .help(help)
}

impl Lowerer<'_> {
    /// The set `name` with king buckets; after an error, a likely set.
    pub(crate) fn lower_kings(&mut self, name: &Word, kings: &Kings) -> FeatureSetId {
        let Some((_, merged)) = PLANES.into_iter().find(|(set, _)| *set == name.value) else {
            self.error(no_planes(name, kings));
            return FeatureSetId::Chess768;
        };
        let mirrored = kings.mirrored.is_some();
        let table = kings
            .table
            .as_ref()
            .and_then(|table| self.king_table(table, mirrored));
        let buckets = KingBuckets::new(table.unwrap_or([0; 64]), mirrored, merged);
        let buckets = if self.is_rotated(kings) {
            buckets.rotated()
        } else {
            buckets
        };
        FeatureSetId::King(if kings.attacks.is_some() {
            buckets.with_attacks()
        } else {
            buckets
        })
    }

    /// Whether Black's view is rotated; with mirroring, rotated and flipped are the same.
    fn is_rotated(&mut self, kings: &Kings) -> bool {
        if let (Some(rotated), Some(mirrored)) = (kings.rotated, kings.mirrored) {
            let message = "`rotated` changes nothing where the board is mirrored for the own king";
            self.error(
                Wrong::new(Code::KingBuckets, rotated, message)
                    .help("leave `rotated` out")
                    .note("flipped or rotated, the own king ends on files a to d, and with it everything on the same squares")
                    .related(mirrored, "mirrored here"),
            );
        }
        kings.rotated.is_some()
    }

    /// The buckets of all 64 squares.
    fn king_table(&mut self, table: &Table, mirrored: bool) -> Option<[u8; 64]> {
        let entries = &table.entries;
        if entries.len() != 64 && !(entries.len() == 32 && mirrored) {
            let message = match (entries.len(), mirrored) {
                (32, false) => {
                    "a table of 32 king buckets is for files a to d, and needs `mirrored`"
                        .to_owned()
                }
                (count, true) => {
                    format!("a table of king buckets has 32 or 64 numbers, found {count}")
                }
                (count, false) => format!("a table of king buckets has 64 numbers, found {count}"),
            };
            let help = "write one number for each square that the own king may be on, a1 first; `2 x 8` is eight times 2";
            self.error(Wrong::new(Code::KingBuckets, table.place, message).help(help));
            return None;
        }
        if let Some(entry) = entries.iter().find(|entry| entry.value >= MAX_BUCKETS) {
            let message = format!(
                "there are at most {MAX_BUCKETS} king buckets, found number {}",
                entry.value
            );
            self.error(
                Wrong::new(Code::KingBuckets, entry.place, message).help("the first bucket is 0"),
            );
            return None;
        }
        let greatest = entries.iter().map(|entry| entry.value).max().unwrap_or(0);
        if let Some(unused) =
            (0..greatest).find(|&bucket| entries.iter().all(|entry| entry.value != bucket))
        {
            let message =
                format!("no square has king bucket {unused}, and there is a bucket {greatest}");
            let help = "number the buckets from 0 without gaps";
            self.error(Wrong::new(Code::KingBuckets, table.place, message).help(help));
            return None;
        }
        let at = |square: usize| {
            let (rank, file) = (square / 8, square % 8);
            let index = if entries.len() == 64 {
                square
            } else {
                4 * rank + file.min(7 - file)
            };
            entries[index].value as u8 // below 64
        };
        Some(std::array::from_fn(at))
    }
}
