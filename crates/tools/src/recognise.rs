//! Identifies which of several known networks a file contains.
//!
//! Hashes do not cover everything: SFNNv4 and v5 share theirs, as do v10, v11 and v12. So four tests are
//! applied until one network is left: version and hashes, size, whether the padding columns of the layers are
//! zero, and which network has the most of these. If several are left (the two scales of the small network),
//! the result is undecided, in the order of the candidates.

use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use nnue_spec::{Encoding, NetDesc, TensorDesc, TensorRef, TensorRole};

use nnue_format::layout::{self, Unit};
use nnue_format::{BLOCK_HEAD, BLOCK_MAGIC, Header, LoadError, Prelude, Tensors};

use crate::fits::hashes;

/// The result for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognition {
    /// first word of the file
    pub version: u32,
    /// hash of the network
    pub network_hash: u32,
    /// hash of the feature transformer
    pub transformer_hash: u32,
    /// free text
    pub description: Vec<u8>,
    /// encoding of the feature transformer
    pub encoding: Encoding,
    /// indices of the possible networks, the likeliest first; never empty
    pub candidates: Vec<usize>,
    /// the test that decided on the first
    pub rule: Rule,
}

/// The test that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// only one network has this version and these hashes
    Hashes,
    /// only one network with these hashes has this size
    Size,
    /// only one network has all its padding columns zero, or has more of them than the others
    Padding,
    /// no test decided: the first candidate was taken
    Undecided,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hashes => "version and hashes",
            Self::Size => "the size of the file",
            Self::Padding => "the padding columns of the layers, which are zero",
            Self::Undecided => "nothing in the file: several networks look alike",
        })
    }
}

/// Identifies the file in `source` among `nets`. Reads its header and, if that does not decide, its layers;
/// nothing else is validated.
///
/// # Errors
///
/// [`LoadError`]: the source fails, the file is not a network, or it is none of `nets`.
pub fn recognise<R: Read + Seek>(
    mut source: R,
    nets: &[&NetDesc<'_>],
) -> Result<Recognition, LoadError> {
    let prelude = Prelude::read(&mut source, nets)?;
    let start = prelude.size();
    let compressed =
        begins_compressed(&mut source, start).map_err(|error| LoadError::io(start, error))?;
    let mut candidates: Vec<usize> = (0..nets.len())
        .filter(|&index| prelude.fits(nets[index]))
        .collect();
    if candidates.is_empty() {
        return Err(hashes::unknown(&prelude));
    }
    let mut layers = Layers {
        source: &mut source,
        start,
        compressed,
    };
    let (rule, encoding) = layers
        .decide(nets, &mut candidates)
        .map_err(|error| LoadError::io(start, error))?;
    Ok(Recognition {
        version: prelude.version,
        network_hash: prelude.network_hash,
        transformer_hash: prelude.transformer_hash,
        description: prelude.description,
        encoding,
        candidates,
        rule,
    })
}

/// Whether a block of LEB128 numbers begins at `start`.
fn begins_compressed<R: Read + Seek>(source: &mut R, start: u64) -> io::Result<bool> {
    let mut magic = [0; BLOCK_MAGIC.len()];
    source.seek(SeekFrom::Start(start))?;
    Ok(read_whole(source, &mut magic)? && magic == *BLOCK_MAGIC)
}

struct Layers<'r, R> {
    source: &'r mut R,
    /// offset of the feature transformer
    start: u64,
    /// whether the feature transformer begins with a block of LEB128 numbers
    compressed: bool,
}

/// A network that matches the size of the file.
struct Sized {
    index: usize,
    encoding: Encoding,
    /// offset of the layers
    layers: u64,
}

