//! Embedded files whose rows are used where they are.

use nnue::spec::TensorMut;
use nnue::{AccumulatorStack, Embedded, Level, Network, Parameters, nnue};

use crate::support::positions;

nnue! {
    struct Tree {
        acc = accumulate(Chess768[mirrored], 128 @ 255) x 2;
        let x = pairwise(acc);
        let h = affine(x, 16);
        output value = affine(screlu(h), 1: f32);
        output policy = rows(x, 1880);
        format raw;
        weights "examples/nets/tree.bin";
    }
}

fn is_in_the_program(network: &Network<Tree>) -> bool {
    let rows = network.params().ft.weight.flat().as_ptr().cast();
    Tree::BYTES.as_ptr_range().contains(&rows)
}

#[test]
fn rows_of_a_raw_file_are_not_copied() {
    let embedded = Network::<Tree>::embedded();
    assert!(is_in_the_program(&embedded));
    let copied = Network::<Tree>::from_bytes(Tree::BYTES).expect("the macro read it");
    assert!(!is_in_the_program(&copied));
    assert_eq!(embedded.to_bytes().ok().as_deref(), Some(Tree::BYTES));
}

#[test]
fn values_are_those_of_a_copy_on_every_level() {
    for level in Level::available() {
        let embedded = Network::<Tree>::embedded().with_level(level);
        let copied = Network::<Tree>::from_bytes(Tree::BYTES).expect("the macro read it");
        let copied = copied.with_level(level);
        assert!(is_in_the_program(&embedded));
        let mut stacks = (AccumulatorStack::new(), AccumulatorStack::new());
        for position in positions(20) {
            let values = (
                embedded.evaluate(&position, &mut stacks.0),
                copied.evaluate(&position, &mut stacks.1),
            );
            assert_eq!(values.0.value, values.1.value, "{level:?}");
        }
    }
}

#[test]
fn changed_weights_are_copied_first() {
    let mut params = Network::<Tree>::embedded().into_params();
    let TensorMut::I16(rows) = &mut params.tensors_mut()[0] else {
        panic!("the rows are the first tensor");
    };
    rows[0] += 1;
    let changed = Network::<Tree>::from_params(params);
    assert!(!is_in_the_program(&changed));
    let file = changed.to_bytes().expect("it fits");
    let differences = file.iter().zip(Tree::BYTES).filter(|(a, b)| a != b);
    assert_eq!(differences.count(), 1);
    let again = Network::<Tree>::embedded();
    assert_eq!(again.to_bytes().ok().as_deref(), Some(Tree::BYTES));
}
