//! Input that never ends, is larger than the memory, or means two things: told in a line, in little memory and time.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::declared::{STACKS, START, files};
use crate::quantize::{SIMPLE, floats, weights};
use crate::{Run, file, finished, nnue, nnue_reading, run, text};

const DEFAULT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");

/// Kilobytes that a command may use, its own code included, which is large without optimisation.
const MEMORY: &str = "ulimit -v 700000";

/// Runs the command after a line of shell: `ulimit ..`.
pub(crate) fn limited(shell: &str, arguments: &[&str]) -> Run {
    run(&mut shell_command(shell, arguments), "")
}

fn shell_command(shell: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{shell}; exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_nnue"))
        .args(arguments);
    command
}

/// A file of so many bytes, all zero, that takes no place on the disk.
fn sparse(name: &str, bytes: u64) -> PathBuf {
    let path = file(name, b"");
    File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(bytes))
        .expect("it can be made longer");
    path
}

#[test]
fn files_larger_than_the_memory_are_refused() {
    let huge = sparse("huge.bin", 1 << 40);
    let huge = text(&huge);
    let (declaration, _) = files("limits", STACKS);
    let declared = ["--declaration", text(&declaration)];
    for arguments in [
        &["inspect", huge][..],
        &["inspect", huge, declared[0], declared[1]],
        &["inspect", huge, "--arch", "sfnnv5"],
        &["verify", huge, declared[0], declared[1]],
        &["eval", "--net", huge],
        &["bench", "--net", huge],
        &["golden", "--net", huge, declared[0], declared[1]],
        &["optimize", huge, declared[0], declared[1]],
        &["quantize", huge, declared[0], declared[1]],
        &["import", "bullet", "--net", huge],
        &["import", "bullet", "--size", "1", "--save-format", huge],
        &["eval", "--net", DEFAULT, "--fens", huge],
        &["eval", "--net", DEFAULT, "--games", huge],
        &["expand", huge],
        &["export", "json", "--declaration", huge],
        &["export", "bullet", "--declaration", huge],
    ] {
        limited(MEMORY, arguments).fails_naming(&[
            "cannot read ",
            "huge.bin: ",
            " more than ",
            " bytes",
        ]);
    }
}

#[test]
fn devices_that_never_end_are_refused() {
    let (declaration, _) = files("endless", STACKS);
    let declared = ["--declaration", text(&declaration)];
    for arguments in [
        &["inspect", "/dev/zero", declared[0], declared[1]][..],
        &["import", "bullet", "--net", "/dev/zero"],
        &["quantize", "/dev/zero", declared[0], declared[1]],
        &["eval", "--fens", "/dev/zero"],
        &["expand", "/dev/zero"],
        &["eval", "--net", "/dev/zero"],
    ] {
        limited(MEMORY, arguments)
            .fails_naming(&["cannot read /dev/zero: it is a device: a file is expected"]);
    }
}

/// A pipe is read, up to what can be meant.
#[cfg(target_os = "linux")]
#[test]
fn pipes_that_never_end_are_refused() {
    let (declaration, _) = files("endless-pipe", STACKS);
    let declared = ["--declaration", text(&declaration)];
    let pipe = "/dev/stdin";
    for (arguments, words) in [
        (
            &["inspect", pipe, declared[0], declared[1]][..],
            "more than 268435456 bytes",
        ),
        (
            &["import", "bullet", "--net", pipe],
            "more than 536870912 bytes",
        ),
        (&["quantize", pipe, declared[0], declared[1]], "more than "),
        (
            &["eval", "--fens", pipe],
            "line 1 has more than 1048576 bytes",
        ),
        (&["expand", pipe], "more than 16777216 bytes"),
        (&["expand", "-"], "more than 16777216 bytes"),
    ] {
        let mut zeros = Command::new("cat")
            .arg("/dev/zero")
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is `cat`");
        let output = shell_command(MEMORY, arguments)
            .stdin(zeros.stdout.take().expect("it is piped"))
            .output()
            .expect("the shell starts");
        zeros.kill().expect("it is ours");
        zeros.wait().expect("it has ended");
        finished(output).fails_naming(&[words]);
    }
}