impl<R: Read + Seek> Layers<'_, R> {
    /// Reduces `candidates` to the likeliest. Returns the test that decided, and the encoding of the first
    /// candidate.
    fn decide(
        &mut self,
        nets: &[&NetDesc<'_>],
        candidates: &mut Vec<usize>,
    ) -> io::Result<(Rule, Encoding)> {
        let end = self.source.seek(SeekFrom::End(0))?;
        let mut sized = Vec::new();
        for &index in &*candidates {
            for &encoding in layout::possible(nets[index], self.compressed) {
                let layers = self.end_of_transformer(nets[index], encoding)?;
                if let Some(layers) =
                    layers.filter(|at| at.checked_add(layers_bytes(nets[index])) == Some(end))
                {
                    sized.push(Sized {
                        index,
                        encoding,
                        layers,
                    });
                }
            }
        }
        let only = candidates.len() == 1;
        let Some(first) = sized.first() else {
            let encoding = if self.compressed {
                Encoding::Leb128
            } else {
                Encoding::Raw
            };
            return Ok((if only { Rule::Hashes } else { Rule::Undecided }, encoding));
        };
        let encoding = first.encoding;
        *candidates = sized.iter().map(|sized| sized.index).collect();
        if sized.len() == 1 {
            return Ok((if only { Rule::Hashes } else { Rule::Size }, encoding));
        }
        let mut ranked = Vec::new();
        for Sized {
            index,
            encoding,
            layers,
        } in sized
        {
            let zero = self.padding_is_zero(nets[index], layers)?;
            ranked.push((
                Reverse(if zero {
                    padding_columns(nets[index]) + 1
                } else {
                    0
                }),
                index,
                encoding,
            ));
        }
        ranked.sort_by_key(|&(rank, ..)| rank);
        *candidates = ranked.iter().map(|&(_, index, _)| index).collect();
        let rule = if ranked[0].0 == ranked[1].0 {
            Rule::Undecided
        } else {
            Rule::Padding
        };
        Ok((rule, ranked[0].2))
    }

    /// The offset after the feature transformer of `net`, if the file has one of this size and encoding.
    fn end_of_transformer(
        &mut self,
        net: &NetDesc<'_>,
        encoding: Encoding,
    ) -> io::Result<Option<u64>> {
        let mut at = self.start;
        for unit in layout::units(net, encoding) {
            let block = match unit {
                Unit::Array(index) => {
                    at += bytes(&net.tensors[index]);
                    continue;
                }
                Unit::Block(block) => &net.tensors[block],
            };
            let mut head = [0; BLOCK_HEAD];
            self.source.seek(SeekFrom::Start(at))?;
            if !read_whole(self.source, &mut head)? || !head.starts_with(BLOCK_MAGIC) {
                return Ok(None);
            }
            let length = head[BLOCK_MAGIC.len()..]
                .iter()
                .rev()
                .fold(0, |length, &byte| length << 8 | u64::from(byte));
            // If sets share blocks, offsets do not show their row counts, so count the numbers of the smaller
            // block.
            if block.len() > 1 && block.iter().all(|tensor| layout::is_psqt(tensor.role)) {
                let numbers: usize = block.iter().map(TensorDesc::len).sum();
                if self.count_numbers(length)? != numbers as u64 {
                    return Ok(None);
                }
            }
            at += BLOCK_HEAD as u64 + length;
        }
        Ok(Some(at))
    }

    /// Counts the LEB128 numbers that end in the next `length` bytes.
    fn count_numbers(&mut self, mut length: u64) -> io::Result<u64> {
        let mut buffer = [0; 8192];
        let mut numbers = 0;
        while length > 0 {
            let part = &mut buffer[..length.min(8192) as usize];
            if !read_whole(self.source, part)? {
                break;
            }
            numbers += part.iter().filter(|&&byte| byte < 0x80).count() as u64;
            length -= part.len() as u64;
        }
        Ok(numbers)
    }

    /// Whether all padding columns of all layers are zero. The layers start at `at` and are complete.
    fn padding_is_zero(&mut self, net: &NetDesc<'_>, mut at: u64) -> io::Result<bool> {
        for _ in 0..net.stacks.count {
            at += 4;
            for tensor in net
                .tensors
                .iter()
                .filter(|tensor| tensor.role.is_of_layer())
            {
                let size = bytes(tensor) / tensor.copies as u64;
                if let TensorRole::LayerWeight(layer) = tensor.role
                    && net.layers[layer].inputs < tensor.cols
                {
                    let mut weights = vec![0; size as usize];
                    self.source.seek(SeekFrom::Start(at))?;
                    self.source.read_exact(&mut weights)?;
                    let mut rows = weights.chunks_exact(tensor.cols);
                    if !rows.all(|row| {
                        row[net.layers[layer].inputs..]
                            .iter()
                            .all(|&weight| weight == 0)
                    }) {
                        return Ok(false);
                    }
                }
                at += size;
            }
        }
        Ok(true)
    }
}

/// Raw size of a tensor with all its copies, in bytes.
fn bytes(tensor: &TensorDesc<'_>) -> u64 {
    (tensor.len() * tensor.element.bytes()) as u64
}

/// The size of all layer stacks, in bytes.
fn layers_bytes(net: &NetDesc<'_>) -> u64 {
    let tensors = net
        .tensors
        .iter()
        .filter(|tensor| tensor.role.is_of_layer());
    tensors.map(bytes).sum::<u64>() + 4 * net.stacks.count as u64
}

