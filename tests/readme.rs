//! The README shows real outputs. Its programs are doctests of the crate, from which `cargo xtask readme` copies it.

const README: &str = include_str!("../README.md");

#[test]
fn the_first_program_is_the_first_example() {
    let example = include_str!("../examples/01_hello.rs");
    let program = example
        .find("\nuse ")
        .map(|start| &example[start + 1..])
        .expect("a program");
    assert!(README.contains(program), "{program}");
}

#[test]
fn the_error_of_a_wrong_width_is_the_compilers() {
    let error = include_str!("ui/accumulator/accumulator-width.stderr");
    assert!(
        README.contains(&error.replace("tests/ui/accumulator/accumulator-width.rs", "src/main.rs")),
        "{error}"
    );
}

#[test]
fn the_error_of_a_wrong_file_is_the_loaders() {
    let example = include_str!("../examples/02_load.rs");
    let error = example
        .lines()
        .find_map(|line| line.strip_prefix("//! as another network: "))
        .expect("its output");
    assert!(README.contains(error), "{error}");
}
