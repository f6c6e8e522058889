//! Which outputs need which results, so that a caller who asks for some outputs does not compute the others.

use alloc::vec;
use alloc::vec::Vec;

use crate::descriptor::{HeadSource, MapSource, NetDesc, SignOf, StepDesc};

/// The outputs that need a result: bit 0 is the value, bit `1 + k` is `NetDesc::heads[k]`.
pub type Readers = u32;

/// For each step, the outputs that need its result.
pub fn readers(net: &NetDesc<'_>) -> Vec<Readers> {
    let (mut layers, mut buffers): (Vec<Readers>, Vec<Readers>) =
        (vec![0; net.layers.len()], vec![0; net.buffers.len()]);
    net.output
        .terms
        .iter()
        .for_each(|term| layers[term.layer] |= 1);
    for (index, head) in net.heads.iter().enumerate() {
        match head.source {
            HeadSource::Layer(layer) => layers[layer] |= 2 << index,
            HeadSource::Buffer(buffer) => buffers[buffer] |= 2 << index,
        }
    }
    // A step follows those that it reads, so in reverse order all readers of a step come before it.
    let mut readers = vec![0; net.steps.len()];
    for (step, readers) in net.steps.iter().zip(&mut readers).rev() {
        *readers = match *step {
            StepDesc::ActivateAccumulator { buffer, .. }
            | StepDesc::FloatAccumulator { buffer, .. } => buffers[buffer],
            StepDesc::ActivateSums { layer, buffer, .. }
            | StepDesc::ActivateFloat { layer, buffer, .. } => {
                layers[layer] |= buffers[buffer];
                buffers[buffer]
            }
            StepDesc::Pool {
                operands, buffer, ..
            } => {
                operands
                    .iter()
                    .for_each(|segment| buffers[segment.buffer] |= buffers[buffer]);
                buffers[buffer]
            }
            StepDesc::Reduce {
                operand, buffer, ..
            } => {
                buffers[operand.buffer] |= buffers[buffer];
                buffers[buffer]
            }
            StepDesc::Map { map, buffer } => {
                for operand in net.maps[map].operands {
                    match operand.source {
                        MapSource::Accumulator => {}
                        MapSource::Layer(layer) => layers[layer] |= buffers[buffer],
                        MapSource::Buffer(read) => buffers[read] |= buffers[buffer],
                    }
                }
                buffers[buffer]
            }
            StepDesc::Sign { of, buffer } => {
                match of {
                    SignOf::Accumulator => {}
                    SignOf::Layer(layer) => layers[layer] |= buffers[buffer],
                    SignOf::Buffer(read) => buffers[read] |= buffers[buffer],
                }
                buffers[buffer]
            }
            StepDesc::Affine { layer } => {
                net.layers[layer]
                    .segments
                    .iter()
                    .for_each(|segment| buffers[segment.buffer] |= layers[layer]);
                layers[layer]
            }
            StepDesc::AffineDirect { layer, .. } | StepDesc::FloatSums { layer, .. } => {
                layers[layer]
            }
        };
    }
    readers
}