/// Number of padding columns of all layers.
fn padding_columns(net: &NetDesc<'_>) -> usize {
    net.layers
        .iter()
        .map(|layer| layer.file_inputs - layer.inputs)
        .sum()
}

/// Fills `out`; false if the source ends first.
fn read_whole<R: Read>(source: &mut R, out: &mut [u8]) -> io::Result<bool> {
    match source.read_exact(out) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        other => other.map(|()| true),
    }
}

/// A network that was read from a stream.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// index of the likeliest network
    pub net: usize,
    /// the contents of the file besides its weights
    pub header: Header,
    /// the weights
    pub tensors: Tensors,
}

/// Why a stream is none of several networks.
#[derive(Debug)]
pub struct StreamError {
    /// what is wrong
    pub error: LoadError,
    /// networks with other tensors have the same hashes: read the source again, with the next attempt
    pub has_next: bool,
}

/// Reads one of `nets` from a source that cannot seek, in one pass: memory has the network and a buffer. Several networks may have the hashes
/// of the source. Those with equal tensors are told apart by their padding columns, as in [`recognise`]. Those with different tensors are tried one
/// by one: `attempt` 0 reads the source as the first of them, 1 as the second.
///
/// # Errors
///
/// [`StreamError`]: the source fails, is not a network, or not the one of this attempt.
pub fn read_stream<R: Read>(
    mut source: R,
    nets: &[&NetDesc<'_>],
    attempt: usize,
) -> Result<Streamed, StreamError> {
    let alone = |error| StreamError {
        error,
        has_next: false,
    };
    let mut head = Vec::new();
    let copied = Copied {
        source: &mut source,
        copy: &mut head,
    };
    let prelude = Prelude::read(copied, nets).map_err(alone)?;
    let fitting: Vec<usize> = (0..nets.len())
        .filter(|&index| prelude.fits(nets[index]))
        .collect();
    let mut shapes: Vec<usize> = Vec::new();
    for &index in &fitting {
        if !shapes
            .iter()
            .any(|&other| has_tensors_of(nets[other], nets[index]))
        {
            shapes.push(index);
        }
    }
    let Some(&shape) = shapes.get(attempt) else {
        return Err(alone(hashes::unknown(&prelude)));
    };
    let read = Tensors::read(nets[shape], head.chain(source));
    let (header, tensors) = read.map_err(|error| StreamError {
        error,
        has_next: attempt + 1 < shapes.len(),
    })?;
    let refs = tensors.refs();
    let rank = |&index: &usize| match has_zero_padding(nets[index], &refs) {
        true => padding_columns(nets[index]) + 1,
        false => 0,
    };
    let equal = fitting
        .into_iter()
        .filter(|&index| has_tensors_of(nets[shape], nets[index]));
    // Of several with as many, the first.
    let net = equal.rev().max_by_key(rank).unwrap_or(shape);
    Ok(Streamed {
        net,
        header,
        tensors,
    })
}

/// A source whose bytes are copied as they are read.
struct Copied<'a, R> {
    source: &'a mut R,
    copy: &'a mut Vec<u8>,
}

impl<R: Read> Read for Copied<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(out)?;
        self.copy.extend_from_slice(&out[..bytes]);
        Ok(bytes)
    }
}

/// Whether two networks have tensors of the same shapes and types, in one order.
fn has_tensors_of(net: &NetDesc<'_>, other: &NetDesc<'_>) -> bool {
    let shape = |tensor: &TensorDesc<'_>| {
        let TensorDesc {
            role,
            element,
            rows,
            cols,
            copies,
            ..
        } = *tensor;
        (role, element, rows, cols, copies)
    };
    let shapes = |net: &NetDesc<'_>| net.tensors.iter().map(shape).collect::<Vec<_>>();
    shapes(net) == shapes(other)
}

/// Whether the columns of layers after their last input are zero.
fn has_zero_padding(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> bool {
    let mut weights = net.tensors.iter().zip(tensors);
    weights.all(|(desc, tensor)| match (desc.role, tensor) {
        (TensorRole::LayerWeight(layer), TensorRef::I8(weights)) => {
            let mut rows = weights.chunks_exact(desc.cols);
            rows.all(|row| {
                row[net.layers[layer].inputs..]
                    .iter()
                    .all(|&weight| weight == 0)
            })
        }
        _ => true,
    })
}
