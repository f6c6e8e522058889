use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::model::SelectorSpec;
use crate::testing::*;

#[test]
fn dual_activations_share_their_layer_and_are_read_as_slices() {
    let plan = planned(&sfnn_v5(1024));
    let kinds: Vec<_> = plan
        .layers
        .iter()
        .map(|layer| (layer.kind, layer.inputs, layer.outputs))
        .collect();
    assert_eq!(
        kinds,
        [
            (LayerKind::Sparse, 1024, 16),
            (LayerKind::Dense, 30, 32),
            (LayerKind::Row, 32, 1)
        ]
    );
    let names: Vec<_> = plan
        .buffers
        .iter()
        .map(|buffer| (buffer.name.as_str(), buffer.len, buffer.max))
        .collect();
    assert_eq!(
        names,
        [
            ("x", 1024, 126),
            ("fc0_sqr_crelu", 16, 127),
            ("fc0_crelu", 16, 127),
            ("fc1_crelu", 32, 127)
        ]
    );
    assert_eq!(
        plan.layers[1].segments,
        [
            Segment {
                buffer: 1,
                start: 0,
                len: 15
            },
            Segment {
                buffer: 2,
                start: 0,
                len: 15
            }
        ]
    );
    assert_eq!(
        plan.steps,
        [
            StepDesc::ActivateAccumulator {
                activation: Activation::Pairwise,
                shift: 7,
                buffer: 0
            },
            StepDesc::Affine { layer: 0 },
            StepDesc::ActivateSums {
                activation: Activation::SqrCrelu,
                shift: 19,
                layer: 0,
                buffer: 1
            },
            StepDesc::ActivateSums {
                activation: Activation::Crelu,
                shift: 6,
                layer: 0,
                buffer: 2
            },
            StepDesc::Affine { layer: 1 },
            StepDesc::ActivateSums {
                activation: Activation::Crelu,
                shift: 6,
                layer: 1,
                buffer: 3
            },
            StepDesc::Affine { layer: 2 },
        ]
    );
    assert_eq!(
        plan.terms[1],
        OutputTerm {
            layer: 0,
            neuron: 15,
            negative: false,
            ratio: Some(Ratio {
                num: 9600,
                den: 8128,
                wide: false
            })
        }
    );
    assert_eq!(
        plan.notation,
        "HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 32 -> 1)x8"
    );
    assert_eq!(plan.container.network_hash(), 0x1C10_2EF2);
}

#[test]
fn activations_of_the_program_are_steps_like_others_with_their_maximum() {
    let own = |max: Option<u64>, input| apply(custom("self::f", max), input);
    let hidden = || name("h");
    let parts = concat([
        own(Some(90), slice(hidden(), 0, 4)),
        own(None, hidden()),
        own(Some(90), hidden()),
    ]);
    let bindings = vec![bind("h", affine(own(Some(100), name("acc")), 16))];
    let spec = net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(parts, 1))],
    );
    let plan = planned(&spec);
    let buffers: Vec<_> = plan
        .buffers
        .iter()
        .map(|buffer| (buffer.len, buffer.max))
        .collect();
    assert_eq!(
        buffers,
        [(128, 100), (16, 90), (16, 127)],
        "the same function with another maximum is another buffer"
    );
    assert_eq!(
        plan.steps,
        [
            StepDesc::ActivateAccumulator {
                activation: Activation::Custom(0),
                shift: 0,
                buffer: 0
            },
            StepDesc::Affine { layer: 0 },
            StepDesc::ActivateSums {
                activation: Activation::Custom(0),
                shift: 0,
                layer: 0,
                buffer: 1
            },
            StepDesc::ActivateSums {
                activation: Activation::Custom(0),
                shift: 0,
                layer: 0,
                buffer: 2
            },
            StepDesc::Affine { layer: 1 },
        ]
    );
    assert_eq!(
        plan.tables().descriptor().custom_activation(),
        Some("self::f")
    );
    assert!(plan.tables().descriptor().has_custom_functions());
    assert_eq!(
        plan.notation,
        "Chess768[768] -> 64x2 self::f -> 16 self::f|self::f -> 1"
    );
}

