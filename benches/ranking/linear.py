"""Linear models of scikit-learn on the records of the ranking example: how well they rank, and how many requests they serve on one core.

    $ cargo run --release -p nnue-train --example ranking 400000 FOLDER
    $ pip install -r benches/ranking/requirements.txt
    $ taskset -c 1 python benches/ranking/linear.py FOLDER

A request is one user and 100 items, as in the example. A linear model adds up one weight for each row, so the sums of items are computed once.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sys
import time
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import log_loss, roc_auc_score

USERS, ROWS, CANDIDATES = 4096, 6144, 100


def read(path):
    """The lists of rows as a matrix of ones, and the clicks."""
    indptr, indices, clicks = [0], [], []
    with open(path) as file:
        for line in file:
            rows, click = line.split("|")
            indices += map(int, rows.split())
            indptr.append(len(indices))
            clicks.append(int(click))
    shape = len(clicks), ROWS
    return csr_matrix((np.ones(len(indices)), indices, indptr), shape), np.array(clicks)


def requests(model, lists):
    """Requests a second: the best of 100 items for each of 500 users."""
    weights, bias = model.coef_[0], model.intercept_[0]
    users = [lists[at].indices[lists[at].indices < USERS] for at in range(500)]
    items = [lists[at].indices[lists[at].indices >= USERS] for at in range(CANDIDATES)]
    of_items = np.array([weights[rows].sum() for rows in items])
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < 1:
        for rows in users:
            (bias + weights[rows].sum() + of_items).argmax()
        count += len(users)
    return count / (time.perf_counter() - begin)


def predicted(model, lists):
    """Requests a second by `decision_function`, which reads a matrix of all rows of the 100 pairs."""
    items = lists[:CANDIDATES].copy()
    items.data[items.indices < USERS] = 0
    users = lists[:50].copy()
    users.data[users.indices >= USERS] = 0
    pairs = [items + csr_matrix(np.ones((CANDIDATES, 1))) @ users[at] for at in range(users.shape[0])]
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < 1:
        for pair in pairs:
            model.decision_function(pair).argmax()
        count += len(pairs)
    return count / (time.perf_counter() - begin)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: linear.py FOLDER")
    folder = Path(sys.argv[1])
    (lists, clicks), (held_out, expected) = read(folder / "train.rows"), read(folder / "held_out.rows")
    models = {
        "LogisticRegression(C=0.1)": LogisticRegression(C=0.1, max_iter=200),
        "LogisticRegression(C=1)": LogisticRegression(C=1.0, max_iter=200),
        "SGDClassifier(log_loss)": SGDClassifier(loss="log_loss", alpha=1e-5, max_iter=100, random_state=1),
    }
    print("model                      seconds   area    loss  requests  by decision_function")
    for name, model in models.items():
        begin = time.perf_counter()
        model.fit(lists, clicks)
        seconds = time.perf_counter() - begin
        area = roc_auc_score(expected, model.decision_function(held_out))
        loss = log_loss(expected, model.predict_proba(held_out))
        served, slow = requests(model, held_out), predicted(model, held_out)
        print(f"{name:<26} {seconds:7.1f} {area:6.3f} {loss:7.4f} {served:9.0f} {slow:21.0f}")


main()
