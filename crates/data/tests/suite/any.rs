//! Every format by its name, on the records that all of them can hold.

use nnue_data::{Format, Reader, Record, Writer};

use crate::games::games;

fn through(format: Format, records: &[Record]) -> Vec<Record> {
    let mut writer = Writer::new(format, Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    let bytes = writer.finish().unwrap();
    Reader::new(format, &bytes[..])
        .collect::<Result<_, _>>()
        .unwrap()
}

#[test]
fn every_format_keeps_what_it_says_it_keeps() {
    let mut records = games(61, 8);
    records
        .iter_mut()
        .for_each(|record| record.score = record.score.clamp(-31754, 31754));
    for format in Format::ALL {
        let found = through(format, &records);
        assert_eq!(found.len(), records.len(), "{format}");
        for (found, record) in found.iter().zip(&records) {
            assert_eq!(
                (found.score, found.outcome),
                (record.score, record.outcome),
                "{format}"
            );
            assert_eq!(
                found.mv,
                record.mv.filter(|_| format.has_moves()),
                "{format}"
            );
            assert_eq!(
                found.ply,
                if format.has_plies() { record.ply } else { 0 },
                "{format}"
            );
            assert!(
                found.position == record.position || format == Format::Bulletformat,
                "{format}"
            );
        }
    }
}

#[test]
fn formats_are_known_by_their_names() {
    for format in Format::ALL {
        for extension in format.extensions() {
            assert_eq!(
                Format::of_path(format!("a.b/data.{}", extension.to_uppercase()).as_ref()),
                Some(format)
            );
        }
    }
    assert_eq!(Format::of_path("data.bin".as_ref()), None);
    assert_eq!(Format::of_path("binpack".as_ref()), None);
}
