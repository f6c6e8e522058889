//! Files of subnet networks: only numbers, little endian, without a header or padding.
//!
//! ```text
//!   for each group, in the order of the declaration
//!     for each subnet
//!       weight[row][neuron]    f32, or i16
//!       bias[neuron]           the same
//!   terms                      f32
//! ```

use alloc::format;
use alloc::vec::Vec;

use nnue_spec::ElementType;
use nnue_spec::subnets::{Numbers, Parameters, SubnetsDesc};

use crate::error::{LoadError, LoadErrorKind};
use crate::random::Random;

/// The size of a file in bytes.
pub fn size(net: &SubnetsDesc<'_>) -> usize {
    net.numbers() * net.element.bytes() + 4 * net.terms
}

/// Reads the parameters of a file.
///
/// # Errors
///
/// [`LoadError`]: the file has another length, or a float in it is infinite or NaN.
pub fn read(net: &SubnetsDesc<'_>, bytes: &[u8]) -> Result<Parameters, LoadError> {
    let (expected, found) = (size(net), bytes.len());
    if found != expected {
        let (kind, what) = if found < expected {
            (
                LoadErrorKind::Truncated,
                format!("ends after {found} bytes"),
            )
        } else {
            (
                LoadErrorKind::TrailingBytes,
                "goes on after the last number".into(),
            )
        };
        let message = format!(
            "the file {what}, `{}` has {expected} bytes, without a header",
            net.name
        );
        let error = LoadError::new(kind, found.min(expected) as u64, message);
        return Err(error.with_values(expected as u64, found as u64));
    }
    let (numbers, terms) = bytes.split_at(net.numbers() * net.element.bytes());
    let numbers = match net.element {
        ElementType::F32 => Numbers::Floats(floats(numbers)),
        _ => Numbers::Whole(
            numbers
                .as_chunks()
                .0
                .iter()
                .map(|bytes| i16::from_le_bytes(*bytes))
                .collect(),
        ),
    };
    let parameters = Parameters {
        numbers,
        terms: floats(terms),
    };
    check(net, &parameters)?;
    Ok(parameters)
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}

/// Refuses parameters of other lengths or of another type, and floats that are not finite.
///
/// # Errors
///
/// [`LoadError`], with the offset of the number in a file.
pub fn check(net: &SubnetsDesc<'_>, parameters: &Parameters) -> Result<(), LoadError> {
    let Parameters { numbers, terms } = parameters;
    let (declared, found) = ([net.numbers(), net.terms], [numbers.len(), terms.len()]);
    if declared != found {
        let [[numbers, terms], [found, found_terms]] = [declared, found];
        let message = format!(
            "`{}` has {numbers} numbers and {terms} terms, found {found} and {found_terms}",
            net.name
        );
        return Err(LoadError::new(LoadErrorKind::Architecture, 0, message));
    }
    let element = match numbers {
        Numbers::Floats(_) => ElementType::F32,
        Numbers::Whole(_) => ElementType::I16,
    };
    if element != net.element {
        let message = format!(
            "weights of `{}` are {}, found {}",
            net.name,
            net.element.name(),
            element.name()
        );
        return Err(LoadError::new(LoadErrorKind::Architecture, 0, message));
    }
    if let Numbers::Floats(numbers) = numbers {
        check_finite(numbers, "the weights of the subnets", 0)?;
    }
    check_finite(terms, "the terms", (net.numbers() * element.bytes()) as u64)
}

fn check_finite(floats: &[f32], what: &str, start: u64) -> Result<(), LoadError> {
    let Some(element) = floats.iter().position(|float| !float.is_finite()) else {
        return Ok(());
    };
    let offset = start + 4 * element as u64;
    let message = format!(
        "number {element} of {what} at offset {offset} is {}, floats of a network are finite: the training diverged, or the file is another network",
        floats[element]
    );
    Err(LoadError::new(LoadErrorKind::ValueRange, offset, message).with_element(element as u64))
}

