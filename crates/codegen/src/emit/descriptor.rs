//! `const SPEC`: the descriptor as a literal.

use nnue_spec::{
    AccumulatorDesc, Activation, Axes, Axis, BufferDesc, ContainerDesc, CustomDesc, Decimal,
    Encoding, FeatureDesc, FeatureSetId, GoldenDesc, HELD, HeadDesc, HeadGoldenDesc, HeadKind,
    HeadSource, KingBuckets, LayerDesc, LayerKind, NetDesc, OutputDesc, OutputTerm, Padding, Part,
    PerspectiveOrder, Ratio, RawDesc, RowGroup, RowMeasure, RowRule, Section, Segment, Selector,
    Shards, SignOf, Source, StackDesc, StepDesc, Stored, TensorDesc, TensorRole, ValueDesc,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::literal::{emit_element, emit_unit, number};
use super::map::emit_map;

/// The descriptor as an expression. Its types are prefixed with `__rt::`.
pub(crate) fn emit_descriptor(net: &NetDesc<'_>) -> TokenStream {
    let NetDesc { name, notation, .. } = net;
    let features = net
        .features
        .iter()
        .map(|feature| emit_feature(net, feature));
    let accumulator = emit_accumulator(&net.accumulator);
    let stacks = emit_stacks(&net.stacks);
    let buffers = net.buffers.iter().map(emit_buffer);
    let layers = net.layers.iter().map(emit_layer);
    let maps = net.maps.iter().map(emit_map);
    let steps = net.steps.iter().map(emit_step);
    let output = emit_output(&net.output);
    let heads = net.heads.iter().map(emit_head);
    let value = emit_value(net.value);
    let tensors = net.tensors.iter().map(emit_tensor);
    let container = emit_container(&net.container);
    let raw = emit_raw(net.raw.as_ref());
    let custom = emit_custom(&net.custom);
    let goldens = net.goldens.iter().map(|GoldenDesc { fen, value }| {
        let value = Literal::i32_unsuffixed(*value);
        quote!(__rt::GoldenDesc { fen: #fen, value: #value })
    });
    let head_goldens = net.head_goldens.iter().map(emit_head_golden);
    quote! {
        __rt::NetDesc {
            name: #name,
            notation: #notation,
            features: &[#(#features),*],
            accumulator: #accumulator,
            stacks: #stacks,
            buffers: &[#(#buffers),*],
            layers: &[#(#layers),*],
            maps: &[#(#maps),*],
            steps: &[#(#steps),*],
            output: #output,
            heads: &[#(#heads),*],
            value: #value,
            tensors: &[#(#tensors),*],
            container: #container,
            raw: #raw,
            goldens: &[#(#goldens),*],
            head_goldens: &[#(#head_goldens),*],
            custom: #custom,
        }
    }
}

fn hexadecimal(value: u32) -> TokenStream {
    // `Literal` has no constructor for base 16; this text is always well formed.
    format!("0x{value:08X}")
        .parse()
        .unwrap_or_else(|_| quote!(#value))
}

fn emit_feature(net: &NetDesc<'_>, feature: &FeatureDesc) -> TokenStream {
    let set = emit_set(feature.set, net.custom.set);
    let (rows, element) = (number(feature.rows), emit_element(feature.element));
    quote!(__rt::FeatureDesc::new(__rt::FeatureSetId::#set, #rows, #element))
}

/// The variant of a set without parameters, which is also the name of its type.
pub(super) fn emit_variant(set: FeatureSetId) -> Ident {
    format_ident!("{set:?}")
}

/// A variant of `FeatureSetId`; `name` is for a set of the program.
pub(super) fn emit_set(set: FeatureSetId, name: &str) -> TokenStream {
    match set {
        FeatureSetId::King(buckets) => {
            let buckets = emit_king_buckets(buckets);
            quote!(King(#buckets))
        }
        FeatureSetId::Custom(set) => {
            let [rows, most_active] = [set.rows, set.most_active].map(Literal::u32_unsuffixed);
            if set.is_listed() {
                quote!(Custom(__rt::CustomSet::listed(#rows, #most_active)))
            } else {
                quote!(Custom(__rt::CustomSet::new(#name, #rows, #most_active)))
            }
        }
        FeatureSetId::Threats(pairs) => {
            let bits = Literal::u64_unsuffixed(pairs.to_bits());
            quote!(Threats(__rt::ThreatPairs::of_bits(#bits)))
        }
        named => emit_variant(named).into_token_stream(),
    }
}

fn emit_custom(custom: &CustomDesc<'_>) -> TokenStream {
    if *custom == CustomDesc::NONE {
        return quote!(__rt::CustomDesc::NONE);
    }
    let CustomDesc {
        set,
        activations,
        groups,
    } = custom;
    let groups = groups.iter().map(|RowGroup { name, rows }| {
        let rows = Literal::u32_unsuffixed(*rows);
        quote!(__rt::RowGroup { name: #name, rows: #rows })
    });
    quote! {
        __rt::CustomDesc {
            set: #set,
            activations: &[#(#activations),*],
            groups: &[#(#groups),*],
        }
    }
}

/// The table of king buckets, as a constructor call.
pub(crate) fn emit_king_buckets(buckets: KingBuckets) -> TokenStream {
    let table = buckets.table().map(Literal::u8_unsuffixed);
    let [mirrored, merged] = [buckets.is_mirrored(), buckets.is_merged()];
    let rotated = buckets.is_rotated().then(|| quote!(.rotated()));
    let attacks = buckets.sees_attacks().then(|| quote!(.with_attacks()));
    quote!(__rt::KingBuckets::new([#(#table),*], #mirrored, #merged) #rotated #attacks)
}

fn emit_raw(raw: Option<&RawDesc<'_>>) -> TokenStream {
    let Some(RawDesc {
        sections,
        padding,
        axes,
        stored,
        interleaved,
        enemy_first,
        leb128,
    }) = raw
    else {
        return quote!(::core::option::Option::None);
    };
    let stored = stored.iter().map(emit_stored);
    let sections = sections.iter().map(emit_section);
    let padding = match padding {
        Padding::None => quote!(None),
        Padding::Zeros => quote!(Zeros),
        Padding::Text => quote!(Text),
        Padding::Any => quote!(Any),
    };
    let axes = axes.iter().map(|axes| emit_axes(axes));
    quote! {
        ::core::option::Option::Some(__rt::RawDesc {
            sections: &[#(#sections),*],
            padding: __rt::Padding::#padding,
            axes: &[#(#axes),*],
            stored: &[#(#stored),*],
            interleaved: #interleaved,
            enemy_first: #enemy_first,
            leb128: #leb128,
        })
    }
}

fn emit_section(section: &Section<&[u8]>) -> TokenStream {
    let (name, value) = match section {
        Section::Skip(bytes) => ("Skip", *bytes),
        Section::Align(to) => ("Align", *to),
        Section::Tensor(index) => ("Tensor", *index),
        Section::Stacks(sections) => ("Stacks", *sections),
        Section::Block(tensors) => ("Block", *tensors),
        Section::Text => return quote!(__rt::Section::Text),
        Section::Rows(rows) => {
            let [tensor, first, count] = [rows.tensor, rows.first, rows.count].map(number);
            let element = emit_element(rows.element);
            return quote! {
                __rt::Section::Rows(__rt::RowRange {
                    tensor: #tensor,
                    first: #first,
                    count: #count,
                    element: #element,
                })
            };
        }
        Section::Constant(bytes) => {
            let bytes = Literal::byte_string(bytes);
            return quote!(__rt::Section::Constant(#bytes as &[u8]));
        }
    };
    let (name, value) = (format_ident!("{name}"), number(value));
    quote!(__rt::Section::#name(#value))
}

fn emit_axes(axes: Axes<'_>) -> TokenStream {
    if axes == HELD {
        return quote!(__rt::HELD);
    }
    let parts = axes.iter().map(|part| {
        let axis = match part.axis {
            Axis::Copy => quote!(Copy),
            Axis::Row => quote!(Row),
            Axis::Column => quote!(Column),
        };
        if *part == Part::whole(part.axis) {
            return quote!(__rt::Part::whole(__rt::Axis::#axis));
        }
        let (over, reversed) = (number(part.over), part.reversed);
        let modulo = match part.modulo.map(number) {
            Some(modulo) => quote!(Some(#modulo)),
            None => quote!(None),
        };
        quote! {
            __rt::Part {
                axis: __rt::Axis::#axis,
                over: #over,
                modulo: ::core::option::Option::#modulo,
                reversed: #reversed,
            }
        }
    });
    quote!(&[#(#parts),*])
}

fn emit_stored(stored: &Stored) -> TokenStream {
    let (tensor, element) = (number(stored.tensor), emit_element(stored.element));
    let [times, over] = [stored.times, stored.over].map(Literal::i64_unsuffixed);
    quote!(__rt::Stored { tensor: #tensor, element: #element, times: #times, over: #over })
}

fn emit_accumulator(accumulator: &AccumulatorDesc) -> TokenStream {
    let AccumulatorDesc {
        width,
        perspectives,
        psqt,
        psqt_floats,
        one,
        order,
        separate,
        nonzero,
    } = *accumulator;
    let [width, perspectives, psqt, psqt_floats, nonzero] =
        [width, perspectives, psqt, psqt_floats, nonzero].map(number);
    let one = Literal::i32_unsuffixed(one);
    let order = match order {
        PerspectiveOrder::SideToMove => quote!(__rt::PerspectiveOrder::SideToMove),
        PerspectiveOrder::WhiteFirst => quote!(__rt::PerspectiveOrder::WhiteFirst),
    };
    quote! {
        __rt::AccumulatorDesc {
            width: #width,
            perspectives: #perspectives,
            psqt: #psqt,
            psqt_floats: #psqt_floats,
            one: #one,
            order: #order,
            separate: #separate,
            nonzero: #nonzero,
        }
    }
}

fn emit_stacks(stacks: &StackDesc) -> TokenStream {
    let count = number(stacks.count);
    let selector = match stacks.selector {
        Selector::Single => quote!(__rt::Selector::Single),
        Selector::Custom => quote!(__rt::Selector::Custom),
        Selector::PieceCount { minus, divide } => {
            let [minus, divide] = [minus, divide].map(number);
            quote!(__rt::Selector::PieceCount { minus: #minus, divide: #divide })
        }
        Selector::Rows(rule) => emit_row_rule(rule),
        Selector::Table(table) => {
            let table = table.map(Literal::u8_unsuffixed);
            quote!(__rt::Selector::Table([#(#table),*]))
        }
    };
    quote!(__rt::StackDesc { count: #count, selector: #selector })
}

fn emit_row_rule(RowRule { first, rows, by }: RowRule) -> TokenStream {
    let [first, rows] = [first, rows].map(Literal::u32_unsuffixed);
    let by = match by {
        RowMeasure::Row => quote!(__rt::RowMeasure::Row),
        RowMeasure::Count { minus, divide } => {
            let [minus, divide] = [minus, divide].map(Literal::u32_unsuffixed);
            quote!(__rt::RowMeasure::Count { minus: #minus, divide: #divide })
        }
    };
    quote!(__rt::Selector::Rows(__rt::RowRule { first: #first, rows: #rows, by: #by }))
}

fn emit_buffer(buffer: &BufferDesc<'_>) -> TokenStream {
    let BufferDesc {
        name,
        len,
        max,
        source,
    } = *buffer;
    let (len, max) = (number(len), Literal::i32_unsuffixed(max));
    let source = match source {
        Source::Accumulator => quote!(__rt::Source::Accumulator),
        Source::Words => quote!(__rt::Source::Words),
        Source::Layer(layer) => {
            let layer = number(layer);
            quote!(__rt::Source::Layer(#layer))
        }
        Source::Float(layer) => {
            let layer = number(layer);
            quote!(__rt::Source::Float(#layer))
        }
        Source::FloatAccumulator => quote!(__rt::Source::FloatAccumulator),
        Source::Pool => quote!(__rt::Source::Pool),
        Source::FloatPool => quote!(__rt::Source::FloatPool),
        Source::Integers => quote!(__rt::Source::Integers),
        Source::Signs(of) => {
            let of = emit_sign_of(of);
            quote!(__rt::Source::Signs(#of))
        }
    };
    quote!(__rt::BufferDesc::new(#name, #len, #max, #source))
}

fn emit_sign_of(of: SignOf) -> TokenStream {
    match of {
        SignOf::Accumulator => quote!(__rt::SignOf::Accumulator),
        SignOf::Layer(layer) => {
            let layer = number(layer);
            quote!(__rt::SignOf::Layer(#layer))
        }
        SignOf::Buffer(buffer) => {
            let buffer = number(buffer);
            quote!(__rt::SignOf::Buffer(#buffer))
        }
    }
}

fn emit_layer(layer: &LayerDesc<'_>) -> TokenStream {
    let name = layer.name;
    let segments = layer.segments.iter().map(emit_segment);
    let [inputs, file_inputs, outputs] =
        [layer.inputs, layer.file_inputs, layer.outputs].map(number);
    let kind = match layer.kind {
        LayerKind::Sparse => quote!(Sparse),
        LayerKind::BlockSparse { reached } => {
            let reached = number(reached);
            quote!(BlockSparse { reached: #reached })
        }
        LayerKind::Dense => quote!(Dense),
        LayerKind::Row => quote!(Row),
        LayerKind::Rows => quote!(Rows),
        LayerKind::Words => quote!(Words),
        LayerKind::Direct => quote!(Direct),
        LayerKind::Binary => quote!(Binary),
        LayerKind::Integer => quote!(Integer),
        LayerKind::Float { partial, fused } => {
            let partial = number(partial);
            quote!(Float { partial: #partial, fused: #fused })
        }
    };
    let scale = Literal::i32_unsuffixed(layer.scale);
    let shards = layer.shards.map(|Shards { count, width }| {
        let [count, width] = [count, width].map(number);
        quote!(.with_shards(#count, #width))
    });
    quote! {
        __rt::LayerDesc::new(
            #name, &[#(#segments),*], [#inputs, #file_inputs, #outputs], __rt::LayerKind::#kind, #scale,
        )#shards
    }
}

fn emit_segment(&Segment { buffer, start, len }: &Segment) -> TokenStream {
    let [buffer, start, len] = [buffer, start, len].map(number);
    quote!(__rt::Segment::new(#buffer, #start, #len))
}

fn emit_step(step: &StepDesc) -> TokenStream {
    let activation = step.activation().map(emit_activation);
    match *step {
        StepDesc::ActivateAccumulator { shift, buffer, .. } => {
            let (shift, buffer) = (Literal::u32_unsuffixed(shift), number(buffer));
            quote!(__rt::StepDesc::activate_accumulator(#activation, #shift, #buffer))
        }
        StepDesc::Affine { layer } => {
            let layer = number(layer);
            quote!(__rt::StepDesc::Affine { layer: #layer })
        }
        StepDesc::Map { map, buffer } => {
            let [map, buffer] = [map, buffer].map(number);
            quote!(__rt::StepDesc::Map { map: #map, buffer: #buffer })
        }
        StepDesc::Sign { of, buffer } => {
            let (of, buffer) = (emit_sign_of(of), number(buffer));
            quote!(__rt::StepDesc::Sign { of: #of, buffer: #buffer })
        }
        StepDesc::FloatAccumulator { unit, buffer, .. } => {
            let (unit, buffer) = (emit_unit(unit), number(buffer));
            quote!(__rt::StepDesc::FloatAccumulator { activation: #activation, unit: #unit, buffer: #buffer })
        }
        StepDesc::FloatSums { layer, unit, fused } => {
            let (layer, unit) = (number(layer), emit_unit(unit));
            quote!(__rt::StepDesc::FloatSums { layer: #layer, unit: #unit, fused: #fused })
        }
        StepDesc::ActivateFloat { layer, buffer, .. } => {
            let [layer, buffer] = [layer, buffer].map(number);
            quote!(__rt::StepDesc::ActivateFloat { activation: #activation, layer: #layer, buffer: #buffer })
        }
        StepDesc::AffineDirect { layer, .. } => {
            let layer = number(layer);
            quote!(__rt::StepDesc::AffineDirect { activation: #activation, layer: #layer })
        }
        StepDesc::ActivateSums {
            shift,
            layer,
            buffer,
            ..
        } => {
            let (shift, layer, buffer) = (
                Literal::u32_unsuffixed(shift),
                number(layer),
                number(buffer),
            );
            quote!(__rt::StepDesc::activate_sums(#activation, #shift, #layer, #buffer))
        }
        StepDesc::Pool {
            pool,
            operands,
            stride,
            buffer,
        } => {
            let (pool, [first, second]) = (
                format_ident!("{pool:?}"),
                operands.each_ref().map(emit_segment),
            );
            let [stride, buffer] = [stride, buffer].map(number);
            quote!(__rt::StepDesc::pool(__rt::Pool::#pool, [#first, #second], #stride, #buffer))
        }
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            buffer,
        } => {
            let (reduce, operand) = (format_ident!("{reduce:?}"), emit_segment(&operand));
            let [size, buffer] = [size, buffer].map(number);
            quote!(__rt::StepDesc::Reduce { reduce: __rt::Reduce::#reduce, operand: #operand, size: #size, buffer: #buffer })
        }
    }
}

/// The variant of an activation, named as in its `Debug` text.
fn emit_activation(activation: Activation) -> TokenStream {
    if let Activation::Custom(index) = activation {
        let index = number(index);
        return quote!(__rt::Activation::Custom(#index));
    }
    let variant = format_ident!("{activation:?}");
    quote!(__rt::Activation::#variant)
}

fn emit_output(output: &OutputDesc<'_>) -> TokenStream {
    let terms = output.terms.iter().map(|term| {
        let OutputTerm {
            layer,
            neuron,
            negative,
            ratio,
        } = *term;
        let ([layer, neuron], ratio) = ([layer, neuron].map(number), emit_ratio(ratio));
        quote!(__rt::OutputTerm::new(#layer, #neuron, #negative, #ratio))
    });
    let ratio = emit_ratio(output.ratio);
    quote!(__rt::OutputDesc { terms: &[#(#terms),*], ratio: #ratio })
}

fn emit_head_golden(golden: &HeadGoldenDesc<'_>) -> TokenStream {
    let HeadGoldenDesc {
        fen,
        head,
        rows,
        numbers,
    } = *golden;
    let (head, rows) = (number(head), rows.iter().copied().map(number));
    let numbers = numbers.iter().map(|&Decimal { digits, decimals }| {
        let (digits, decimals) = (
            Literal::i64_unsuffixed(digits),
            Literal::u8_unsuffixed(decimals),
        );
        quote!(__rt::Decimal { digits: #digits, decimals: #decimals })
    });
    quote!(__rt::HeadGoldenDesc { fen: #fen, head: #head, rows: &[#(#rows),*], numbers: &[#(#numbers),*] })
}

fn emit_head(head: &HeadDesc<'_>) -> TokenStream {
    let HeadDesc {
        name,
        kind,
        source,
        start,
        len,
        unit,
    } = *head;
    let kind = match kind {
        HeadKind::Numbers => quote!(Numbers),
        HeadKind::Rows => quote!(Rows),
        HeadKind::Wdl => quote!(Wdl),
    };
    let source = match source {
        HeadSource::Layer(layer) => {
            let layer = number(layer);
            quote!(Layer(#layer))
        }
        HeadSource::Buffer(buffer) => {
            let buffer = number(buffer);
            quote!(Buffer(#buffer))
        }
    };
    let ([start, len], unit) = ([start, len].map(number), emit_unit(unit));
    quote! {
        __rt::HeadDesc::new(#name, __rt::HeadKind::#kind, __rt::HeadSource::#source, [#start, #len], #unit)
    }
}

fn emit_ratio(ratio: Option<Ratio>) -> TokenStream {
    let Some(Ratio { num, den, wide }) = ratio else {
        return quote!(::core::option::Option::None);
    };
    let [num, den] = [num, den].map(Literal::i64_unsuffixed);
    quote!(::core::option::Option::Some(__rt::Ratio::new(#num, #den, #wide)))
}

fn emit_value(value: ValueDesc) -> TokenStream {
    let (form, divide) = match value {
        ValueDesc::Together { divide } => (quote!(Together), divide),
        ValueDesc::Separately { divide } => (quote!(Separately), divide),
        ValueDesc::Float { scale } => {
            let scale = emit_unit(scale);
            return quote!(__rt::ValueDesc::Float { scale: #scale });
        }
        ValueDesc::Sigmoid { scale } => return emit_float_value(&quote!(Sigmoid), scale),
        ValueDesc::Wdl { scale } => return emit_float_value(&quote!(Wdl), scale),
        ValueDesc::Shifted { bits } => {
            let bits = Literal::u32_unsuffixed(bits);
            return quote!(__rt::ValueDesc::Shifted { bits: #bits });
        }
        ValueDesc::Scaled { num, den } => {
            let [num, den] = [num, den].map(Literal::i64_unsuffixed);
            return quote!(__rt::ValueDesc::Scaled { num: #num, den: #den });
        }
    };
    let divide = Literal::i32_unsuffixed(divide);
    quote!(__rt::ValueDesc::#form { divide: #divide })
}

fn emit_float_value(form: &TokenStream, scale: i32) -> TokenStream {
    let scale = Literal::i32_unsuffixed(scale);
    quote!(__rt::ValueDesc::#form { scale: #scale })
}

fn emit_tensor(tensor: &TensorDesc<'_>) -> TokenStream {
    let TensorDesc {
        name,
        role,
        element,
        rows,
        cols,
        copies,
    } = *tensor;
    let ([rows, cols, copies], element) = ([rows, cols, copies].map(number), emit_element(element));
    let role = emit_role(role);
    quote!(__rt::TensorDesc::new(#name, #role, #element, [#rows, #cols, #copies]))
}

pub(super) fn emit_role(role: TensorRole) -> TokenStream {
    let role = match role {
        TensorRole::TransformerBias => quote!(TransformerBias),
        TensorRole::TransformerWeight => quote!(TransformerWeight),
        TensorRole::SecondBias => quote!(SecondBias),
        TensorRole::SecondWeight => quote!(SecondWeight),
        TensorRole::SecondExtraWeight(set) => {
            let set = number(set);
            quote!(SecondExtraWeight(#set))
        }
        TensorRole::TransformerPsqt => quote!(TransformerPsqt),
        TensorRole::ExtraWeight(set) => {
            let set = number(set);
            quote!(ExtraWeight(#set))
        }
        TensorRole::ExtraPsqt(set) => {
            let set = number(set);
            quote!(ExtraPsqt(#set))
        }
        TensorRole::LayerBias(layer) => {
            let layer = number(layer);
            quote!(LayerBias(#layer))
        }
        TensorRole::LayerWeight(layer) => {
            let layer = number(layer);
            quote!(LayerWeight(#layer))
        }
        TensorRole::LayerScale(layer) => {
            let layer = number(layer);
            quote!(LayerScale(#layer))
        }
    };
    quote!(__rt::TensorRole::#role)
}

fn emit_container(container: &ContainerDesc) -> TokenStream {
    let [version, transformer_hash, stack_hash] = [
        container.version,
        container.transformer_hash,
        container.stack_hash,
    ]
    .map(hexadecimal);
    let encoding = match container.encoding {
        Encoding::Raw => quote!(Raw),
        Encoding::Leb128 => quote!(Leb128),
        Encoding::Leb128JointPsqt => quote!(Leb128JointPsqt),
        Encoding::Leb128Joint => quote!(Leb128Joint),
    };
    quote! {
        __rt::ContainerDesc {
            version: #version,
            transformer_hash: #transformer_hash,
            stack_hash: #stack_hash,
            encoding: __rt::Encoding::#encoding,
        }
    }
}
