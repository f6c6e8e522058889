//! Networks over lists of rows that are described at run time: candidates in the form of sparse matrices.

use nnue::rows::{
    Candidate, CandidateBatch, CandidateBatchError, Given, Integers, RowLists, RowMatrix, RowSets,
};
use nnue::{Evaluation, Network, Parameters, RealEvaluation, dynamic, game};

/// A network with the same weights as a compiled one, and its stack.
pub(super) struct Described {
    network: dynamic::Network,
    stack: dynamic::RowsStack,
}

impl Described {
    /// `None` if the network needs code of the program.
    pub(super) fn of<A: game::Architecture<Inputs = Given>>(network: &Network<A>) -> Option<Self> {
        let described =
            dynamic::Network::from_tensors(&A::SPEC, &network.params().tensors()).ok()?;
        let network = described.with_level(network.level());
        let stack = dynamic::RowsStack::new(&network)?;
        Some(Self { network, stack })
    }

    /// The values of candidates of a position, and their real values, which must fit.
    pub(super) fn values(
        &mut self,
        position: &RowSets,
        candidates: &[Candidate<'_>],
    ) -> Result<Vec<Evaluation>, CandidateBatchError> {
        let lists: Vec<&[u32]> = (0..position.lists())
            .map(|list| position.list(list))
            .collect();
        self.stack.set(row_lists(&lists)).expect("a position");
        self.stack.set_black_to_move(position.black_to_move());
        let of_list = |list: usize| {
            let added = candidates
                .iter()
                .map(|change| change.added.as_slice()[list]);
            let removed = candidates
                .iter()
                .map(|change| change.removed.as_slice()[list]);
            [Arrays::of(added), Arrays::of(removed)]
        };
        let arrays: Vec<[Arrays; 2]> = (0..lists.len()).map(of_list).collect();
        let [added, removed] = [0, 1].map(|part| {
            let matrices = arrays.iter().map(|arrays| arrays[part].matrix());
            matrices.collect::<Vec<_>>()
        });
        let batch = match (added.as_slice(), removed.as_slice()) {
            (&[added, of_second], &[removed, from_second]) => {
                CandidateBatch::two([added, of_second], [removed, from_second])
            }
            (added, removed) => CandidateBatch::one(added[0], removed[0]),
        }?;
        let mut values = vec![RealEvaluation::default(); 3];
        let evaluated = self
            .stack
            .evaluate_candidate_batch(&self.network, &batch, &mut values);
        assert_eq!(*self.stack.rows(), *position);
        assert_eq!(
            values.len(),
            if evaluated.is_ok() {
                candidates.len()
            } else {
                0
            }
        );
        evaluated?;
        Ok(values.iter().map(|value| value.evaluation).collect())
    }
}

fn row_lists<'a>(lists: &[&'a [u32]]) -> RowLists<'a> {
    match *lists {
        [first, second] => RowLists::Two([first, second]),
        _ => RowLists::One(lists[0]),
    }
}

/// Lists in the form of a sparse matrix.
struct Arrays {
    indptr: Vec<u64>,
    indices: Vec<i64>,
}

impl Arrays {
    fn of<'a>(lists: impl Iterator<Item = &'a [u32]>) -> Self {
        let (mut indptr, mut indices) = (vec![0], Vec::new());
        for rows in lists {
            indices.extend(rows.iter().copied().map(i64::from));
            indptr.push(indices.len() as u64);
        }
        Self { indptr, indices }
    }

    fn matrix(&self) -> RowMatrix<'_> {
        RowMatrix::new(Integers::U64(&self.indptr), Integers::I64(&self.indices)).expect("bounds")
    }
}
