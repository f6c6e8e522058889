/* nnue.h for C++17: objects that free themselves, stacks that can be copied, exceptions instead of statuses.
 *
 *     nnue::Network network = nnue::Network::open("Main", "main.nnue");
 *     nnue::Stack stack(network);
 *     stack.push(change);
 *     int value = stack.evaluate(position).value;
 *
 * Header only: link with the library of nnue.h. docs/c.md is the guide. */
#ifndef NNUE_HPP
#define NNUE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

#include "nnue.h"

namespace nnue {

using Position = nnue_position;
using Placed = nnue_placed;
using Change = nnue_change;
using Evaluation = nnue_evaluation;

/* Kinds of pieces, as bitboards and changes number them. */
enum Kind : std::uint8_t { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum Color : std::uint8_t { WHITE, BLACK };

/* A piece on a square: a1 is 0, h1 is 7, h8 is 63. */
inline Placed placed(Color color, Kind kind, int square) noexcept {
    return {static_cast<std::uint8_t>(2 * kind + color), static_cast<std::uint8_t>(square)};
}

/* A call failed. what() is the library's message. */
class Error : public std::runtime_error {
public:
    explicit Error(nnue_status status) : std::runtime_error(nnue_error_message()), status_(status) {}
    Error(nnue_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
    nnue_status status() const noexcept { return status_; }

private:
    nnue_status status_;
};

namespace detail {
inline void check(nnue_status status) {
    if (status != NNUE_STATUS_OK) throw Error(status);
}

/* The library must be the one that this header was made for. */
inline void check_abi() {
    if (nnue_abi() != NNUE_ABI)
        throw Error(NNUE_STATUS_BAD_ARGUMENT, "the library has interface " + std::to_string(nnue_abi()) + ", nnue.h describes " +
                                                  std::to_string(NNUE_ABI));
}

struct Free {
    void operator()(nnue_network *network) const noexcept { nnue_network_free(network); }
    void operator()(nnue_stack *stack) const noexcept { nnue_stack_free(stack); }
    void operator()(nnue_table *table) const noexcept { nnue_table_free(table); }
    void operator()(nnue_batch *batch) const noexcept { nnue_batch_free(batch); }
    void operator()(nnue_rows *network) const noexcept { nnue_rows_free(network); }
    void operator()(nnue_rows_stack *stack) const noexcept { nnue_rows_stack_free(stack); }
    void operator()(nnue_rows_batch *batch) const noexcept { nnue_rows_batch_free(batch); }
};
} // namespace detail

/* Position of a FEN: its pieces and its side to move. */
inline Position position(const std::string &fen) {
    Position position;
    detail::check(nnue_position_from_fen(fen.c_str(), &position));
    return position;
}

/* The names of the networks in the library. */
inline std::vector<std::string> declared() {
    std::vector<std::string> names;
    while (const char *name = nnue_declared(names.size())) names.emplace_back(name);
    return names;
}

/* A loaded network. Copies share it; any number of threads may use it. */
class Network {
public:
    /* Loads a file as the declared network `name`. `level` is for example "avx2"; null chooses the fastest one. */
    static Network open(const std::string &name, const std::string &path, const char *level = nullptr) {
        detail::check_abi();
        nnue_network *network;
        detail::check(nnue_network_open(name.c_str(), path.c_str(), level, &network));
        return Network(network);
    }

    /* Loads a file that is in memory. */
    static Network from_bytes(const std::string &name, const void *bytes, std::size_t count, const char *level = nullptr) {
        detail::check_abi();
        nnue_network *network;
        detail::check(nnue_network_open_bytes(name.c_str(), static_cast<const std::uint8_t *>(bytes), count, level, &network));
        return Network(network);
    }

    /* Opens a network whose weights are in the library. */
    static Network embedded(const std::string &name, const char *level = nullptr) {
        detail::check_abi();
        nnue_network *network;
        detail::check(nnue_network_open_embedded(name.c_str(), level, &network));
        return Network(network);
    }

