//! Rows that stay where they are in a file.

use nnue_codegen::{expand_text, plan_text};
use nnue_format::leb128::Portable;
use nnue_format::{Encoding, Header, InPlace, Tensors, randomize, read_slice_in_place, to_bytes};
use nnue_spec::plan::Plan;
use nnue_spec::{NetDesc, TensorRef, TensorRole};

fn plan(text: &str) -> Plan {
    let mut plans = plan_text(text).expect("it is a network");
    plans.pop().expect("one network")
}

/// A random network, and its file with a description of `described` bytes.
fn file(net: &NetDesc<'_>, encoding: Encoding, described: usize) -> (Tensors, Vec<u8>) {
    let mut tensors = Tensors::zeroed(net);
    randomize(net, &mut tensors.muts(), 1);
    let header = Header {
        encoding,
        ..Header::new(net, vec![b'.'; described])
    };
    let bytes = to_bytes(net, &header, &tensors.refs()).expect("it is short");
    (tensors, bytes)
}

/// The tensors that were read, and those that stayed.
fn read(net: &NetDesc<'_>, file: &[u8]) -> Result<(Tensors, Vec<InPlace>), String> {
    let (mut tensors, mut stayed) = (Tensors::zeroed(net), Vec::new());
    let mut stays = |place: &InPlace| {
        stayed.push(place.clone());
        true
    };
    read_slice_in_place(net, file, &mut tensors.muts(), &Portable, &mut stays)
        .map_err(|error| error.to_string())?;
    Ok((tensors, stayed))
}

fn little_endian(tensor: &TensorRef<'_>) -> Vec<u8> {
    match tensor {
        TensorRef::I8(values) => values.iter().map(|&value| value.cast_unsigned()).collect(),
        TensorRef::I16(values) => values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
        _ => panic!("rows are of i8 or i16"),
    }
}

/// Checks that the rows of `roles` stay, with the right bytes, and that all others are read.
fn check(text: &str, encoding: Encoding, roles: &[TensorRole]) {
    let plan = plan(text);
    let tables = plan.tables();
    let net = &tables.descriptor();
    let (written, bytes) = file(net, encoding, 5);
    let (read, stayed) = read(net, &bytes).expect("the writer's own file");
    let found: Vec<_> = stayed.iter().map(|place| place.role).collect();
    assert_eq!(found, roles, "{text}");
    for ((desc, written), read) in net.tensors.iter().zip(written.refs()).zip(read.refs()) {
        match stayed.iter().find(|place| place.role == desc.role) {
            Some(place) => assert_eq!(
                bytes[place.bytes.clone()],
                little_endian(&written),
                "{text}: {}",
                desc.name
            ),
            None => assert_eq!(written, read, "{text}: {}", desc.name),
        }
    }
}

#[test]
fn rows_stay_if_the_file_holds_them_as_memory_does() {
    let pieces = [TensorRole::TransformerWeight];
    let chain = "struct X = (768 -> 64)x2 -> 1";
    check(&format!("{chain};"), Encoding::Raw, &pieces);
    check(&format!("{chain};"), Encoding::Leb128, &[]);
    check(
        &format!("{chain} {{ format raw; }};"),
        Encoding::Raw,
        &pieces,
    );
    let skip = format!("{chain} {{ format raw {{ skip: 5 }}; }};");
    check(&skip, Encoding::Raw, &pieces);
    let turned = format!("{chain} {{ format raw {{ ft_weight: [output][input] }}; }};");
    check(&turned, Encoding::Raw, &[]);
}

#[test]
fn rows_of_pairs_and_of_the_second_perspective_stay_too() {
    let separate = "struct X { acc = accumulate(Chess768[..], 64 @ 255) x 2, separate;
        output affine(screlu(acc), 1: i16 @ 64); value output * 400; format raw }";
    let roles = [TensorRole::TransformerWeight, TensorRole::SecondWeight];
    check(separate, Encoding::Raw, &roles);
    let roles = [TensorRole::TransformerWeight, TensorRole::ExtraWeight(1)];
    check(
        &with_pairs("FullThreats[59808] as i8", ""),
        Encoding::Raw,
        &roles,
    );
}

/// A network over these sets of pairs, which may embed a file.
fn with_pairs(sets: &str, weights: &str) -> String {
    format!(
        "struct X {{ inputs = Chess768[..] + {sets}; acc = accumulate(inputs, 32) x 2;
            output affine(pairwise(acc), 1); format raw; {weights} }}"
    )
}

/// Several sets of pairs share a tensor of the program, and are apart in the file.
#[test]
fn rows_of_several_sets_of_pairs_are_copied() {
    let folder = std::env::temp_dir().join(format!("nnue-pairs.{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("net.bin");
    for (sets, stays) in [
        ("PawnPairs[4560] as i8", true),
        ("PawnPairs[4560] as i8 + FullThreats[59808] as i8", false),
    ] {
        let plan = plan(&with_pairs(sets, ""));
        let tables = plan.tables();
        let (_, bytes) = file(&tables.descriptor(), Encoding::Raw, 0);
        std::fs::write(&path, &bytes).expect("it is written");
        let text = with_pairs(sets, &format!("weights {path:?};"));
        let expansion = expand_text(&text).expect("the file is right").to_string();
        assert!(expansion.contains("params . ft . weight . embed"));
        assert_eq!(
            expansion.contains("params . ft . pair_weight . embed"),
            stays
        );
    }
    std::fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn a_cut_file_has_the_same_error_whether_rows_stay_or_not() {
    for text in [
        "struct X = (768 -> 64)x2 -> 1;",
        "struct X = (768 -> 64)x2 -> 1 { format raw; };",
    ] {
        let plan = plan(text);
        let tables = plan.tables();
        let net = &tables.descriptor();
        let (_, bytes) = file(net, Encoding::Raw, 0);
        for len in (0..bytes.len()).step_by(977) {
            let cut = &bytes[..len];
            let mut tensors = Tensors::zeroed(net);
            let copied = nnue_format::read_slice(net, cut, &mut tensors.muts(), &Portable);
            let copied = copied.expect_err("it is cut").to_string();
            assert_eq!(read(net, cut).err(), Some(copied), "{text}: {len}");
        }
    }
}

/// Rows that begin at any offset of a file are aligned in the program.
#[test]
fn the_expansion_aligns_the_rows() {
    let folder = std::env::temp_dir().join(format!("nnue-in-place.{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("net.nnue");
    let chain = "struct X = (768 -> 64)x2 -> 1";
    let plan = plan(&format!("{chain};"));
    let tables = plan.tables();
    let net = &tables.descriptor();
    let expand = |encoding| {
        let (_, bytes) = file(net, encoding, 5);
        std::fs::write(&path, &bytes).expect("it is written");
        let text = format!("{chain} {{ weights {path:?}; }};");
        let expansion = expand_text(&text).expect("the file is right");
        (expansion.to_string().replace([' ', '\n'], ""), bytes.len())
    };
    // 12 bytes, a description of 5, a hash of 4, a bias of 128: the rows begin at offset 149
    let (raw, len) = expand(Encoding::Raw);
    assert!(raw.contains(&format!("staticFILE:__rt::Embed<43,{len}>")));
    assert!(
        raw.contains("IN_PLACE:&'static[__rt::TensorRole]=&[__rt::TensorRole::TransformerWeight")
    );
    let (compressed, _) = expand(Encoding::Leb128);
    assert!(!compressed.contains("IN_PLACE") && !compressed.contains("Embed<"));
    std::fs::remove_dir_all(folder).expect("it can be removed");
}
