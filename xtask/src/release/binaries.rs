//! Compiled commands and the demonstration page.

use std::path::Path;
use std::process::Command;

use super::{Release, archive, licences};
use crate::ci::foreign::Target;
use crate::repo::{self, Failure, Outcome};

/// Targets of archives, for any Linux. Baseline binaries lose nothing, since programs choose the level at run
/// time. The first target is this machine's.
pub(super) const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// Debian's copy of the licence of musl, which is linked statically.
const MUSL_LICENCE: &str = "/usr/share/doc/musl-dev/copyright";

/// Target of the page.
pub(super) const PAGE: &str = "wasm32-unknown-unknown";

/// Package, features and program of each command.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("nnue-cli", "full", "nnue"),
    ("nnue-cli", "full", "nnue-train"),
];

/// Shells, their folders of completions, and the names of the files.
const PLACES: [(&str, &str, &str); 3] = [
    ("bash", "share/bash-completion/completions", "{}"),
    ("zsh", "share/zsh/site-functions", "_{}"),
    ("fish", "share/fish/vendor_completions.d", "{}.fish"),
];

fn build(target: Target, package: &str, features: &str) -> Outcome {
    let mut build = target.cargo("build")?;
    build.args([
        "--quiet",
        "--release",
        "--locked",
        "-p",
        package,
        "--features",
        features,
    ]);
    repo::succeed(build.env_remove("RUSTFLAGS"))
}

impl Release {
    /// Builds and packs the commands for a target; returns the archive's name.
    pub(super) fn archive(&self, triple: &'static str) -> Outcome<String> {
        let name = format!("nnue-{}-{triple}", self.version);
        let root = self.folder.join(&name);
        let target = Target::Static(triple);
        repo::run(".ci/prepare-musl", &[triple])?;
        for (package, features, program) in COMMANDS {
            build(target, package, features)?;
            copy(
                &target.release().join(program),
                &root.join("bin").join(program),
            )?;
            self.describe(program, &root)?;
        }
        let packages = COMMANDS
            .iter()
            .map(|(package, features, _)| (*package, *features));
        repo::write(
            &root.join("THIRD-PARTY-LICENSES"),
            &licences::of(packages, triple)?,
        )?;
        copy(Path::new(MUSL_LICENCE), &root.join("LICENSE-musl"))?;
        self.add_texts(&root)?;
        archive::pack(&self.folder, &name)
    }

    /// Adds completions and manual pages, printed by the program for this machine.
    fn describe(&self, program: &str, root: &Path) -> Outcome {
        let own = Target::Static(TARGETS[0]).release().join(program);
        for (shell, folder, file) in PLACES {
            let script = repo::output(Command::new(&own).args(["completions", shell]))?;
            repo::write(
                &root.join(folder).join(file.replace("{}", program)),
                &script,
            )?;
        }
        repo::output(
            Command::new(&own)
                .arg("man")
                .arg(root.join("share/man/man1")),
        )
        .map(drop)
    }

    fn add_texts(&self, root: &Path) -> Outcome {
        ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]
            .iter()
            .try_for_each(|text| copy(&repo::root().join(text), &root.join(text)))
    }

    /// Packs the demonstration page with its network; returns the archive's name.
    pub(super) fn archive_of_page(&self) -> Outcome<String> {
        const FOLDER: &str = "examples/web";
        let name = format!("nnue-{}-web", self.version);
        let root = self.folder.join(&name);
        repo::run(".ci/build-std", &[PAGE, "std,panic_abort"])?;
        repo::succeed(&mut Target::Browser.cargo_in(FOLDER, "build")?)?;
        copy(
            &Target::Browser.release().join("nnue_web.wasm"),
            &root.join("nnue_web.wasm"),
        )?;
        copy(
            &repo::root().join(FOLDER).join("index.html"),
            &root.join("index.html"),
        )?;
        repo::write(
            &root.join("THIRD-PARTY-LICENSES"),
            &licences::of_folder(FOLDER, PAGE)?,
        )?;
        self.add_texts(&root)?;
        archive::pack(&self.folder, &name)
    }
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let folder = to.parent().unwrap_or(Path::new("."));
    let copied = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(from, to));
    copied
        .map(drop)
        .map_err(|error| Failure::new(format!("{} to {}: {error}", from.display(), to.display())))
}
