//! `libnnue`, a library without networks of its own: programs in C open any file with it, of chess by `nnue_network_open_described`, over lists of rows by
//! `nnue_rows_open`. `make install LIBRARY=nnue` builds and installs it.

nnue_capi::export! {}
