//! Any bytes as weights of Leela Chess Zero: a typed error, or a network whose layers fit each other.
//!
//! If the first byte is 0, the rest is a file, and if it is 1, the rest is a file that is compressed here. Otherwise the rest is a list of changes to a
//! valid file, each of three bytes: the offset (two bytes) and the value. A remaining byte at the end cuts the file.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nnue_backend::lc0::Weights;
use nnue_backend::lc0::weights::{Conv, Dense, Head, PolicyHead};
use synthetic::Kind;

#[path = "../../../crates/backend/tests/lc0/synthetic.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod synthetic;

static GOOD: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let plain = Kind {
        squeeze: false,
        wdl: false,
        ..Kind::NEW
    };
    [Kind::NEW, Kind::OLD, plain].map(|kind| synthetic::message(kind, 1))
});

fn conv(conv: &Conv, channels: usize) -> usize {
    assert!(conv.channels == channels && conv.bias.len() == conv.outputs);
    assert_eq!(
        conv.weights.len(),
        conv.outputs * channels * conv.size * conv.size
    );
    assert!(
        conv.weights
            .iter()
            .chain(&conv.bias)
            .all(|number| number.is_finite())
    );
    conv.outputs
}

fn dense(layer: &Dense, inputs: usize) -> usize {
    assert!(layer.inputs == inputs && layer.bias.len() == layer.outputs);
    assert_eq!(layer.weights.len(), inputs * layer.outputs);
    assert!(
        layer
            .weights
            .iter()
            .chain(&layer.bias)
            .all(|number| number.is_finite())
    );
    layer.outputs
}

fn head(head: &Head, channels: usize) -> usize {
    let squares = conv(&head.squares, channels);
    dense(&head.outputs, dense(&head.hidden, 64 * squares))
}

fn check(file: &[u8]) {
    let network = match Weights::from_bytes(file) {
        Ok(network) => network,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    let channels = conv(&network.input, 112);
    for block in &network.blocks {
        assert_eq!(
            (conv(&block.conv1, channels), conv(&block.conv2, channels)),
            (channels, channels)
        );
        if let Some(squeeze) = &block.squeeze {
            let down = dense(&squeeze.down, channels);
            assert_eq!(
                (dense(&squeeze.gate, down), dense(&squeeze.shift, down)),
                (channels, channels)
            );
        }
    }
    match &network.policy {
        PolicyHead::Convolution { hidden, planes } => {
            assert_eq!(conv(planes, conv(hidden, channels)), 80)
        }
        PolicyHead::Classical { squares, moves } => {
            assert_eq!(dense(moves, 64 * conv(squares, channels)), 1858)
        }
    }
    assert!(matches!(head(&network.value, channels), 1 | 3));
    assert!(
        network
            .moves_left
            .is_none_or(|plies| head(&plies, channels) == 1)
    );
}

fuzz_target!(|data: &[u8]| {
    let [choice, rest @ ..] = data else { return };
    match choice {
        0 => return check(rest),
        1 => return check(&synthetic::gzip(rest)),
        _ => {}
    }
    let mut file = GOOD[usize::from(*choice) % GOOD.len()].clone();
    let (changes, cut) = rest.as_chunks::<3>();
    for &[low, high, value] in changes {
        let at = usize::from(u16::from_le_bytes([low, high])) % file.len();
        file[at] = value;
    }
    if let &[cut] = cut {
        file.truncate(file.len() * usize::from(cut) / 255);
    }
    check(&file);
});
