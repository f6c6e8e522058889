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
    void operator()(nnue_batch *batch) const noexcept { nnue_batch_free(batch); }
};
} // namespace detail

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

    /* The instruction level at which it is evaluated. */
    std::string level() const { return nnue_network_level(get()); }

    /* Value of a position, from the position alone. In a search, a Stack is many times faster. */
    Evaluation evaluate(const Position &position) const {
        Evaluation evaluation;
        detail::check(nnue_network_evaluate(get(), &position, &evaluation));
        return evaluation;
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

    /* Chances of loss, draw and win of the side to move, of networks with these outputs. */
    std::array<float, 3> wdl(const Position &position) {
        std::array<float, 3> chances;
        detail::check(nnue_stack_wdl(stack_.get(), &position, chances.data()));
        return chances;
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

} // namespace nnue

#endif /* NNUE_HPP */
