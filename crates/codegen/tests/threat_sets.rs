//! A tensor may have the size of a declared set and be of another: advice says which sets have that size.

use nnue_codegen::plan_text;

/// What is said of a file of zeros that is to have another value.
fn refused(rows: usize) -> String {
    let text = format!(
        "struct X = Chess768[..] + FullThreats[{rows}] -> 32x2 -> 1 {{ format raw; golden \"8/8/4k3/8/8/3QK3/8/8 b - - 0 1\" = 5; }}"
    );
    let plans = plan_text(&text).expect("it is a network");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let zeros = vec![0; net.parameter_bytes()];
    let Err(error) = nnue_tools::read(&net, std::io::Cursor::new(zeros)) else {
        panic!("its value is 0");
    };
    error.to_string()
}

#[test]
fn sets_of_other_engines_of_the_same_size_are_named() {
    let said = refused(79_856);
    assert!(
        said.contains("the size of `FullThreats[79856]` fits also threats of Halogen"),
        "{said}"
    );
    assert!(!refused(59_808).contains("Halogen"));
}
