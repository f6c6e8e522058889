//! The function of lists of rows, called as DataFusion calls it: values are those that the command prints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion_common::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, FixedSizeListArray, Int64Array, LargeListArray,
    ListArray,
};
use datafusion_common::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type,
};
use datafusion_common::config::ConfigOptions;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};
use nnue::dynamic::Network;
use nnue::rows::RowSets;
use nnue_codegen::described_text;
use nnue_datafusion::{eval_rows, eval_rows_real, try_eval_rows, try_eval_rows_real};
use nnue_testkit::random::Random;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/vectors/rows")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).expect("a file of the vectors")
}

fn network(name: &str) -> Arc<Network> {
    let declared = described_text(&text(&format!("{name}.rs"))).expect("a declaration");
    let network = Network::open(declared[0], file(&format!("{name}.nnue"))).expect("a network");
    Arc::new(network)
}

fn single() -> ScalarUDF {
    eval_rows("nnue_eval_rows", network("single")).expect("lists of rows")
}

/// A line of the command's table.
struct Line {
    lists: Vec<Vec<u32>>,
    black: bool,
    value: i32,
}

fn lines(name: &str) -> Vec<Line> {
    let table = text(&format!("{name}.tsv"));
    let line = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        let list = |list: &str| {
            let rows = list.split_whitespace();
            rows.map(|row| row.parse().expect("a row")).collect()
        };
        Line {
            lists: fields[0]
                .trim_end_matches('b')
                .split('|')
                .map(list)
                .collect(),
            black: fields[0].ends_with('b'),
            value: fields[3].parse().expect("a value"),
        }
    };
    table.lines().skip(1).map(line).collect()
}

fn call(function: &ScalarUDF, args: Vec<ColumnarValue>, rows: usize) -> Result<ColumnarValue> {
    let field = |kind| Arc::new(Field::new("argument", kind, true));
    function.invoke_with_args(ScalarFunctionArgs {
        arg_fields: args.iter().map(|arg| field(arg.data_type())).collect(),
        args,
        number_rows: rows,
        return_field: field(function.return_type(&[]).expect("a type")),
        config_options: Arc::new(ConfigOptions::default()),
    })
}

fn values(function: &ScalarUDF, columns: &[ArrayRef]) -> Result<Vec<Option<i32>>> {
    let rows = columns[0].len();
    let columns = columns.iter().cloned().map(ColumnarValue::Array).collect();
    let values = call(function, columns, rows)?.into_array(rows)?;
    Ok(values.as_primitive::<Int32Type>().iter().collect())
}

/// A column of lists of this type, in a part of a longer column.
fn column<T: ArrowPrimitiveType>(lists: &[&[u32]]) -> ArrayRef
where
    T::Native: TryFrom<u32>,
{
    let list = |rows: &&[u32]| {
        let number = |&row: &u32| T::Native::try_from(row).ok();
        Some(rows.iter().map(number).collect::<Vec<_>>())
    };
    let before = [Some(vec![None, None])];
    let lists = before.into_iter().chain(lists.iter().map(list));
    let array = ListArray::from_iter_primitive::<T, _, _>(lists);
    Arc::new(array.slice(1, array.len() - 1))
}

#[test]
fn values_are_those_of_the_command() {
    for name in ["single", "double", "floats", "stacks", "trained"] {
        let function = eval_rows("nnue_eval_rows", network(name)).expect("lists of rows");
        let lines = lines(name);
        assert!(lines.len() > 40);
        let expected: Vec<_> = lines.iter().map(|line| Some(line.value)).collect();
        let list = |list: usize| {
            let lists: Vec<&[u32]> = lines.iter().map(|line| &line.lists[list][..]).collect();
            [
                column::<Int32Type>(&lists),
                column::<Int64Type>(&lists),
                column::<UInt32Type>(&lists),
                column::<UInt64Type>(&lists),
            ]
        };
        let black: BooleanArray = lines.iter().map(|line| Some(line.black)).collect();
        for (at, first) in list(0).into_iter().enumerate() {
            let columns = match name {
                "double" | "stacks" => {
                    vec![first, list(1)[3 - at].clone(), Arc::new(black.clone())]
                }
                _ => vec![first],
            };
            assert_eq!(
                values(&function, &columns).expect("positions"),
                expected,
                "{name}"
            );
        }
    }
}

