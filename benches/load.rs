//! Loading: decoding numbers, whole files in both encodings, proofs about the weights.
//!
//! ```console
//! $ cargo bench --bench load                          # networks with made-up weights
//! $ NNUE_NETS=/path/to/nets cargo bench --bench load  # and the published files in that folder
//! ```
//!
//! `load` is the time that a program waits: memory, reading, decoding, preparation for the processor. Compare it with `decode` on
//! the same network to see the cost of the rest.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use nnue::spec::{ElementType, TensorMut, TensorRef};
use nnue::stockfish::{SfnnSmall, Sfnnv5, Sfnnv9};
use nnue::{Architecture, Encoding, Model, Network, Parameters};
use nnue_format::leb128::{Decoder, Portable, Progress, encode};
use nnue_tools::bounds;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Weights with the share of two-byte numbers of a published network: one in sixteen.
fn made_up<A: Architecture>() -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i32
    };
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(values) => values
                .iter_mut()
                .for_each(|value| *value = (random() % 16) as i8),
            TensorMut::I16(values) => values.iter_mut().for_each(|value| {
                *value = if random() % 16 == 0 {
                    random() % 300
                } else {
                    random() % 64
                } as i16;
            }),
            TensorMut::I32(values) => values
                .iter_mut()
                .for_each(|value| *value = random() % 40_000),
            TensorMut::F32(values) => values.fill(0.0),
        }
    }
    Network::from_params(params)
}

fn file_of<A: Architecture>(mut network: Network<A>, encoding: Encoding) -> Vec<u8> {
    network.header_mut().encoding = encoding;
    let mut file = Vec::new();
    network.write(&mut file).expect("a vector takes everything");
    file
}

fn load_bytes<A: Architecture>(group: &mut Group<'_>, name: &str, encoding: Encoding) {
    let network = made_up::<A>();
    let weights: Vec<i32> = sample(network.params());
    let file = file_of(network, encoding);
    let loaded = Network::<A>::from_bytes(&file).expect("what was written is read");
    assert_eq!(sample(loaded.params()), weights, "{name}");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| Network::<A>::from_bytes(black_box(&file)))
    });
}

/// Every thousandth number of each tensor.
fn sample(params: &impl Parameters) -> Vec<i32> {
    params
        .tensors()
        .iter()
        .flat_map(|tensor| (0..tensor.len()).step_by(1000).map(|i| tensor.get(i)))
        .collect()
}

fn load_file<A: Architecture>(group: &mut Group<'_>, name: &str, file: &str) {
    let Some(folder) = std::env::var_os("NNUE_NETS") else {
        return;
    };
    let path = PathBuf::from(folder).join(file);
    let bytes = std::fs::metadata(&path)
        .expect("the folder holds the network")
        .len();
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function(name, |bencher| {
        bencher.iter(|| Network::<A>::open(&path).expect("the network is right"))
    });
}

fn load(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.sample_size(10);
    load_bytes::<Sfnnv5>(&mut group, "sfnnv5/raw", Encoding::Raw);
    load_bytes::<Sfnnv9>(&mut group, "sfnnv9/leb128", Encoding::Leb128);
    load_bytes::<SfnnSmall>(&mut group, "sfnn_small/leb128", Encoding::Leb128);
    load_file::<Sfnnv5>(&mut group, "sfnnv5/published", "nn-ad9b42354671.nnue");
    load_file::<Sfnnv9>(&mut group, "sfnnv9/published", "nn-1c0000000000.nnue");
    load_file::<SfnnSmall>(&mut group, "sfnn_small/published", "nn-37f18f62d772.nnue");
}

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    group.sample_size(10);
    let network = made_up::<Sfnnv9>();
    for (desc, tensor) in Sfnnv9::SPEC.tensors.iter().zip(network.params().tensors()) {
        match (desc.element, tensor) {
            (ElementType::I16, TensorRef::I16(values)) if desc.rows > 1 => {
                decode_one(&mut group, "sfnnv9/ft_weight", values, |bytes, out| {
                    Portable.decode_i16(bytes, out).ok()
                });
            }
            (ElementType::I32, TensorRef::I32(values)) if desc.rows > 1 => {
                decode_one(&mut group, "sfnnv9/ft_psqt", values, |bytes, out| {
                    Portable.decode_i32(bytes, out).ok()
                });
            }
            _ => {}
        }
    }
}

fn decode_one<T: nnue_format::leb128::Number + PartialEq>(
    group: &mut Group<'_>,
    name: &str,
    values: &[T],
    decode: impl Fn(&[u8], &mut [T]) -> Option<Progress>,
) {
    let (mut bytes, mut out) = (Vec::new(), vec![T::default(); values.len()]);
    encode(values, &mut bytes);
    assert_eq!(
        decode(&bytes, &mut out),
        Some(Progress {
            bytes: bytes.len(),
            numbers: values.len()
        })
    );
    assert!(out == values, "{name}");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| decode(black_box(&bytes), &mut out))
    });
}

fn prove(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("prove");
    group.sample_size(10);
    let network = made_up::<Sfnnv9>();
    let tensors = network.params().tensors();
    assert!(bounds::prove(&Sfnnv9::SPEC, &tensors).nothing_wraps());
    group.throughput(Throughput::Bytes(Sfnnv9::SPEC.parameter_bytes() as u64));
    group.bench_function("sfnnv9", |bencher| {
        bencher.iter(|| bounds::prove(&Sfnnv9::SPEC, black_box(&tensors)))
    });
}

criterion_group!(benches, load, decode, prove);
criterion_main!(benches);