#[test]
fn tensors_that_share_their_bytes_take_no_memory() {
    let entries: Vec<String> = (0..10_000)
        .map(|index| {
            format!(r#""t{index}":{{"dtype":"F32","shape":[75000],"data_offsets":[0,300000]}}"#)
        })
        .collect();
    let header = format!("{{{}}}", entries.join(","));
    let bytes = [
        &(header.len() as u64).to_le_bytes()[..],
        header.as_bytes(),
        &[0; 300_000],
    ]
    .concat();
    let path = file("shared.safetensors", &bytes);
    let source = file("shared.rs", SIMPLE.as_bytes());
    limited(
        MEMORY,
        &["quantize", text(&path), "--declaration", text(&source)],
    )
    .fails_naming(&["shared.safetensors: the header is wrong: invalid offset for tensor"]);
}

/// Lengths in front of what they say are no sizes to allocate.
#[test]
fn lengths_of_headers_are_no_allocation() {
    let source = file("claims.rs", SIMPLE.as_bytes());
    let shape = |shape: &str| {
        let header = format!(r#"{{"l0w":{{"dtype":"F32","shape":{shape},"data_offsets":[0,4]}}}}"#);
        [
            &(header.len() as u64).to_le_bytes()[..],
            header.as_bytes(),
            &[0; 4],
        ]
        .concat()
    };
    for contents in [
        [&(1_u64 << 40).to_le_bytes()[..], b"{}"].concat(),
        [&u64::MAX.to_le_bytes()[..], b"{}"].concat(),
        shape("[4294967296,4294967296]"),
        shape("[1073741824]"),
    ] {
        let path = file("claims.safetensors", &contents);
        limited(
            MEMORY,
            &["quantize", text(&path), "--declaration", text(&source)],
        )
        .fails_naming(&["claims.safetensors"]);
    }
}

#[test]
fn weights_that_are_not_finite_are_named_and_no_factor_is_advised() {
    let source = file("not-finite.rs", SIMPLE.as_bytes());
    let shapes = [("l0w", 768 * 32), ("l0b", 32), ("l1w", 64), ("l1b", 1)];
    for (tensor, index, weight, words) in [
        (0, 5, f32::INFINITY, "`ft_weight` (`l0w`): weight 5 is inf"),
        (1, 31, f32::NAN, "`ft_bias` (`l0b`): weight 31 is NaN"),
        (
            2,
            63,
            f32::NEG_INFINITY,
            "`fc0_weight` (`l1w`): weight 63 is -inf",
        ),
        (3, 0, f32::NAN, "`fc0_bias` (`l1b`): weight 0 is NaN"),
    ] {
        let mut tensors: Vec<(&str, Vec<f32>)> = shapes
            .iter()
            .map(|&(name, count)| (name, vec![0.5; count]))
            .collect();
        tensors[tensor].1[index] = weight;
        let floats = weights("not-finite.bin", &tensors);
        for more in [&[][..], &["--saturate"]] {
            let arguments = ["quantize", text(&floats), "--declaration", text(&source)];
            let run = nnue(&[&arguments[..], more].concat());
            assert!(!run.err.contains("--factor"), "{}", run.err);
            run.fails_naming(&[words, "the training has failed"]);
        }
    }
}

#[test]
fn a_number_of_games_is_a_limit_and_no_allocation() {
    let mut child = shell_command(MEMORY, &["verify", "--games", "99999999999999"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_secs(5));
    let ended = child.try_wait().expect("it can be asked");
    child.kill().expect("it is a child of this process");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        (ended, String::from_utf8_lossy(&output.stderr).as_ref()),
        (None, "")
    );
}

#[test]
fn streams_that_are_full_or_closed_are_no_panic() {
    let (declaration, net) = files("full", STACKS);
    let declared = ["--declaration", text(&declaration), "--net", text(&net)];
    let golden = [&["golden"], &declared[..]].concat();
    for arguments in [
        &["eval"][..],
        &["archs"],
        &["inspect"],
        &["verify", "--games", "1"],
        &golden,
        &["expand", text(&declaration)],
    ] {
        let full = run(&mut shell_command("exec >/dev/full", arguments), "");
        full.fails_naming(&["cannot write to standard output: "]);
        assert_eq!(
            run(&mut shell_command("exec 2>/dev/full", arguments), "").code,
            Some(0),
            "{arguments:?}"
        );
        assert_eq!(
            run(&mut shell_command("exec 2>&-", arguments), "").code,
            Some(0),
            "{arguments:?}"
        );
    }
    for stream in [
        "exec 2>/dev/full",
        "exec 2>&-",
        "exec >/dev/full 2>/dev/full",
    ] {
        assert_eq!(
            run(&mut shell_command(stream, &["inspect", "no/such"]), "").code,
            Some(1),
            "{stream}"
        );
    }
}

#[test]
fn standard_input_is_read_once() {
    let (declaration, net) = files("once", STACKS);
    let net = ["--net", text(&net)];
    for (command, option) in [
        ("eval", "--fens"),
        ("eval", "--games"),
        ("golden", "--fens"),
    ] {
        nnue_reading(
            STACKS,
            &[command, "--declaration", "-", net[0], net[1], option, "-"],
        )
        .fails_with(&format!(
            "--declaration and {option} cannot both be standard input: name a file for one of them"
        ));
    }
    let floats = weights("once-weights.bin", &floats());
    nnue_reading(
        SIMPLE,
        &[
            "quantize",
            text(&floats),
            "--declaration",
            "-",
            "--positions",
            "-",
        ],
    )
    .fails_naming(&["--declaration and --positions cannot both be standard input"]);
    nnue_reading(
        SIMPLE,
        &[
            "optimize",
            net[1],
            "--declaration=-:Stacks",
            "--positions",
            "-",
        ],
    )
    .fails_naming(&["cannot both be standard input"]);
    assert!(nnue(&["eval", "--declaration", text(&declaration), net[0], net[1]]).code == Some(0));
}

/// The name of a declaration on standard input is no option, and an option is no declaration.
#[test]
fn a_declaration_of_standard_input_has_a_name() {
    let (declaration, net) = files("named", STACKS);
    let from_file = nnue(&[
        "golden",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
    ])
    .succeeds();
    let named = nnue_reading(
        STACKS,
        &["golden", "--declaration", "-:Stacks", "--net", text(&net)],
    )
    .succeeds();
    assert_eq!(named, from_file);
    let refused = nnue(&["eval", "--declaration", "--tsv"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .err
            .contains("a file is expected, `-` or `-:NAME` for standard input"),
        "{}",
        refused.err
    );
}

#[test]
fn a_network_may_come_through_a_pipe() {
    let from_file = nnue(&["eval", "--net", DEFAULT, "--tsv"]).succeeds();
    for arch in [&[][..], &["--arch", "default"]] {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "cat \"$0\" | \"$@\"",
            DEFAULT,
            env!("CARGO_BIN_EXE_nnue"),
        ]);
        let run = run(
            command
                .args(["eval", "--net", "/dev/stdin", "--tsv"])
                .args(arch),
            "",
        );
        assert_eq!(run.succeeds(), from_file);
    }
}

#[test]
fn a_mark_of_unicode_in_front_of_a_text_is_skipped() {
    let plain = nnue_reading(&format!("{START}\n"), &["eval", "--tsv", "--fens", "-"]).succeeds();
    assert_eq!(
        nnue_reading(
            &format!("\u{feff}{START}\r\n"),
            &["eval", "--tsv", "--fens", "-"]
        )
        .succeeds(),
        plain
    );
    let expanded = nnue_reading(STACKS, &["expand"]).succeeds();
    assert_eq!(
        nnue_reading(&format!("\u{feff}{STACKS}"), &["expand"]).succeeds(),
        expanded
    );
}

#[test]
fn a_name_that_is_declared_twice_is_told() {
    let (_, net) = files("twice", STACKS);
    let both =
        format!("mod a {{ nnue::nnue! {{ {STACKS} }} }}\nmod b {{ nnue::nnue! {{ {STACKS} }} }}\n");
    let both = format!("{}:Stacks", text(&file("both-twice.rs", both.as_bytes())));
    nnue(&["eval", "--net", text(&net), "--declaration", &both])
        .fails_naming(&["both-twice.rs declares `Stacks` 2 times: which one is meant?"]);
}

#[test]
fn factors_that_give_no_numbers_are_refused() {
    let source = file(
        "factors.rs",
        b"pub struct Floats = (768 -> 32)x2 @ 255 pairwise -> 8: i8 crelu -> 1: f32 { format raw };\n",
    );
    let shapes = [
        ("l0w", 768 * 32),
        ("l0b", 32),
        ("l1w", 32 * 8),
        ("l1b", 8),
        ("l2w", 8),
        ("l2b", 1),
    ];
    let tensors: Vec<(&str, Vec<f32>)> = shapes
        .iter()
        .map(|&(name, count)| (name, vec![0.5; count]))
        .collect();
    let floats = weights("factors-weights.bin", &tensors);
    let quantize = |factor: &str| {
        nnue(&[
            "quantize",
            text(&floats),
            "--declaration",
            text(&source),
            "--factor",
            factor,
        ])
    };
    quantize("fc1_weight=1e300").fails_naming(&[
        "`fc1_weight` (`l2w`): weight 0, 0.5 * 1e300, is more than a 32-bit float",
    ]);
    quantize("fc1_weight=inf").fails_naming(&["`inf` is no positive number"]);
}

#[test]
fn a_factoriser_that_is_not_there_is_told() {
    let source = file("no-factoriser.rs", SIMPLE.as_bytes());
    let floats = weights("no-factoriser-weights.bin", &floats());
    nnue(&["quantize", text(&floats), "--declaration", text(&source), "--factoriser=first"]).fails_naming(&[
        "`l0w` has 768 rows, exactly as many as declared: no factoriser comes before them: leave out --factoriser=first",
    ]);
}

#[test]
fn a_file_with_known_hashes_that_fits_nothing_says_what_it_is() {
    // version and hash of the small network, with another hash of the feature transformer
    let mut bytes = Vec::new();
    for word in [0x7AF3_2F20_u32, 0x1C10_3C92, 0, 0x1234_5678] {
        bytes.extend(word.to_le_bytes());
    }
    let net = file("odd.nnue", &bytes);
    nnue(&["eval", "--net", text(&net)]).fails_naming(&[
        "by its version 0x7af32f20 and hash 0x1c103c92 the file is the small network",
        "none of the declarations that were tried fits it",
    ]);
}

#[test]
fn names_of_declarations_may_be_written_as_they_were() {
    for name in ["sfnnv14_1", "sfnnv14.1", "v14.1", "SFNNv14-1"] {
        nnue(&["eval", "--arch", name]).fails_naming(&["no network for --arch sfnnv14_1"]);
    }
    nnue(&["eval", "--arch", "sfnn-small-255"])
        .fails_naming(&["no network for --arch sfnn_small_255"]);
}

#[test]
fn inspect_has_no_rows_for_what_a_network_lacks() {
    let (declaration, net) = files("lacking", STACKS);
    let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    assert!(!out.contains("psqt") && !out.contains(" pairs "), "{out}");
    assert!(nnue(&["inspect"]).succeeds().contains("psqt sums"));
}
