//! The function, called as DataFusion calls it: on arrays of Arrow, and on single values.

use std::sync::{Arc, LazyLock};

use datafusion_common::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, LargeStringArray, StringArray, StringViewArray,
};
use datafusion_common::arrow::datatypes::{DataType, Field, Int32Type};
use datafusion_common::config::ConfigOptions;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};
use nnue::stockfish::{Sfnnv1, Sfnnv2};
use nnue::{Evaluation, Network};
use nnue_backend::nnue::{Board, NetworkScorer};
use nnue_datafusion::{eval, try_eval};
use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_testkit::vectors::suite;

static NETWORK: LazyLock<Arc<Network<Sfnnv1>>> = LazyLock::new(|| {
    let bytes = Synthetic::new("v1", Profile::Normal).kept_bytes();
    Arc::new(Network::read(&bytes[..]).expect("a synthetic network"))
});

/// The network as what gives scores.
fn scorer() -> Arc<NetworkScorer<Arc<Network<Sfnnv1>>>> {
    Arc::new(NetworkScorer(NETWORK.clone()))
}

/// What the network says about a position by itself.
fn said(fen: &str) -> Evaluation {
    NETWORK.evaluate_fresh(&Board(fen.parse().expect("a FEN")))
}

fn call(function: &ScalarUDF, fens: ColumnarValue, rows: usize) -> Result<ColumnarValue> {
    let field = |name, kind| Arc::new(Field::new(name, kind, true));
    function.invoke_with_args(ScalarFunctionArgs {
        arg_fields: vec![field("fen", fens.data_type())],
        args: vec![fens],
        number_rows: rows,
        return_field: field("value", DataType::Int32),
        config_options: Arc::new(ConfigOptions::default()),
    })
}

/// The values of a column.
fn values(function: &ScalarUDF, fens: ArrayRef) -> Result<Vec<Option<i32>>> {
    let rows = fens.len();
    let values = call(function, ColumnarValue::Array(fens), rows)?.into_array(rows)?;
    Ok(values.as_primitive::<Int32Type>().iter().collect())
}

fn function() -> ScalarUDF {
    eval("nnue_eval", scorer())
}

#[test]
fn values_are_those_of_the_vectors() {
    let rows = suite("syn-v1");
    let expected: Vec<Option<i32>> = rows
        .iter()
        .map(|row| {
            let said = said(&row.fen);
            assert_eq!(
                (said.psqt, said.positional),
                (row.psqt, row.positional),
                "{}",
                row.fen
            );
            Some(said.value)
        })
        .collect();
    assert!(rows.len() > 300);
    let fens = || rows.iter().map(|row| row.fen.as_str());
    let columns: [ArrayRef; 3] = [
        Arc::new(StringArray::from_iter_values(fens())),
        Arc::new(LargeStringArray::from_iter_values(fens())),
        Arc::new(StringViewArray::from_iter_values(fens())),
    ];
    for column in columns {
        assert_eq!(values(&function(), column).expect("positions"), expected);
    }
}

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[test]
fn null_gives_null_and_a_wrong_fen_an_error_or_null() {
    let value = said(FEN).value;
    let column =
        |wrong| Arc::new(StringArray::from(vec![None, Some(FEN), wrong, Some(FEN)])) as ArrayRef;
    assert_eq!(
        values(&function(), column(None)).expect("positions"),
        [None, Some(value), None, Some(value)]
    );
    let error = values(&function(), column(Some("8/8 w")))
        .expect_err("no position")
        .to_string();
    assert!(
        error.ends_with(
            "nnue_eval: `8/8 w` is no position: a FEN has at least four fields, this has 2"
        ),
        "{error}"
    );
    let lenient = try_eval("nnue_try_eval", scorer());
    let found = values(&lenient, column(Some("8/8 w"))).expect("wrong FENs are NULL");
    assert_eq!(found, [None, Some(value), None, Some(value)]);
    assert_eq!(
        values(&function(), Arc::new(StringArray::from(Vec::<&str>::new()))).expect("no rows"),
        []
    );
}

#[test]
fn a_single_value_is_one() {
    let value = said(FEN).value;
    for (given, expected) in [(Some(FEN), Some(value)), (None, None)] {
        let given = ColumnarValue::Scalar(ScalarValue::Utf8(given.map(Into::into)));
        match call(&function(), given, 7).expect("a position") {
            ColumnarValue::Scalar(ScalarValue::Int32(found)) => assert_eq!(found, expected),
            other => panic!("{other:?} is no single number"),
        }
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let error = values(&function(), Arc::new(Int64Array::from(vec![1])))
        .expect_err("a number")
        .to_string();
    assert!(
        error.ends_with("nnue_eval: a FEN is text, and this is Int64"),
        "{error}"
    );
}

#[test]
fn functions_are_told_apart_by_name_and_network() {
    assert_eq!(function(), function());
    assert_ne!(function(), eval("other", scorer()));
    assert_ne!(function(), try_eval("nnue_eval", scorer()));
    assert_ne!(
        function(),
        eval(
            "nnue_eval",
            Arc::new(NetworkScorer(Arc::new(Network::<Sfnnv2>::random(1))))
        )
    );
}
