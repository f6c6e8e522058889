//! Any bytes as a file: a typed error, or a network that is written again byte for byte.
//!
//! If the first byte is 0, the rest is a file of the toy network. Otherwise it is a list of changes to a valid file, each of three bytes:
//! the offset (two bytes) and the value. A remaining byte at the end cuts the file.
#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nnue_format::{Encoding, Header, Tensors, write};
use nnue_spec::{NetDesc, TensorMut};
use nnue_tools::fits::explained;
use nnue_tools::{bounds, recognise};
use toy::{TOY, toy_tensors};

#[path = "../../../crates/files/tests/common/toy.rs"]
mod toy;

nnue::nnue! { struct Small = Chess768[..] -> 32x2 pairwise, psqt 2 -> (8 -> 8 -> 1)x2; }

const SMALL: &NetDesc<'static> = &<Small as nnue::Model>::SPEC;

fn file(net: &NetDesc<'_>, tensors: &Tensors, encoding: Encoding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        encoding,
        ..Header::new(net, b"fuzz".to_vec())
    };
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

static GOOD: LazyLock<[(&NetDesc<'static>, Vec<u8>); 4]> = LazyLock::new(|| {
    let mut small = Tensors::zeroed(SMALL);
    for tensor in small.muts() {
        if let TensorMut::I16(values) = tensor {
            values
                .iter_mut()
                .enumerate()
                .for_each(|(index, value)| *value = (index * 37 % 257) as i16 - 128);
        }
    }
    let toy = toy_tensors();
    [
        (&TOY, file(&TOY, &toy, Encoding::Raw)),
        (&TOY, file(&TOY, &toy, Encoding::Leb128)),
        (SMALL, file(SMALL, &small, Encoding::Raw)),
        (SMALL, file(SMALL, &small, Encoding::Leb128)),
    ]
});

fn check(net: &NetDesc<'_>, file: &[u8]) {
    match Tensors::read(net, file) {
        Ok((header, tensors)) => {
            let mut written = Vec::new();
            write(net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
            assert!(written == file, "an accepted file is written as it was");
            let recognition = recognise(Cursor::new(file), &[&TOY, SMALL])
                .expect("an accepted file is recognised");
            assert_eq!(
                (recognition.encoding, &recognition.description),
                (header.encoding, &header.description)
            );
            if net.name == SMALL.name {
                let bounds = bounds::prove(net, &tensors.refs());
                assert!(bounds.nothing_wraps() == bounds.require_no_wrapping().is_ok());
            }
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'));
            assert!(error.offset() <= file.len() as u64);
            // Advice is one line as well, and recognition reads less, and must give typed errors.
            let error = explained(net, error, file);
            assert!(!error.to_string().contains('\n'));
            let _ = recognise(Cursor::new(file), &[&TOY, SMALL]);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let [choice, rest @ ..] = data else { return };
    if *choice == 0 {
        return check(&TOY, rest);
    }
    let (net, good) = &GOOD[usize::from(*choice) % 4];
    let mut file = good.clone();
    let (changes, cut) = rest.as_chunks::<3>();
    for &[low, high, value] in changes {
        let at = usize::from(u16::from_le_bytes([low, high])) % file.len();
        file[at] = value;
    }
    if let &[cut] = cut {
        file.truncate(file.len() * usize::from(cut) / 255);
    }
    check(net, &file);
});
