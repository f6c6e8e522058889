//! What the README shows is what happens. (Its programs are doctests of the crate; `cargo xtask readme` copies it from there.)

const README: &str = include_str!("../README.md");

#[test]
fn the_error_of_a_wrong_width_is_the_compilers() {
    let error = include_str!("ui/accumulator/accumulator-width.stderr");
    assert!(README.contains(&error.replace("tests/ui/accumulator/accumulator-width.rs", "src/main.rs")), "{error}");
}

#[test]
fn the_error_of_a_wrong_file_is_the_loaders() {
    let example = include_str!("../examples/02_load.rs");
    let error = example.lines().find_map(|line| line.strip_prefix("//! as another network: ")).expect("its output");
    assert!(README.contains(error), "{error}");
}