    /* Opens a network that the library does not export: by a declaration, of which `name` chooses one of several networks; by the name of one of
     * Stockfish's; or with null as the file says. For libraries with the feature `described` of nnue-capi, as libnnue. */
    static Network described(const char *declaration, const std::string &path, const char *name = nullptr, const char *level = nullptr) {
        detail::check_abi();
        nnue_network *network;
        detail::check(nnue_network_open_described(declaration, name, path.c_str(), level, &network));
        return Network(network);
    }

    /* The same for a file that is in memory. */
    static Network described_bytes(const char *declaration, const void *bytes, std::size_t count, const char *name = nullptr,
                                   const char *level = nullptr) {
        detail::check_abi();
        nnue_network *network;
        detail::check(nnue_network_open_described_bytes(declaration, name, static_cast<const std::uint8_t *>(bytes), count, level, &network));
        return Network(network);
    }

    /* The names of its outputs besides the value, of a network that is described. */
    std::vector<std::string> outputs() const {
        std::vector<std::string> names;
        while (const char *name = nnue_network_output(get(), names.size())) names.emplace_back(name);
        return names;
    }

    /* The instruction level at which it is evaluated. */
    std::string level() const { return nnue_network_level(get()); }

    /* Value of a position, from the position alone. In a search, a Stack is many times faster. */
    Evaluation evaluate(const Position &position) const {
        Evaluation evaluation;
        detail::check(nnue_network_evaluate(get(), &position, &evaluation));
        return evaluation;
    }

    /* The value of evaluate before it was rounded to an integer. */
    double real(const Position &position) const {
        double real;
        detail::check(nnue_network_real(get(), &position, &real));
        return real;
    }

    const nnue_network *get() const noexcept { return network_.get(); }

private:
    explicit Network(nnue_network *network) : network_(network, detail::Free()) {}
    std::shared_ptr<nnue_network> network_;
};

/* The accumulators along the line of a search. A stack belongs to one thread at a time; a copy is independent. */
class Stack {
public:
    explicit Stack(const Network &network) {
        nnue_stack *stack;
        detail::check(nnue_stack_new(network.get(), &stack));
        stack_.reset(stack);
    }

    Stack(const Stack &other) {
        nnue_stack *copy;
        detail::check(nnue_stack_copy(other.stack_.get(), &copy));
        stack_.reset(copy);
    }
    Stack(Stack &&) noexcept = default;
    Stack &operator=(const Stack &other) {
        Stack copy(other);
        std::swap(stack_, copy.stack_);
        return *this;
    }
    Stack &operator=(Stack &&) noexcept = default;
    ~Stack() = default;

    /* A move was made. Nothing is computed until an evaluation needs it. */
    void push(const Change &change) { detail::check(nnue_stack_push(stack_.get(), &change)); }
    /* The side to move passed. */
    void push_null() { detail::check(nnue_stack_push_null(stack_.get())); }
    /* The last move was taken back. */
    void pop() { detail::check(nnue_stack_pop(stack_.get())); }
    /* Moves were taken back until `depth` are left. */
    void truncate(std::size_t depth) { detail::check(nnue_stack_truncate(stack_.get(), depth)); }
    /* Moves that were made and not taken back. */
    std::size_t depth() const noexcept { return nnue_stack_depth(stack_.get()); }
    /* Back to a root that may be any position. */
    void reset() { detail::check(nnue_stack_reset(stack_.get())); }

    /* Value of the position to which the pushed moves lead. */
    Evaluation evaluate(const Position &position) {
        Evaluation evaluation;
        detail::check(nnue_stack_evaluate(stack_.get(), &position, &evaluation));
        return evaluation;
    }

    /* The value of evaluate before it was rounded to an integer. */
    double real(const Position &position) {
        double real;
        detail::check(nnue_stack_real(stack_.get(), &position, &real));
        return real;
    }

    /* Chances of loss, draw and win of the side to move, of networks with these outputs. */
    std::array<float, 3> wdl(const Position &position) {
        std::array<float, 3> chances;
        detail::check(nnue_stack_wdl(stack_.get(), &position, chances.data()));
        return chances;
    }

