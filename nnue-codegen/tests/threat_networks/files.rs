//! Files: read, written byte for byte, recognised.

use std::io::Cursor;

use nnue_format::{Encoding, Tensors, bounds, recognise, write};
use nnue_spec::NetDesc;
use nnue_testkit::sha256;
use nnue_testkit::synthetic::{Profile, Synthetic};

use crate::{FILES, plan, plans};

#[test]
fn files_are_read_and_written_byte_for_byte() {
    for (file, name) in FILES {
        let plan = plan(name);
        let tables = plan.tables();
        let net = tables.descriptor();
        let bytes = Synthetic::new(file, Profile::Normal).bytes();
        let (header, tensors) = Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut written = Vec::with_capacity(bytes.len());
        write(&net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
        assert_eq!(sha256(&written), sha256(&bytes), "{file}");
    }
}

#[test]
fn files_of_other_generations_are_errors() {
    for (file, name) in [("v11", "Sfnnv12"), ("v12", "Sfnnv11"), ("v13h", "Sfnnv14"), ("v15", "Sfnnv14_1")] {
        let plan = plan(name);
        let bytes = Synthetic::new(file, Profile::Normal).bytes();
        assert!(Tensors::read(&plan.tables().descriptor(), &bytes[..]).is_err(), "{file} is no {name}");
    }
}

#[test]
fn files_are_recognised_by_rows_and_row_widths() {
    let plans = plans();
    let tables: Vec<_> = plans.iter().map(|plan| plan.tables()).collect();
    let nets: Vec<NetDesc<'_>> = tables.iter().map(|tables| tables.descriptor()).collect();
    let nets: Vec<&NetDesc<'_>> = nets.iter().collect();
    for (file, name) in FILES {
        let bytes = Synthetic::new(file, Profile::Normal).bytes();
        let found = recognise(Cursor::new(&bytes), &nets).unwrap_or_else(|error| panic!("{file}: {error}"));
        let names: Vec<&str> = found.candidates.iter().map(|&index| nets[index].name).collect();
        assert_eq!(names, [name], "{file}, by {}", found.rule);
        let encoding = match file {
            "v10" => Encoding::Leb128Joint,
            "v14.1" | "v15" | "v16" | "v14s" => Encoding::Leb128,
            _ => Encoding::Leb128JointPsqt,
        };
        assert_eq!(found.encoding, encoding, "{file}");
    }
}

#[test]
fn bounds_hold_for_weights_of_several_types() {
    let plan = plan("Sfnnv16");
    let tables = plan.tables();
    let net = tables.descriptor();
    let (_, tensors) =
        Tensors::read(&net, &Synthetic::new("v16", Profile::Normal).bytes()[..]).expect("the file is right");
    let bounds = bounds::prove(&net, &tensors.refs());
    assert!(bounds.accumulator.range.fits_i16(), "{}", bounds.accumulator.range);
    assert!(bounds.nothing_wraps());
}

#[test]
fn threat_weights_beyond_a_byte_are_errors() {
    let plan = plan("Sfnnv10");
    let mut bytes = Synthetic::new("v10", Profile::Normal).bytes();
    let magic = b"COMPRESSED_LEB128";
    let blocks = bytes.windows(magic.len()).enumerate().filter(|(_, window)| window == magic).map(|(at, _)| at);
    let weights = blocks.take(2).last().expect("there are two blocks") + magic.len() + 4;
    let two_bytes = (weights..).find(|&at| bytes[at] & 0x80 != 0).expect("some numbers have two bytes");
    bytes[two_bytes + 1] = 0x3F; // now about 8000
    let error = Tensors::read(&plan.tables().descriptor(), &bytes[..]).expect_err("a threat weight has 8 bits");
    assert!(error.to_string().contains("does not fit in i8"), "{error}");
}