#[test]
fn a_chain_has_the_arithmetic_of_the_first_networks() {
    let plan = planned(&chain(FeatureSetId::HalfKp, 256));
    let shifts = plan.steps.iter().filter_map(|step| match step {
        StepDesc::ActivateSums { shift, .. } | StepDesc::ActivateAccumulator { shift, .. } => {
            Some(*shift)
        }
        _ => None,
    });
    let shifts: Vec<_> = shifts.collect();
    assert_eq!(shifts, [0, 6, 6]);
    assert_eq!(plan.notation, "HalfKP[41024] -> 256x2 -> 16 -> 32 -> 1");
    assert_eq!(
        (plan.stacks, plan.value),
        (
            StackDesc {
                count: 1,
                selector: Selector::Single
            },
            ValueDesc::Together { divide: 16 }
        )
    );
}

#[test]
fn tensors_stand_in_file_order() {
    let plan = planned(&sfnn_v5(1024));
    let shapes: Vec<_> = plan
        .tensors
        .iter()
        .map(|t| (t.name.as_str(), t.rows, t.cols, t.copies))
        .collect();
    assert_eq!(
        shapes,
        [
            ("ft_bias", 1, 1024, 1),
            ("ft_weight", 22528, 1024, 1),
            ("ft_psqt", 22528, 8, 1),
            ("fc0_bias", 1, 16, 8),
            ("fc0_weight", 16, 1024, 8),
            ("fc1_bias", 1, 32, 8),
            ("fc1_weight", 32, 32, 8),
            ("fc2_bias", 1, 1, 8),
            ("fc2_weight", 1, 32, 8),
        ]
    );
    // The file of SFNNv5 has 47,001,424 bytes without its description, of which 12 + 4 + 8 * 4 are not
    // tensors.
    assert_eq!(
        plan.tables().descriptor().parameter_bytes(),
        47_001_424 - 12 - 4 - 32
    );
}

#[test]
fn the_same_activation_is_made_once_and_neighbouring_slices_are_joined() {
    let parts = concat([
        slice(crelu(name("h")), 0, 8),
        slice(crelu(name("h")), 8, 16),
        crelu(name("h")),
    ]);
    let bindings = vec![
        bind("h", affine(crelu(name("acc")), 16)),
        bind("again", affine(parts, 4)),
    ];
    let plan = planned(&net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(crelu(name("again")), 1))],
    ));
    assert_eq!(plan.buffers.len(), 3);
    let whole = Segment {
        buffer: 1,
        start: 0,
        len: 16,
    };
    assert_eq!(plan.layers[1].segments, [whole, whole]);
}

#[test]
fn slices_of_concatenations_cut_every_part() {
    let bindings = vec![
        bind("h", affine(crelu(name("acc")), 16)),
        bind("both", concat([sqr_crelu(name("h")), crelu(name("h"))])),
        bind("g", affine(slice(slice(name("both"), 4, 30), 2, 20), 8)),
    ];
    let plan = planned(&net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(crelu(name("g")), 1))],
    ));
    assert_eq!(
        plan.layers[1].segments,
        [
            Segment {
                buffer: 1,
                start: 6,
                len: 10
            },
            Segment {
                buffer: 2,
                start: 0,
                len: 8
            }
        ]
    );
}

#[test]
fn buffers_are_named_by_the_declaration_where_the_name_stands_for_all_of_them() {
    let bindings = vec![
        bind("h", affine(crelu(name("acc")), 16)),
        bind("part", crelu(slice(name("h"), 0, 8))),
        bind("fc1_crelu", sqr_crelu(name("h"))),
        bind("g", affine(concat([name("part"), name("fc1_crelu")]), 8)),
    ];
    let plan = planned(&net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(crelu(name("g")), 1))],
    ));
    let names: Vec<_> = plan
        .buffers
        .iter()
        .map(|buffer| buffer.name.as_str())
        .collect();
    assert_eq!(names, ["acc_crelu", "fc0_crelu", "fc1_crelu", "fc1_crelu'"]);
}