    /* The numbers of a named output; of `wdl(..)` the probabilities of loss, draw and win. */
    std::vector<float> output(const Position &position, const std::string &name) {
        std::size_t length;
        detail::check(nnue_stack_output(stack_.get(), &position, name.c_str(), nullptr, 0, &length));
        std::vector<float> numbers(length);
        detail::check(nnue_stack_output(stack_.get(), &position, name.c_str(), numbers.data(), length, &length));
        return numbers;
    }

    /* Values after each of `count` moves of `position`; `evaluations` has room for as many and does not overlap `changes`. */
    void children(const Position &position, const Change *changes, std::size_t count, Evaluation *evaluations) {
        detail::check(nnue_stack_children(stack_.get(), &position, changes, count, evaluations));
    }

    std::vector<Evaluation> children(const Position &position, const std::vector<Change> &changes) {
        std::vector<Evaluation> evaluations(changes.size());
        children(position, changes.data(), changes.size(), evaluations.data());
        return evaluations;
    }

#ifdef __cpp_lib_span
    void children(const Position &position, std::span<const Change> changes, std::span<Evaluation> evaluations) {
        if (changes.size() != evaluations.size())
            throw Error(NNUE_STATUS_BAD_ARGUMENT, "there are " + std::to_string(changes.size()) + " changes, and room for " +
                                                      std::to_string(evaluations.size()) + " evaluations");
        children(position, changes.data(), changes.size(), evaluations.data());
    }
#endif

private:
    std::unique_ptr<nnue_stack, detail::Free> stack_;
};

/* The last accumulators of an engine that evaluates positions without knowing the moves between them. It belongs to one thread at a time. */
class Table {
public:
    explicit Table(const Network &network) {
        nnue_table *table;
        detail::check(nnue_table_new(network.get(), &table));
        table_.reset(table);
    }

    /* Value of a position, from the pieces that differ from the last board with such a king. */
    Evaluation evaluate(const Position &position) {
        Evaluation evaluation;
        detail::check(nnue_table_evaluate(table_.get(), &position, &evaluation));
        return evaluation;
    }

    /* Forgets all boards; evaluations stay the same. */
    void clear() { detail::check(nnue_table_clear(table_.get())); }

private:
    std::unique_ptr<nnue_table, detail::Free> table_;
};

/* Memory to evaluate many positions, on several threads. It belongs to one thread at a time. */
class Batch {
public:
    /* Zero threads are one for each core. */
    explicit Batch(const Network &network, std::size_t threads = 0) {
        nnue_batch *batch;
        detail::check(nnue_batch_new(network.get(), threads, &batch));
        batch_.reset(batch);
    }

    std::vector<Evaluation> evaluate(const std::vector<Position> &positions) {
        std::vector<Evaluation> evaluations(positions.size());
        detail::check(nnue_batch_evaluate(batch_.get(), positions.data(), positions.size(), evaluations.data()));
        return evaluations;
    }

private:
    std::unique_ptr<nnue_batch, detail::Free> batch_;
};

/* Networks over lists of rows: a library that is built with the feature `rows` of nnue-capi has them. */

using RowsEvaluation = nnue_rows_evaluation;
using RowList = std::vector<std::uint32_t>;

/* The rows of a position or a change: one list, or with two perspectives those of White and of Black. */
class Lists {
public:
    Lists(const RowList &rows) : first_(&rows), second_(nullptr) {}
    Lists(const RowList &white, const RowList &black) : first_(&white), second_(&black) {}
    /* The lists must live as long. */
    Lists(RowList &&) = delete;

    nnue_lists get() const noexcept {
        if (second_) return {{first_->data(), second_->data()}, {first_->size(), second_->size()}, 2};
        return {{first_->data(), nullptr}, {first_->size(), 0}, 1};
    }

private:
    const RowList *first_, *second_;
};

/* A loaded network over lists of rows. Copies share it; any number of threads may use it. */
class RowsNetwork {
public:
    /* Loads a file by a declaration such as "pub struct Ranker = rows[4096, active 64] -> 256 -> 16 -> 1;". `name` chooses one of several. */
    static RowsNetwork open(const std::string &declaration, const std::string &path, const char *name = nullptr, const char *level = nullptr) {
        detail::check_abi();
        nnue_rows *network;
        detail::check(nnue_rows_open(declaration.c_str(), name, path.c_str(), level, &network));
        return RowsNetwork(network);
    }

