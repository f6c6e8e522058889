//! A writer of the Stockfish container, for synthetic networks only.
//!
//! It shares no code with the project's own writer, so that each checks the other.

use super::table::{EXTRA_PSQT, EXTRA_WEIGHT};
use super::{Generation, Layout, Synthetic};

pub(super) fn write(net: &Synthetic) -> Vec<u8> {
    let generation = net.generation();
    let transformer_hash = generation.feature_hash ^ (2 * generation.width as u32);
    let stack_hash = stack_hash(generation);
    let description = net.description();

    let mut out = Vec::new();
    word(&mut out, generation.version);
    word(&mut out, transformer_hash ^ stack_hash);
    word(&mut out, description.len() as u32);
    out.extend_from_slice(description.as_bytes());
    word(&mut out, transformer_hash);
    transformer(&mut out, net);
    for stack in 0..generation.stacks {
        word(&mut out, stack_hash);
        for layer in 0..generation.layers.len() {
            dense(&mut out, net, stack, layer);
        }
    }
    out
}

fn word(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// The hash of a layer stack, chained over the output counts of the layers and the activations between them.
fn stack_hash(generation: &Generation) -> u32 {
    let mut hash = 0xEC42_E90D ^ (2 * generation.width as u32);
    for (index, layer) in generation.layers.iter().enumerate() {
        if index > 0 {
            hash = hash.wrapping_add(0x538D_24C7);
        }
        hash = 0xCC03_DAE4_u32.wrapping_add(layer.outputs as u32) ^ hash.rotate_right(1);
    }
    hash
}

/// The tensors of the feature transformer, as streams of elements.
struct Transformer<'n> {
    net: &'n Synthetic,
}

impl Transformer<'_> {
    fn bias(&self) -> impl Iterator<Item = i32> {
        let generation = self.net.generation();
        self.net
            .transformer(0, generation.transformer_bias, generation.width)
    }

    fn weight(&self) -> impl Iterator<Item = i32> {
        let generation = self.net.generation();
        self.net.transformer(
            1,
            generation.transformer_weight,
            generation.rows * generation.width,
        )
    }

    fn psqt(&self) -> impl Iterator<Item = i32> {
        let generation = self.net.generation();
        generation
            .psqt
            .into_iter()
            .flat_map(|range| self.net.transformer(2, range, generation.rows * 8))
    }

    /// Weights of threats (tensor 3) or pawn pairs (tensor 5).
    fn extra_weight(&self, tensor: u64, rows: usize) -> impl Iterator<Item = i32> {
        self.net
            .transformer(tensor, EXTRA_WEIGHT, rows * self.net.generation().width)
    }

    /// PSQT weights of threats (tensor 4) or pawn pairs (tensor 6).
    fn extra_psqt(&self, tensor: u64, rows: usize) -> impl Iterator<Item = i32> {
        self.net.transformer(tensor, EXTRA_PSQT, rows * 8)
    }
}

fn transformer(out: &mut Vec<u8>, net: &Synthetic) {
    let Generation {
        layout,
        threats,
        pawn_pairs,
        psqt,
        ..
    } = *net.generation();
    let tensors = Transformer { net };
    match layout {
        Layout::Raw => {
            raw(out, tensors.bias(), |value| (value as i16).to_le_bytes());
            raw(out, tensors.weight(), |value| (value as i16).to_le_bytes());
            raw(out, tensors.psqt(), i32::to_le_bytes);
        }
        Layout::Leb128 => {
            leb128_block(out, tensors.bias());
            leb128_block(out, tensors.weight());
            if psqt.is_some() {
                leb128_block(out, tensors.psqt());
            }
        }
        Layout::Joint => {
            leb128_block(out, tensors.bias());
            leb128_block(
                out,
                tensors.extra_weight(3, threats).chain(tensors.weight()),
            );
            leb128_block(out, tensors.extra_psqt(4, threats).chain(tensors.psqt()));
        }
        Layout::JointPsqt => {
            leb128_block(out, tensors.bias());
            raw(out, tensors.extra_weight(3, threats), byte);
            leb128_block(out, tensors.weight());
            leb128_block(out, tensors.extra_psqt(4, threats).chain(tensors.psqt()));
        }
        Layout::Separate => {
            leb128_block(out, tensors.bias());
            for (tensor, rows) in [(3, threats), (5, pawn_pairs)]
                .into_iter()
                .filter(|&(_, rows)| rows > 0)
            {
                raw(out, tensors.extra_weight(tensor, rows), byte);
                leb128_block(out, tensors.extra_psqt(tensor + 1, rows));
            }
            leb128_block(out, tensors.weight());
            leb128_block(out, tensors.psqt());
        }
    }
}

/// Bias and weights of a layer. Weight rows are padded with zeros to a multiple of 32.
fn dense(out: &mut Vec<u8>, net: &Synthetic, stack: usize, layer: usize) {
    let inputs = net.generation().layers[layer].inputs;
    raw(out, net.bias(stack, layer), i32::to_le_bytes);
    let mut weights = Vec::new();
    raw(&mut weights, net.weight(stack, layer), byte);
    for row in weights.chunks(inputs) {
        out.extend_from_slice(row);
        out.resize(out.len() + inputs.next_multiple_of(32) - inputs, 0);
    }
}

fn raw<const N: usize>(
    out: &mut Vec<u8>,
    values: impl Iterator<Item = i32>,
    bytes: impl Fn(i32) -> [u8; N],
) {
    out.reserve(N * values.size_hint().0);
    values.for_each(|value| out.extend_from_slice(&bytes(value)));
}

fn byte(value: i32) -> [u8; 1] {
    [value as i8 as u8]
}

fn leb128_block(out: &mut Vec<u8>, values: impl Iterator<Item = i32>) {
    let mut payload = Vec::with_capacity(2 * values.size_hint().0);
    // `for_each` instead of `for`: a chained iterator would test for every value which part is active.
    values.for_each(|value| leb128(&mut payload, value));
    out.extend_from_slice(b"COMPRESSED_LEB128");
    word(out, payload.len() as u32);
    out.append(&mut payload);
}

/// Signed LEB128, shortest form: groups of seven bits, low bits first, until only sign bits remain.
fn leb128(out: &mut Vec<u8>, mut value: i32) {
    loop {
        let group = (value & 0x7F) as u8;
        value >>= 7;
        if value == if group & 0x40 == 0 { 0 } else { -1 } {
            return out.push(group);
        }
        out.push(group | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::leb128;

    #[test]
    fn numbers_take_their_shortest_form() {
        let cases: [(i32, &[u8]); 8] = [
            (0, &[0x00]),
            (-1, &[0x7F]),
            (64, &[0xC0, 0x00]),
            (-65, &[0xBF, 0x7F]),
            (300, &[0xAC, 0x02]),
            (-8193, &[0xFF, 0xBF, 0x7F]),
            (i32::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0x07]),
            (i32::MIN, &[0x80, 0x80, 0x80, 0x80, 0x78]),
        ];
        for (value, bytes) in cases {
            let mut out = Vec::new();
            leb128(&mut out, value);
            assert_eq!(out, bytes, "{value}");
        }
    }
}
