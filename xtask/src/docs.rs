//! Tests of the documents: the map in `docs/architecture.md` matches the files, and links lead to existing
//! files and headings.

use std::collections::BTreeSet;
use std::path::Path;

use crate::repo;

/// The files tracked by git, relative to the root.
fn files() -> Vec<String> {
    let mut git = std::process::Command::new("git");
    let listed = repo::output(git.args(["ls-files"]).current_dir(repo::root()));
    listed
        .expect("git lists the files")
        .lines()
        .map(str::to_owned)
        .collect()
}

fn read(file: &str) -> String {
    repo::read(&repo::root().join(file)).expect("a file of the repository")
}

/// The paths of the map. Each line of a `map` block begins with a folder or, indented by two, with a file in
/// it.
fn map() -> Vec<String> {
    let page = read("docs/architecture.md");
    let blocks = page
        .split("```map\n")
        .skip(1)
        .filter_map(|block| block.split("```").next());
    let (mut paths, mut folder) = (Vec::new(), "");
    for line in blocks.flat_map(str::lines) {
        let Some(entry) = line.split_whitespace().next() else {
            continue;
        };
        match line.len() - line.trim_start().len() {
            0 => {
                folder = entry;
                paths.push(entry.to_owned());
            }
            2 => paths.push(format!("{folder}{entry}")),
            _ => {} // continuation of a description
        }
    }
    paths
}

#[test]
fn everything_on_the_map_exists() {
    let is_there = |path: &String| {
        let there = repo::root().join(path);
        if path.ends_with('/') {
            there.is_dir()
        } else {
            there.is_file()
        }
    };
    let wrong: Vec<String> = map().into_iter().filter(|path| !is_there(path)).collect();
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "docs/architecture.md lists what does not exist"
    );
}

/// Folders of tests are excluded, since `docs/testing.md` describes them.
#[test]
fn every_folder_with_sources_is_on_the_map() {
    let mapped: BTreeSet<String> = map().into_iter().collect();
    let files = files();
    let folders: BTreeSet<String> = files
        .iter()
        .filter(|file| file.ends_with(".rs"))
        .filter_map(|file| Some(format!("{}/", Path::new(file).parent()?.to_str()?)))
        .filter(|folder| !folder.starts_with("tests/") && !folder.contains("/tests/"))
        .collect();
    assert!(folders.len() > 40, "{folders:?}");
    let missing: Vec<&String> = folders.difference(&mapped).collect();
    assert_eq!(
        missing,
        Vec::<&String>::new(),
        "docs/architecture.md lacks folders"
    );
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    let documents: Vec<String> = files()
        .into_iter()
        .filter(|file| file.ends_with(".md"))
        .collect();
    for document in &documents {
        let folder = repo::root()
            .join(document)
            .parent()
            .expect("a folder")
            .to_owned();
        for target in links(&read(document)) {
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() {
                repo::root().join(document)
            } else {
                folder.join(file)
            };
            let is_right =
                path.exists() && (heading.is_empty() || headings(&path).contains(heading));
            if !is_right {
                wrong.push(format!("{document}: {target}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_page_is_in_the_index() {
    let index = links(&read("docs/README.md"));
    let pages = files().into_iter().filter_map(|file| {
        let page = file.strip_prefix("docs/")?.to_owned();
        (page.ends_with(".md") && page != "README.md").then_some(page)
    });
    let missing: Vec<String> = pages.filter(|page| !index.contains(page)).collect();
    assert_eq!(missing, Vec::<String>::new(), "docs/README.md lacks pages");
}

/// The relative link targets of a page, outside code blocks.
fn links(page: &str) -> Vec<String> {
    let prose = page.split("```").step_by(2).collect::<String>();
    let targets = prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("//") && !target.contains(' '))
        .map(str::to_owned)
        .collect()
}

/// The anchors of a page's headings, generated as GitHub does.
fn headings(page: &Path) -> BTreeSet<String> {
    let text = repo::read(page).expect("a page");
    let prose = text.split("```").step_by(2).collect::<String>();
    let mut anchors = BTreeSet::new();
    for heading in prose.lines().filter(|line| line.starts_with('#')) {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let text: String = heading
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .chars()
            .filter(kept)
            .collect();
        let anchor = text.replace(' ', "-");
        let number = (1..)
            .find(|number| !anchors.contains(&format!("{anchor}-{number}")))
            .expect("some number");
        let is_first = anchors.insert(anchor.clone());
        if !is_first {
            anchors.insert(format!("{anchor}-{number}"));
        }
    }
    anchors
}

fn unindented(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim(), "\n"]).collect()
}

/// Blocks marked `rust` in the page on switching occur in the engines, which are compiled and run.
#[test]
fn the_page_on_switching_shows_code_of_the_engines() {
    let engines: Vec<String> = files()
        .into_iter()
        .filter(|file| file.starts_with("examples/engines/"))
        .map(|file| unindented(&read(&file)))
        .collect();
    let page = read("docs/switching.md");
    let blocks: Vec<&str> = page
        .split("```rust\n")
        .skip(1)
        .filter_map(|block| block.split("```").next())
        .collect();
    assert!(blocks.len() > 10, "{} blocks", blocks.len());
    let is_missing = |block: &&str| !engines.iter().any(|text| text.contains(&unindented(block)));
    let missing: Vec<&str> = blocks.into_iter().filter(is_missing).collect();
    assert_eq!(
        missing,
        Vec::<&str>::new(),
        "in no file of examples/engines"
    );
}
