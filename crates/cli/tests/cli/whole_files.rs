//! Files are written whole or not at all: whatever kills the command, and however full the disk is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nnue_testkit::random::Random;

use crate::declared::files;
use crate::hostile::limited;
use crate::quantize::{SIMPLE, floats, weights};
use crate::{Run, file, nnue, text};

/// A network with a layer that skips blocks of zeros, so that the order of its neurons matters.
const SPARSE: &str = "pub struct Sparse = (768 -> 32)x2 @ 127 -> 8 -> 1 { format raw };\n";

/// How often each command is killed.
const KILLS: usize = 12;

/// A command that writes, without `-o`, and the file that it is to write.
struct Writer {
    arguments: Vec<String>,
    output: PathBuf,
}

impl Writer {
    fn new(name: &str, arguments: &[&str]) -> Self {
        // a folder of its own, in which nothing else is expected
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("whole-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("the folder for temporary files can be written");
        Self {
            arguments: arguments
                .iter()
                .map(|&argument| argument.to_owned())
                .collect(),
            output: folder.join("out.bin"),
        }
    }

    fn all(name: &str) -> [Self; 2] {
        let (declaration, net) = files(&format!("sparse-{name}"), SPARSE);
        let few = file(
            &format!("few-{name}.fen"),
            b"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\n",
        );
        let optimize = [
            "optimize",
            text(&net),
            "--declaration",
            text(&declaration),
            "--positions",
            text(&few),
            "--repetitions",
            "1",
        ];
        let simple = file(&format!("simple-{name}.rs"), SIMPLE.as_bytes());
        let trained = weights(&format!("trained-{name}.bin"), &floats());
        let quantize = [
            "quantize",
            text(&trained),
            "--declaration",
            text(&simple),
            "--positions",
            text(&few),
        ];
        [
            Self::new(&format!("optimize-{name}"), &optimize),
            Self::new(&format!("quantize-{name}"), &quantize),
        ]
    }

    /// All arguments, `-o` included.
    fn arguments(&self) -> Vec<&str> {
        self.arguments
            .iter()
            .map(String::as_str)
            .chain(["-o", text(&self.output)])
            .collect()
    }

    fn run(&self) -> Run {
        nnue(&self.arguments())
    }

    /// Everything in the folder of the output.
    fn left(&self) -> Vec<PathBuf> {
        let folder = fs::read_dir(self.output.parent().expect("a file is in a folder"))
            .expect("it can be listed");
        folder
            .map(|entry| entry.expect("it can be listed").path())
            .collect()
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file is there")
}

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let mut random = Random::new(3);
    for writer in Writer::all("killed") {
        let start = Instant::now();
        writer.run().succeeds();
        let (took, new) = (start.elapsed(), read(&writer.output));
        for _ in 0..KILLS {
            let old = b"what was here before".as_slice();
            fs::write(&writer.output, old).expect("it can be written");
            let mut child = Command::new(env!("CARGO_BIN_EXE_nnue"))
                .args(writer.arguments())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command starts");
            std::thread::sleep(Duration::from_micros(
                random.below(took.as_micros() as usize + 1) as u64,
            ));
            child.kill().expect("it is a child of this process");
            child.wait().expect("it ends");
            let found = read(&writer.output);
            assert!(
                found == old || found == new,
                "{:?}: {} bytes of {}",
                writer.arguments,
                found.len(),
                new.len()
            );
        }
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    for writer in Writer::all("full") {
        let old = b"what was here before".as_slice();
        fs::write(&writer.output, old).expect("it can be written");
        // no file may become longer than 512 bytes, and the signal about it is ignored: writing fails, as on a full disk
        let run = limited("trap '' XFSZ; ulimit -f 1", &writer.arguments());
        run.fails_naming(&["cannot write ", "out.bin: "]);
        assert_eq!(read(&writer.output), old);
        assert_eq!(writer.left(), std::slice::from_ref(&writer.output));
    }
}

#[test]
fn the_optimised_network_may_replace_the_network() {
    let (declaration, net) = files("replaced", SPARSE);
    let eval = [
        "eval",
        "--tsv",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
    ];
    let before = nnue(&eval).succeeds();
    nnue(&[
        "optimize",
        text(&net),
        "--declaration",
        text(&declaration),
        "-o",
        text(&net),
    ])
    .succeeds();
    assert_eq!(nnue(&eval).succeeds(), before);
}

#[test]
fn outputs_that_destroy_inputs_are_refused() {
    let simple = file("refused.rs", SIMPLE.as_bytes());
    let trained = weights("refused-weights.bin", &floats());
    let linked = trained.with_file_name("refused-linked.bin");
    let _ = fs::remove_file(&linked);
    fs::hard_link(&trained, &linked).expect("links can be made");
    let quantize = |output: &str| {
        nnue(&[
            "quantize",
            text(&trained),
            "--declaration",
            text(&simple),
            "-o",
            output,
        ])
    };
    quantize(text(&trained)).fails_naming(&[
        "--output would overwrite ",
        "refused-weights.bin, the floats",
    ]);
    quantize(text(&linked)).fails_naming(&["refused-weights.bin, the floats"]);
    quantize(text(&simple)).fails_naming(&["refused.rs, the declaration"]);
    let (declaration, net) = files("kept", SPARSE);
    nnue(&[
        "optimize",
        text(&net),
        "--declaration",
        text(&declaration),
        "-o",
        text(&declaration),
    ])
    .fails_naming(&["kept.rs, the declaration"]);
}

#[test]
fn links_devices_and_permissions_stay_what_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let [_, writer] = Writer::all("links");
    let target = writer.output.with_file_name("target.bin");
    fs::write(&target, "old").expect("it can be written");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).expect("it is ours");
    symlink(&target, &writer.output).expect("links can be made");
    writer.run().succeeds();
    assert!(
        fs::symlink_metadata(&writer.output)
            .expect("it is there")
            .is_symlink()
    );
    assert_eq!(
        fs::metadata(&target)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    assert!(read(&target).len() > 1000);
    let arguments: Vec<&str> = writer
        .arguments
        .iter()
        .map(String::as_str)
        .chain(["-o", "/dev/null"])
        .collect();
    nnue(&arguments).succeeds();
}