/// Random lists of every kind by queries of 10,000: right ones (empty, as long as allowed, in any order) have the value
/// of the network in Rust; wrong ones (a row twice, a row that does not exist, too many rows) are NULL.
fn random_lists(queries: usize) {
    let network = network("single");
    let function = try_eval_rows("nnue_try_eval_rows", network.clone()).expect("lists of rows");
    let shape = network.rows_shape().expect("lists of rows");
    let most = shape.most_active as usize;
    let mut random = Random::new(34);
    for _ in 0..queries {
        let (mut lists, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..10_000 {
            let mut all: Vec<u32> = (0..shape.rows).collect();
            let length = [0, most, random.below(most + 1)][random.below(3)];
            let mut list: Vec<u32> = (0..length)
                .map(|_| all.swap_remove(random.below(all.len())))
                .collect();
            let is_right = match random.below(6) {
                0 if length > 0 => {
                    list[0] = list[length - 1];
                    length == 1
                }
                1 if length > 0 => {
                    list[0] = shape.rows + random.below(1 << 20) as u32;
                    false
                }
                2 => {
                    list.extend(&all[..most + 1 - length]);
                    false
                }
                _ => true,
            };
            expected.push(is_right.then(|| {
                let rows = RowSets::of(&shape, &list).expect("a right list");
                network.evaluate_listed(&rows).value
            }));
            lists.push(list);
        }
        let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
        let found = values(&function, &[column::<Int64Type>(&lists)]).expect("values or NULL");
        assert_eq!(found, expected);
        let right = expected.iter().flatten().count();
        assert!(
            (4000..8000).contains(&right),
            "{right} of 10,000 lists are right"
        );
    }
}

#[test]
fn random_lists_have_the_values_of_the_network() {
    random_lists(1);
}

/// A million lists: queries have no stacks.
#[test]
#[ignore = "long"]
fn million_lists_have_the_values_of_the_network() {
    random_lists(100);
}

const ROWS: [[i64; 2]; 3] = [[72, 97], [3, 17], [0, 99]];

#[test]
fn all_types_of_lists_are_read() {
    let rows = || ROWS.map(|rows| Some(rows.map(Some).to_vec()));
    let columns: [ArrayRef; 3] = [
        Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(rows())),
        Arc::new(LargeListArray::from_iter_primitive::<Int64Type, _, _>(
            rows(),
        )),
        Arc::new(FixedSizeListArray::from_iter_primitive::<Int64Type, _, _>(
            rows(),
            2,
        )),
    ];
    let expected = values(&single(), &columns[..1]).expect("positions");
    assert_eq!(expected[0], Some(lines("single")[0].value));
    for column in columns {
        let from_second = column.slice(1, 2);
        assert_eq!(values(&single(), &[column]).expect("positions"), expected);
        assert_eq!(
            values(&single(), &[from_second]).expect("positions"),
            expected[1..]
        );
    }
    for row in 0..3 {
        let list = ListArray::from_iter_primitive::<Int64Type, _, _>([rows()[row].clone()]);
        let scalar = ColumnarValue::Scalar(ScalarValue::List(Arc::new(list)));
        match call(&single(), vec![scalar], 7).expect("a position") {
            ColumnarValue::Scalar(ScalarValue::Int32(found)) => assert_eq!(found, expected[row]),
            other => panic!("{other:?} is no single number"),
        }
    }
}

#[test]
fn null_gives_null_and_wrong_rows_an_error_or_null() {
    let value = lines("single")[0].value;
    let of = |wrong: Option<Vec<Option<i64>>>| -> [ArrayRef; 1] {
        let right = || Some(vec![Some(72), Some(97)]);
        let lists = [None, right(), wrong, right()];
        [Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(
            lists,
        ))]
    };
    let expected = [None, Some(value), None, Some(value)];
    assert_eq!(values(&single(), &of(None)).expect("positions"), expected);
    let lenient = try_eval_rows("nnue_try_eval_rows", network("single")).expect("lists of rows");
    for (wrong, message) in [
        (
            vec![Some(3), Some(100)],
            "nnue_eval_rows: `[3, 100]` is no position: row 100: there are only 100 rows",
        ),
        (
            vec![Some(-1)],
            "nnue_eval_rows: `[-1]` is no position: row -1: there are only 100 rows",
        ),
        (
            vec![Some(63), Some(63)],
            "nnue_eval_rows: `[63, 63]` is no position: row 63 (row 3 of `items`) is listed twice",
        ),
        (
            vec![Some(3), None],
            "is no position: the number of a row is NULL",
        ),
        (
            (0..13).map(Some).collect(),
            "is no position: 13 rows are active, the declaration allows 12 (`active 12`)",
        ),
    ] {
        let error = values(&single(), &of(Some(wrong.clone()))).expect_err(message);
        assert!(error.to_string().ends_with(message), "{error}");
        let found = values(&lenient, &of(Some(wrong))).expect("wrong rows are NULL");
        assert_eq!(found, expected);
    }
    let none = ListArray::from_iter_primitive::<Int64Type, [Option<i64>; 0], _>([]);
    assert_eq!(values(&single(), &[Arc::new(none)]).expect("no rows"), []);
}

