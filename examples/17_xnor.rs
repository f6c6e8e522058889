//! 17: a network of signs: the one of the text on XNOR networks, read from a safetensors file.
//!
//! Shows: convolutions and a layer whose values and weights are signs; tensors by their names from a trainer's file, as `safetensors` reads it;
//! what is said of a file of another shape; that every level gives the same bits as the reference interpreter.
//!
//! Run: `cargo run --example 17_xnor`
//!
//! ```text
//! Xnor: input[1, 28, 28] -> conv2d(16 binary, kernel 5, input_scale) -> relu -> max_pool2d(kernel 2, stride 2) -> batch_norm -> conv2d(32 binary, kernel 5, input_scale) -> relu -> max_pool2d(kernel 2, stride 2) -> batch_norm -> flatten -> 10 binary
//!     a file of 75256 bytes, 14 tensors; 18320 weights are signs
//! all levels give the same bits, the greatest output is number 9
//! ```

use std::borrow::Cow;
use std::error::Error;

use nnue::dense::{Architecture, DenseRole, Network};
use nnue::{Level, nnue};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

nnue! {
    /// Pictures of 28 x 28 numbers, ten classes. Scales are mean magnitudes: of the weights of each output, and of what is read.
    pub struct Xnor = input[1, 28, 28]
        -> conv2d(16 binary, kernel 5, input_scale) relu -> max_pool2d(kernel 2) batch_norm
        -> conv2d(32 binary, kernel 5, input_scale) relu -> max_pool2d(kernel 2) batch_norm
        -> flatten -> 10 binary;
}

/// A network from the tensors of a file, which are called as in the declaration.
fn load<A: Architecture>(file: &[u8]) -> Result<Network<A>, Box<dyn Error>> {
    let file = SafeTensors::deserialize(file)?;
    let mut tensors = Vec::new();
    for declared in A::SPEC.tensors() {
        let tensor = file
            .tensor(&declared.name)
            .map_err(|error| format!("tensor `{}`: {error}", declared.name))?;
        if tensor.dtype() != Dtype::F32 || tensor.shape() != declared.shape {
            let (dtype, shape) = (tensor.dtype(), tensor.shape());
            return Err(format!(
                "`{}` is {dtype:?} {shape:?}, declared F32 {:?}",
                declared.name, declared.shape
            )
            .into());
        }
        tensors.push(
            tensor
                .data()
                .as_chunks()
                .0
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes))
                .collect(),
        );
    }
    Ok(Network::from_tensors(tensors)?)
}

/// What a trainer would write.
fn save<A: Architecture>(network: &Network<A>) -> Result<Vec<u8>, Box<dyn Error>> {
    let bytes: Vec<Cow<'_, [u8]>> = network
        .tensors()
        .iter()
        .map(|tensor| {
            tensor
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect::<Vec<u8>>()
                .into()
        })
        .collect();
    let views = A::SPEC
        .tensors()
        .into_iter()
        .zip(&bytes)
        .map(|(tensor, bytes)| {
            let view = TensorView::new(Dtype::F32, tensor.shape, bytes)?;
            Ok((tensor.name, view))
        });
    Ok(serialize(
        views.collect::<Result<Vec<_>, safetensors::SafeTensorError>>()?,
        None,
    )?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("Xnor: {}", Xnor::SPEC.notation());
    let file = save(&XnorNetwork::random(1))?;
    let described = Xnor::SPEC.tensors();
    let signs = described
        .iter()
        .filter(|tensor| tensor.role == DenseRole::Weight && tensor.shape.len() > 1);
    let signs: usize = signs.map(|tensor| tensor.len()).sum();
    println!(
        "    a file of {} bytes, {} tensors; {signs} weights are signs",
        file.len(),
        described.len()
    );

    let mut network: Network<Xnor> = load(&file)?;
    let ring = |x: usize| (x % 28).abs_diff(14).pow(2) + (x / 28).abs_diff(14).pow(2);
    let picture: [f32; 784] = std::array::from_fn(|x| {
        if (40..80).contains(&ring(x)) {
            1.0
        } else {
            -0.5
        }
    });
    let values = nnue_spec::dense::reference::evaluate(&Xnor::SPEC, network.tensors(), &picture);
    let expected = values.last().expect("a network has an output");
    for level in Level::available() {
        network = network.with_level(level);
        assert_eq!(network.evaluate(&picture).as_slice(), expected, "{level}");
    }
    let greatest = (0..10)
        .max_by(|&a, &b| expected[a].total_cmp(&expected[b]))
        .expect("ten outputs");
    println!("all levels give the same bits, the greatest output is number {greatest}");

    let short = load::<Xnor>(&file[..1000]).expect_err("a file that ends too early");
    assert!(short.is::<safetensors::SafeTensorError>(), "{short}");
    Ok(())
}