    /* Loads a file that is in memory. */
    static RowsNetwork from_bytes(const std::string &declaration, const void *bytes, std::size_t count, const char *name = nullptr,
                                  const char *level = nullptr) {
        detail::check_abi();
        nnue_rows *network;
        detail::check(nnue_rows_open_bytes(declaration.c_str(), name, static_cast<const std::uint8_t *>(bytes), count, level, &network));
        return RowsNetwork(network);
    }

    /* The instruction level at which it is evaluated. */
    std::string level() const { return nnue_rows_level(get()); }

    nnue_rows_sizes sizes() const {
        nnue_rows_sizes sizes;
        detail::check(nnue_rows_shape(get(), &sizes));
        return sizes;
    }

    /* Value of one position, from its lists alone. */
    RowsEvaluation evaluate(const Lists &rows, bool black_to_move = false) const {
        RowsEvaluation evaluation;
        const nnue_lists lists = rows.get();
        detail::check(nnue_rows_evaluate(get(), &lists, black_to_move, &evaluation));
        return evaluation;
    }

    const nnue_rows *get() const noexcept { return network_.get(); }

private:
    explicit RowsNetwork(nnue_rows *network) : network_(network, detail::Free()) {}
    std::shared_ptr<nnue_rows> network_;
};

/* Lists in the form of a sparse matrix (CSR): list i is indices[indptr[i]] to indices[indptr[i + 1] - 1]. */
struct RowsMatrix {
    std::vector<std::uint64_t> indptr;
    std::vector<std::uint32_t> indices;
    nnue_rows_matrix get() const noexcept { return {indptr.data(), indices.data(), indices.size()}; }

    /* The number of lists. */
    std::size_t lists() const {
        if (indptr.empty()) throw Error(NNUE_STATUS_BAD_ARGUMENT, "`indptr` is empty: it has one number more than there are lists");
        return indptr.size() - 1;
    }
};

/* Active rows and the changes that led to them. A stack belongs to one thread at a time; a copy is independent. */
class RowsStack {
public:
    /* Rows that a candidate adds and removes, which must live as long as it is used. */
    struct Change {
        Lists added, removed;
    };

    explicit RowsStack(const RowsNetwork &network) {
        nnue_rows_stack *stack;
        detail::check(nnue_rows_stack_new(network.get(), &stack));
        stack_.reset(stack);
    }

    RowsStack(const RowsStack &other) {
        nnue_rows_stack *copy;
        detail::check(nnue_rows_stack_copy(other.stack_.get(), &copy));
        stack_.reset(copy);
    }
    RowsStack(RowsStack &&) noexcept = default;
    RowsStack &operator=(const RowsStack &other) {
        RowsStack copy(other);
        std::swap(stack_, copy.stack_);
        return *this;
    }
    RowsStack &operator=(RowsStack &&) noexcept = default;
    ~RowsStack() = default;