/// Encodes the parameters as a file.
pub fn to_bytes(parameters: &Parameters) -> Vec<u8> {
    let mut bytes = match &parameters.numbers {
        Numbers::Floats(numbers) => of_floats(numbers),
        Numbers::Whole(numbers) => numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect(),
    };
    bytes.extend(of_floats(&parameters.terms));
    bytes
}

fn of_floats(floats: &[f32]) -> Vec<u8> {
    floats
        .iter()
        .flat_map(|float| float.to_le_bytes())
        .collect()
}

/// Random weights, for tests and measurements. They depend only on `seed`; other versions of this crate may
/// give others. About half of the neurons are active in a position of 32 pieces.
pub fn random(net: &SubnetsDesc<'_>, seed: u64) -> Parameters {
    let mut random = Random(seed);
    let mut float = |width: f32| width * random.share();
    let numbers = match net.element {
        ElementType::F32 => Numbers::Floats((0..net.numbers()).map(|_| float(0.25)).collect()),
        _ => {
            let width = net.groups.first().map_or(1, |group| group.one) as f32 / 4.0;
            Numbers::Whole(
                (0..net.numbers())
                    .map(|_| float(width.max(2.0)) as i16)
                    .collect(),
            )
        }
    };
    Parameters {
        numbers,
        terms: (0..net.terms).map(|_| float(1.0)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue_spec::subnets::{SubnetGroup, SubnetProduct};
    use nnue_spec::{Activation, FeatureSetId};

    const GROUPS: [SubnetGroup<'_>; 2] = [
        SubnetGroup {
            name: "a",
            count: 2,
            width: 3,
            one: 1,
            activation: Activation::Relu,
        },
        SubnetGroup {
            name: "b",
            count: 1,
            width: 3,
            one: 1,
            activation: Activation::Relu,
        },
    ];
    const NET: SubnetsDesc<'_> = SubnetsDesc {
        name: "N",
        set: FeatureSetId::Chess768,
        set_name: "",
        element: ElementType::F32,
        groups: &GROUPS,
        products: &[SubnetProduct {
            negative: false,
            groups: [0, 1],
        }],
        terms: 2,
    };

    #[test]
    fn what_is_written_is_read() {
        for element in [ElementType::F32, ElementType::I16] {
            let net = SubnetsDesc { element, ..NET };
            let parameters = random(&net, 1);
            let bytes = to_bytes(&parameters);
            assert_eq!(bytes.len(), 3 * 769 * 3 * element.bytes() + 8);
            assert_eq!(read(&net, &bytes).expect("it was written so"), parameters);
            for cut in [0, 1, bytes.len() - 1] {
                assert_eq!(
                    read(&net, &bytes[..cut]).expect_err("it is cut").kind(),
                    LoadErrorKind::Truncated
                );
            }
            let longer = [bytes, vec![0]].concat();
            assert_eq!(
                read(&net, &longer).expect_err("it is longer").kind(),
                LoadErrorKind::TrailingBytes
            );
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused_with_their_place() {
        let mut parameters = random(&NET, 2);
        parameters.terms[1] = f32::NAN;
        let error = check(&NET, &parameters).expect_err("a term is NaN");
        assert_eq!(
            (error.kind(), error.offset()),
            (LoadErrorKind::ValueRange, 4 * (3 * 769 * 3 + 1))
        );
        parameters.terms.pop();
        assert_eq!(
            check(&NET, &parameters).expect_err("one is missing").kind(),
            LoadErrorKind::Architecture
        );
        parameters = random(&NET, 3);
        if let Numbers::Floats(numbers) = &mut parameters.numbers {
            numbers[5] = f32::INFINITY;
        }
        let error = check(&NET, &parameters).expect_err("a weight is infinite");
        assert_eq!((error.element(), error.offset()), (Some(5), 20));
    }
}
