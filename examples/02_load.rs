//! 02: files.
//!
//! Shows: writing a network, opening it again, and the errors for files that are not this network.
//!
//! Run: `cargo run --example 02_load`
//!
//! ```text
//! 100618 bytes: made by an example
//! as written: loaded
//! cut short: truncated: tensor `ft_weight` needs 98304 bytes from offset 162 on, the file has 49838 of them: copy or download it again
//! with more at the end: trailing bytes: the network `Small` ends at offset 100618, and the file goes on with 1 byte, all 0x3f: the hashes are those of `Small`, so they seem to have been appended: the first 100618 bytes are the network
//! as another network: architecture mismatch: file hash 0x7c547fa1, `Wider` expects 0x7c547ff1: declare the network as the file has it
//! a picture: not a network: this is a PNG picture
//! no file: cannot read: no/such/file.nnue: No such file or directory (os error 2)
//! ```

use nnue::{LoadError, Network, Parameters, nnue, spec::TensorMut};

nnue! {
    pub struct Small = Chess768[..] -> 64x2 -> 16 -> 1;
    pub struct Wider = Chess768[..] -> 96x2 -> 16 -> 1;
}

/// A network with a pattern for weights. The tensors of every network can be visited in file order.
fn patterned() -> Network<Small> {
    let mut params = SmallParams::zeroed();
    let pattern = |index: usize| (index * 37 % 61) as i8 - 30;
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i)),
            TensorMut::I16(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
            TensorMut::I32(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
            TensorMut::F32(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
        }
    }
    Network::from_params(params)
}

fn report<T>(what: &str, result: Result<T, LoadError>) {
    match result {
        Ok(_) => println!("{what}: loaded"),
        Err(error) => println!("{what}: {error}"),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join("nnue-example-02.nnue");
    let mut network = patterned();
    network.header_mut().description = b"made by an example".to_vec();
    network.write(std::fs::File::create(&path)?)?;

    // From a path; `Network::read` takes any reader, `Network::from_bytes` a slice.
    let file = std::fs::read(&path)?;
    println!(
        "{} bytes: {}",
        file.len(),
        String::from_utf8_lossy(Network::<Small>::open(&path)?.description())
    );

    report("as written", Network::<Small>::from_bytes(&file));
    report("cut short", Network::<Small>::from_bytes(&file[..50_000]));
    report(
        "with more at the end",
        Network::<Small>::from_bytes(&[&file[..], b"?"].concat()),
    );
    report("as another network", Network::<Wider>::from_bytes(&file));
    report(
        "a picture",
        Network::<Small>::from_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    );
    report("no file", Network::<Small>::open("no/such/file.nnue"));
    std::fs::remove_file(&path)?;
    Ok(())
}