    /* Makes these rows the root, and forgets the changes before. */
    void set(const Lists &rows, bool black_to_move = false) {
        const nnue_lists lists = rows.get();
        detail::check(nnue_rows_stack_set(stack_.get(), &lists, black_to_move));
    }
    /* Removes rows and adds others, in this order. What is refused changes nothing. */
    void push(const Lists &added, const Lists &removed) {
        const nnue_lists add = added.get(), remove = removed.get();
        detail::check(nnue_rows_stack_push(stack_.get(), &add, &remove));
    }
    /* Sets the side to move, whose list is read first. pop restores it. */
    void black_to_move(bool black) { detail::check(nnue_rows_stack_side(stack_.get(), black)); }
    /* The last change is taken back. */
    void pop() { detail::check(nnue_rows_stack_pop(stack_.get())); }
    /* Changes that were made and not taken back. */
    std::size_t depth() const noexcept { return nnue_rows_stack_depth(stack_.get()); }
    /* Value of the active rows. */
    RowsEvaluation evaluate() {
        RowsEvaluation evaluation;
        detail::check(nnue_rows_stack_evaluate(stack_.get(), &evaluation));
        return evaluation;
    }
    /* Values of the rows after each of many small changes. */
    std::vector<RowsEvaluation> candidates(const std::vector<Change> &changes) {
        std::vector<nnue_rows_change> lists;
        lists.reserve(changes.size());
        for (const Change &change : changes) lists.push_back({change.added.get(), change.removed.get()});
        std::vector<RowsEvaluation> evaluations(changes.size());
        detail::check(nnue_rows_stack_candidates(stack_.get(), lists.data(), lists.size(), evaluations.data()));
        return evaluations;
    }
    /* The same with changes in the form of sparse matrices: list i of each is of change i. */
    std::vector<RowsEvaluation> candidates(const RowsMatrix &added, const RowsMatrix &removed) {
        const nnue_rows_changes changes = changes_of(added, removed, added.lists());
        return candidates(added.lists(), &changes, nullptr);
    }
    /* With two perspectives. */
    std::vector<RowsEvaluation> candidates(const std::array<RowsMatrix, 2> &added, const std::array<RowsMatrix, 2> &removed) {
        const std::size_t count = added[0].lists();
        const nnue_rows_changes first = changes_of(added[0], removed[0], count), second = changes_of(added[1], removed[1], count);
        return candidates(count, &first, &second);
    }
    /* Compares the accumulators with those computed from the rows alone. */
    void verify() { detail::check(nnue_rows_stack_verify(stack_.get())); }

private:
    static nnue_rows_changes changes_of(const RowsMatrix &added, const RowsMatrix &removed, std::size_t count) {
        if (added.lists() != count || removed.lists() != count)
            throw Error(NNUE_STATUS_BAD_ARGUMENT, "the matrices have different numbers of changes");
        return {added.get(), removed.get()};
    }

    std::vector<RowsEvaluation> candidates(std::size_t count, const nnue_rows_changes *first, const nnue_rows_changes *second) {
        std::vector<RowsEvaluation> evaluations(count);
        detail::check(nnue_rows_stack_candidate_batch(stack_.get(), count, first, second, evaluations.data()));
        return evaluations;
    }

    std::unique_ptr<nnue_rows_stack, detail::Free> stack_;
};

/* Memory to evaluate many lists of rows, on several threads. It belongs to one thread at a time. */
class RowsBatch {
public:
    /* Zero threads are one for each core. */
    explicit RowsBatch(const RowsNetwork &network, std::size_t threads = 0) {
        nnue_rows_batch *batch;
        detail::check(nnue_rows_batch_new(network.get(), threads, &batch));
        batch_.reset(batch);
    }

    std::vector<RowsEvaluation> evaluate(const RowsMatrix &lists) { return evaluate(lists, nullptr, {}); }

    /* With two perspectives. `black_to_move` is empty, or has 0 or 1 for each position. */
    std::vector<RowsEvaluation> evaluate(const RowsMatrix &white, const RowsMatrix &black, const std::vector<std::uint8_t> &black_to_move = {}) {
        return evaluate(white, &black, black_to_move);
    }

private:
    std::vector<RowsEvaluation> evaluate(const RowsMatrix &first, const RowsMatrix *second, const std::vector<std::uint8_t> &black_to_move) {
        const std::size_t count = first.lists();
        if ((second && second->lists() != count) || (!black_to_move.empty() && black_to_move.size() != count))
            throw Error(NNUE_STATUS_BAD_ARGUMENT, "the parts of the batch have different numbers of positions");
        std::vector<RowsEvaluation> evaluations(count);
        const nnue_rows_matrix white = first.get(), black = second ? second->get() : nnue_rows_matrix{};
        detail::check(nnue_rows_batch_evaluate(batch_.get(), count, &white, second ? &black : nullptr,
                                               black_to_move.empty() ? nullptr : black_to_move.data(), evaluations.data()));
        return evaluations;
    }

    std::unique_ptr<nnue_rows_batch, detail::Free> batch_;
};

} // namespace nnue

#endif /* NNUE_HPP */
