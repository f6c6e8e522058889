//! `cargo xtask release`: checks that the tree can be released, and builds the release in
//! `target/release-VERSION`.
//!
//! This is part of the checklist in `docs/releasing.md`. Nothing is published or tagged. `--draft` builds
//! from a tree that is not ready, and reports the faults.

mod archive;
mod binaries;
mod licences;
mod ready;
mod wheels;

use std::path::PathBuf;

use crate::packages;
use crate::repo::{self, Failure, Outcome};

pub(super) struct Release {
    version: String,
    folder: PathBuf,
}

pub(crate) fn run(args: &[String]) -> Outcome {
    let is_draft = match args {
        [] => false,
        [only] if only == "--draft" => true,
        _ => return Err(Failure::new("the only argument is --draft")),
    };
    let version = ready::version()?;
    let faults = ready::faults(&version)?;
    faults
        .iter()
        .for_each(|fault| println!("not ready: {fault}"));
    if !is_draft && !faults.is_empty() {
        return Err(Failure::new("mend this, or make a draft with --draft"));
    }
    ready::tools(&version)?;
    println!("packages: each is built by itself");
    repo::succeed(&mut packages::command())?;
    packages::run(&[])?;
    let release = Release {
        folder: repo::target_dir().join(format!("release-{version}")),
        version,
    };
    release.make()
}

impl Release {
    fn make(&self) -> Outcome {
        let failure = |error| Failure::new(format!("{}: {error}", self.folder.display()));
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder).map_err(failure)?;
        }
        std::fs::create_dir_all(&self.folder).map_err(failure)?;
        let mut archives = Vec::new();
        for target in binaries::TARGETS {
            println!("binaries: {target}");
            archives.push(self.archive(target)?);
        }
        println!("page: {}", binaries::PAGE);
        archives.push(self.archive_of_page()?);
        println!("wheels");
        archives.extend(self.wheels()?);
        for package in packages::packages()? {
            let name = package.file_name().unwrap_or_default();
            std::fs::copy(&package, self.folder.join(name)).map_err(failure)?;
            archives.push(name.to_string_lossy().into_owned());
        }
        archive::checksums(&self.folder, &archives)?;
        println!(
            "{} files and SHA256SUMS in {}",
            archives.len(),
            self.folder.display()
        );
        Ok(())
    }
}