#[test]
fn layers_that_read_accumulators_with_one_output_are_rows() {
    let mut spec = net(
        FeatureSetId::Chess768,
        256,
        vec![],
        vec![term(affine(crelu(name("acc")), 1))],
    );
    spec.accumulator.perspectives = at(1);
    let plan = planned(&spec);
    assert_eq!(
        (plan.layers[0].kind, plan.layers[0].inputs),
        (LayerKind::Row, 256)
    );
    assert_eq!(plan.notation, "Chess768[768] -> 256 -> 1");
}

#[test]
fn prepared_blocks_follow_the_segments() {
    let plan = planned(&sfnn_v5(1024));
    let tables = plan.tables();
    let net = tables.descriptor();
    assert_eq!(
        (
            net.prepared_blocks(0),
            net.prepared_blocks(1),
            net.prepared_row_bytes(2)
        ),
        (256, 8, 64)
    );
    assert_eq!(
        (net.segment_blocks(1, 1), net.segment_prepared_block(1, 1)),
        (0..4, 4)
    );
    assert_eq!(net.layers[1].segment_column(1), 15);
    assert_eq!((net.buffer_bytes(0), net.buffer_bytes(1)), (1024, 64));
    assert_eq!(
        (
            net.layers[0].padded_outputs(),
            net.layers[2].padded_outputs()
        ),
        (16, 16)
    );
}

#[test]
fn verify_finds_what_does_not_agree() {
    let plan = planned(&sfnn_v5(1024));
    let broken = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        verify(&plan.tables().descriptor()).expect_err("inconsistent")
    };
    assert_eq!(
        broken(&|plan| plan.steps.swap(3, 4)),
        "step 3: Segment { buffer: 2, start: 0, len: 15 } is not made yet"
    );
    assert_eq!(
        broken(&|plan| plan.layers[1].segments[0].len = 17),
        "layer 1 reads outside a buffer"
    );
    assert_eq!(
        broken(&|plan| plan.layers[1].inputs = 31),
        "layer 1: segments have 30 values"
    );
    assert_eq!(
        broken(&|plan| plan.terms[1].neuron = 16),
        "there is no neuron 16 in layer 0"
    );
    assert_eq!(
        broken(&|plan| plan.tensors[4].cols = 512),
        "tensor LayerWeight(0) is to be 8 times [16][1024] here"
    );
    assert_eq!(
        broken(&|plan| plan.steps.truncate(6)),
        "layer 2 is not computed once"
    );
}

#[test]
fn written_shifts_take_the_place_of_those_that_follow_from_scales() {
    let x = shifted(Activation::Pairwise, name("acc"), 9);
    let h = affine(x, 16);
    let spec = net(
        FeatureSetId::Chess768,
        64,
        vec![],
        vec![term(affine(shifted(Activation::Crelu, h, 5), 1))],
    );
    let plan = planned(&spec);
    assert_eq!(plan.buffers[0].max, (127 * 127) >> 9);
    assert!(matches!(
        plan.steps[0],
        StepDesc::ActivateAccumulator { shift: 9, .. }
    ));
    assert!(matches!(
        plan.steps[2],
        StepDesc::ActivateSums { shift: 5, .. }
    ));
}

#[test]
fn the_notation_says_what_is_not_the_default() {
    let h = affine(shifted(Activation::Pairwise, name("acc"), 10), 16);
    let mut spec = bucketed(net(
        FeatureSetId::Chess768,
        64,
        vec![],
        vec![term(affine(sqr_crelu(h), 1))],
    ));
    spec.accumulator.one = at(255);
    spec.stacks.by = Some(at(SelectorSpec::PieceCount {
        minus: 2,
        divide: 4,
    }));
    let plan = planned(&spec);
    let chain = "Chess768[768] -> 64x2 @ 255 pairwise >> 10, psqt 8 -> (16 sqr_crelu -> 1)x8 by (piece_count - 2) / 4";
    assert_eq!(plan.notation, chain);
}

#[test]
fn a_single_block_is_read_with_its_neighbour() {
    let bindings = vec![
        bind("h", affine(crelu(name("acc")), 3)),
        bind("g", affine(crelu(name("h")), 8)),
    ];
    let plan = planned(&net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(crelu(name("g")), 1))],
    ));
    let tables = plan.tables();
    assert_eq!(
        (
            tables.descriptor().segment_blocks(1, 0),
            tables.descriptor().prepared_blocks(1)
        ),
        (0..2, 2)
    );
}