fn list_of(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

#[test]
fn types_are_read_or_refused_by_the_planner() {
    let double = eval_rows("nnue_eval_rows", network("double")).expect("lists of rows");
    let integers = list_of(DataType::Int64);
    for kind in [
        DataType::Null,
        list_of(DataType::Null),
        list_of(DataType::UInt8),
    ] {
        assert_eq!(
            single().coerce_types(&[kind]).expect("integers"),
            [integers.clone()]
        );
    }
    for kind in [list_of(DataType::Int32), integers.clone()] {
        assert_eq!(
            single().coerce_types(&[kind.clone()]).expect("integers"),
            [kind]
        );
    }
    let both = [integers.clone(), integers.clone(), DataType::Null];
    let types = double.coerce_types(&both).expect("integers");
    assert_eq!(types[2], DataType::Boolean);
    for (function, kinds, message) in [
        (
            &single(),
            vec![DataType::Int64],
            "nnue_eval_rows: rows are a list of integers, and this is Int64",
        ),
        (
            &single(),
            vec![list_of(DataType::Float32)],
            "rows are a list of integers",
        ),
        (
            &single(),
            both.to_vec(),
            "nnue_eval_rows takes one list of rows, not 3 arguments",
        ),
        (
            &double,
            vec![integers.clone()],
            "takes the list of White, the list of Black and whether Black is to move, not 1",
        ),
        (
            &double,
            vec![integers.clone(), integers.clone(), DataType::Int64],
            "the side to move is a BOOLEAN",
        ),
    ] {
        let error = function.coerce_types(&kinds).expect_err(message);
        assert!(error.to_string().contains(message), "{error}");
    }
    let numbers: [ArrayRef; 2] = [
        Arc::new(Int64Array::from(vec![1])),
        Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some([
            Some(1),
        ])])),
    ];
    for column in [&numbers[..1], &numbers[..]] {
        values(&single(), column).expect_err("other arguments");
    }
}

/// Real values, of integers and of floats, are those of Rust; rounded, they are the values.
#[test]
fn real_values_are_those_before_rounding() {
    for name in ["single", "floats"] {
        let (network, lines) = (network(name), lines(name));
        let function = eval_rows_real("real", network.clone()).expect("lists of rows");
        assert_eq!(
            function.return_type(&[]).expect("a type"),
            DataType::Float64
        );
        let lists = lines.iter().map(|line| {
            let rows = line.lists[0].iter();
            Some(rows.map(|&row| Some(i64::from(row))).collect::<Vec<_>>())
        });
        let lists = ListArray::from_iter_primitive::<Int64Type, _, _>(lists);
        let args = vec![ColumnarValue::Array(Arc::new(lists))];
        let found = call(&function, args, lines.len()).expect("values");
        let found = found.into_array(lines.len()).expect("an array");
        let found = found.as_primitive::<Float64Type>().values();
        let shape = network.rows_shape().expect("lists");
        for (line, &real) in lines.iter().zip(found) {
            let rows = RowSets::of(&shape, line.lists[0].as_slice()).expect("rows");
            let expected = network.evaluate_listed_real(&rows).real;
            assert_eq!(real.to_bits(), expected.to_bits());
            assert_eq!(real as i32, line.value);
        }
        assert!(found.iter().any(|real| real.fract() != 0.0));
    }
    let lenient = try_eval_rows_real("real", network("single")).expect("lists of rows");
    let wrong = ScalarValue::List(Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(
        [Some([Some(7), Some(7)])],
    )));
    let said = call(&lenient, vec![ColumnarValue::Scalar(wrong)], 1).expect("NULL");
    assert!(matches!(
        said,
        ColumnarValue::Scalar(ScalarValue::Float64(None))
    ));
}

#[test]
fn functions_are_told_apart_by_name_and_network() {
    assert_eq!(single(), single());
    let other = |name: &str, of| eval_rows(name, network(of)).expect("lists of rows");
    assert_ne!(single(), other("other", "single"));
    assert_ne!(single(), other("nnue_eval_rows", "floats"));
    let lenient = try_eval_rows("nnue_eval_rows", network("single")).expect("lists of rows");
    assert_ne!(single(), lenient);
    let real = eval_rows_real("nnue_eval_rows", network("single")).expect("lists of rows");
    assert_ne!(single(), real);
    let chess = described_text("pub struct Chess = 768 -> 32 -> 1;").expect("a declaration")[0];
    let chess = Arc::new(Network::random(chess, 1).expect("a network"));
    let error = eval_rows("nnue_eval_rows", chess).expect_err("boards");
    assert!(
        error
            .to_string()
            .contains("`Chess` are no lists of rows: `eval` and `try_eval`"),
        "{error}"
    );
}
