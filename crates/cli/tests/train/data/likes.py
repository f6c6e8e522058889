"""Writes likes.parquet: the log of `../rows.rs` as pyarrow writes it, with a column that says what is held out.

pip install pyarrow && python likes.py
"""

import pyarrow as pa
import pyarrow.parquet as pq

LINES = 3000
state = 4


def below(limit):
    global state
    state = (state * 0x5851F42D4C957F2D + 0x14057B7EF767814F) % 2**64
    return (state >> 33) % limit


rows, targets, held_out = [], [], []
for line in range(LINES):
    age, city, kind = below(40), below(20), below(20)
    cross = (age * 31 + kind * 17 + 5) % 128
    rows.append([age, 40 + city, 60 + kind, 80 + cross])
    targets.append(float((age % 2 == kind % 2) != (below(20) == 0)))
    held_out.append(line % 5 == 0)

table = pa.table(
    {
        "rows": pa.array(rows, pa.list_(pa.int32())),
        "target": pa.array(targets, pa.float64()),
        "held_out": pa.array(held_out, pa.bool_()),
    }
)
pq.write_table(table, "likes.parquet", compression="zstd", row_group_size=1000)
