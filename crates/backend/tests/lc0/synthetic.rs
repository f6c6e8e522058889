//! Small networks of every kind, as files. The writer shares no code with the reader.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// What a network has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// number of the input format
    pub(crate) input: u64,
    /// squeeze and excitation
    pub(crate) squeeze: bool,
    /// a policy of planes
    pub(crate) planes: bool,
    /// win, draw and loss
    pub(crate) wdl: bool,
    pub(crate) moves_left: bool,
    /// as files were before the kinds of heads were said: without them
    pub(crate) old: bool,
}

impl Kind {
    pub(crate) const NEW: Self = Self {
        input: 1,
        squeeze: true,
        planes: true,
        wdl: true,
        moves_left: true,
        old: false,
    };
    pub(crate) const OLD: Self = Self {
        input: 1,
        squeeze: false,
        planes: false,
        wdl: false,
        moves_left: false,
        old: true,
    };
}

const CHANNELS: usize = 9;
const BLOCKS: usize = 2;
const SQUEEZED: usize = 3;
const HIDDEN: usize = 5;

/// A message that is written field by field.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(8 * field);
        self.varint(number);
        self
    }

    pub(crate) fn fixed(mut self, field: u64, bits: u32) -> Self {
        self.varint(8 * field + 5);
        self.0.extend(bits.to_le_bytes());
        self
    }

    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(8 * field + 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    pub(crate) fn message(self, field: u64, message: Self) -> Self {
        self.bytes(field, &message.0)
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Numbers from a seed, as lists of two bytes each.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn next(&mut self) -> u16 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 48) as u16
    }

    pub(crate) fn layer(&mut self, count: usize, [min, max]: [f32; 2]) -> Message {
        let bytes: Vec<u8> = (0..count).flat_map(|_| self.next().to_le_bytes()).collect();
        Message::default()
            .fixed(1, min.to_bits())
            .fixed(2, max.to_bits())
            .bytes(3, &bytes)
    }

    /// A convolution with a batch norm, in which sums keep their size.
    fn conv(&mut self, inputs: usize, outputs: usize, size: usize) -> Message {
        let window = inputs * size * size;
        let range = 2.0 / (window as f32).sqrt();
        Message::default()
            .message(1, self.layer(outputs * window, [-range, range]))
            .message(3, self.layer(outputs, [-0.3, 0.3]))
            .message(4, self.layer(outputs, [0.5, 1.5]))
            .message(5, self.layer(outputs, [0.7, 1.3]))
            .message(6, self.layer(outputs, [-0.3, 0.3]))
    }

    /// Weights and biases of a layer.
    fn dense(&mut self, to: Message, field: u64, inputs: usize, outputs: usize) -> Message {
        let range = 2.0 / (inputs as f32).sqrt();
        to.message(field, self.layer(inputs * outputs, [-range, range]))
            .message(field + 1, self.layer(outputs, [-0.3, 0.3]))
    }

    fn block(&mut self, squeeze: bool) -> Message {
        let block = Message::default()
            .message(1, self.conv(CHANNELS, CHANNELS, 3))
            .message(2, self.conv(CHANNELS, CHANNELS, 3));
        if !squeeze {
            return block;
        }
        let unit = self.dense(Message::default(), 1, CHANNELS, SQUEEZED);
        block.message(3, self.dense(unit, 3, SQUEEZED, 2 * CHANNELS))
    }

    fn weights(&mut self, kind: Kind) -> Message {
        let mut weights = Message::default().message(1, self.conv(112, CHANNELS, 3));
        for _ in 0..BLOCKS {
            weights = weights.message(2, self.block(kind.squeeze));
        }
        weights = if kind.planes {
            let last = Message::default()
                .message(1, self.layer(80 * HIDDEN * 9, [-0.3, 0.3]))
                .message(2, self.layer(80, [-0.3, 0.3]));
            weights
                .message(11, self.conv(CHANNELS, HIDDEN, 3))
                .message(3, last)
        } else {
            let weights = weights.message(3, self.conv(CHANNELS, 2, 1));
            self.dense(weights, 4, 128, 1858)
        };
        weights = weights.message(6, self.conv(CHANNELS, 3, 1));
        weights = self.dense(weights, 7, 192, HIDDEN);
        weights = self.dense(weights, 9, HIDDEN, if kind.wdl { 3 } else { 1 });
        if kind.moves_left {
            weights = weights.message(12, self.conv(CHANNELS, 2, 1));
            weights = self.dense(weights, 13, 128, HIDDEN);
            weights = weights
                .message(15, self.layer(HIDDEN, [0.0, 2.0]))
                .message(16, self.layer(1, [5.0, 9.0]));
        }
        weights
    }
}

/// The message that says the kind of network.
pub(crate) fn format(kind: Kind) -> Message {
    let network = Message::default()
        .number(1, kind.input)
        .number(2, 1 + u64::from(kind.wdl));
    let network = match (kind.old, kind.squeeze) {
        (true, squeeze) => network.number(3, 1 + u64::from(squeeze)),
        (false, squeeze) => network
            .number(3, 3 + u64::from(squeeze))
            .number(4, 1 + u64::from(kind.planes))
            .number(5, 1 + u64::from(kind.wdl))
            .number(6, u64::from(kind.moves_left)),
    };
    Message::default().number(1, 1).message(2, network)
}

/// A file, not compressed.
pub(crate) fn message(kind: Kind, seed: u64) -> Vec<u8> {
    let version = Message::default().number(1, 0).number(2, 21);
    Message::default()
        .fixed(1, 0x1C0)
        .bytes(2, b"none")
        .message(3, version)
        .message(4, format(kind))
        .message(10, Numbers(seed).weights(kind))
        .finish()
}

/// The same with another message about the kind of network.
pub(crate) fn with_format(format: Message, kind: Kind) -> Vec<u8> {
    Message::default()
        .fixed(1, 0x1C0)
        .message(4, format)
        .message(10, Numbers(1).weights(kind))
        .finish()
}

/// A file with more weights than its kind has.
pub(crate) fn with_more(kind: Kind, more: &Message) -> Vec<u8> {
    let mut weights = Numbers(1).weights(kind);
    weights.0.extend(&more.0);
    Message::default()
        .fixed(1, 0x1C0)
        .message(4, format(kind))
        .message(10, weights)
        .finish()
}

/// Compressed.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}
