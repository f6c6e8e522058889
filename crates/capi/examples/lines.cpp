/* Networks from C++: lines of moves from the start position, by a stack that is copied at each fork.
 *
 *   lines NETWORK FILE      "-" is the file of a network in the library
 *
 * Each line of the output has the moves, and the values from the point of view of the side to move: by the stack, by the position alone, by the
 * position in a batch. */
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "nnue.hpp"

namespace {

/* A board: the position is what the network reads. */
struct Board {
    nnue::Position position{};

    void put(nnue::Placed one) {
        position.by_kind[one.piece / 2] |= std::uint64_t{1} << one.square;
        position.by_color[one.piece % 2] |= std::uint64_t{1} << one.square;
    }

    void take(nnue::Placed one) {
        position.by_kind[one.piece / 2] &= ~(std::uint64_t{1} << one.square);
        position.by_color[one.piece % 2] &= ~(std::uint64_t{1} << one.square);
    }

    void play(const nnue::Change &change) {
        for (int i = 0; i < change.removed_count; i++) take(change.removed[i]);
        for (int i = 0; i < change.added_count; i++) put(change.added[i]);
        position.side_to_move ^= 1;
    }

    static Board start() { return {nnue::position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")}; }
};

/* The piece that `color` has on a square moves, and captures what stands where it goes. */
nnue::Change change_of(const Board &board, int from, int to) {
    auto on = [&](int square) {
        for (int kind = nnue::PAWN; kind <= nnue::KING; kind++)
            if (board.position.by_kind[kind] >> square & 1) return kind;
        return -1;
    };
    auto color = static_cast<nnue::Color>(board.position.side_to_move);
    auto kind = static_cast<nnue::Kind>(on(from));
    nnue::Change change{};
    change.removed[change.removed_count++] = placed(color, kind, from);
    change.added[change.added_count++] = placed(color, kind, to);
    if (int captured = on(to); captured >= 0)
        change.removed[change.removed_count++] = placed(color == nnue::WHITE ? nnue::BLACK : nnue::WHITE, static_cast<nnue::Kind>(captured), to);
    return change;
}

/* Continuations as a tree: squares of a move, and what follows. */
struct Node {
    const char *move;
    std::vector<Node> next;
};

const std::vector<Node> LINES = {
    {"e2e4", {{"e7e5", {{"g1f3", {{"b8c6", {}}, {"g8f6", {}}}}, {"d2d4", {{"e5d4", {{"d1d4", {}}}}}}}}, {"d7d5", {{"e4d5", {{"d8d5", {}}}}}}}},
    {"d2d4", {{"d7d5", {{"c2c4", {{"d5c4", {}}}}}}}},
};

struct Value {
    std::string moves;
    Board board;
    int by_stack;
};

/* Each branch gets a copy of board and stack, as in engines that copy and make. */
void walk(const std::vector<Node> &nodes, const Board &board, const nnue::Stack &stack, const std::string &moves, std::vector<Value> &values) {
    for (const Node &node : nodes) {
        auto square = [&](int at) { return node.move[at] - 'a' + 8 * (node.move[at + 1] - '1'); };
        Board after = board;
        nnue::Stack own = stack;
        nnue::Change change = change_of(board, square(0), square(2));
        own.push(change);
        after.play(change);
        std::string line = moves.empty() ? node.move : moves + " " + node.move;
        values.push_back({line, after, own.evaluate(after.position).value});
        walk(node.next, after, own, line, values);
    }
}

std::vector<Value> walked(const nnue::Network &network) {
    std::vector<Value> values;
    nnue::Stack root(network);
    root.evaluate(Board::start().position);
    walk(LINES, Board::start(), root, "", values);
    return values;
}

int run(const std::string &name, const std::string &file) {
    const auto network = file == "-" ? nnue::Network::embedded(name) : nnue::Network::open(name, file);
    std::vector<Value> values, others;
    std::thread thread([&] { others = walked(network); });
    values = walked(network);
    thread.join();

    std::vector<nnue::Position> positions;
    for (const Value &value : values) positions.push_back(value.board.position);
    const auto batched = nnue::Batch(network, 2).evaluate(positions);
    nnue::Table table(network);
    int differences = 0;
    for (std::size_t i = 0; i < values.size(); i++) {
        const int fresh = network.evaluate(positions[i]).value;
        std::printf("%s\t%d\t%d\t%d\n", values[i].moves.c_str(), values[i].by_stack, fresh, batched[i].value);
        differences += values[i].by_stack != fresh || batched[i].value != fresh || others[i].by_stack != fresh ||
                       table.evaluate(positions[i]).value != fresh;
    }
    return differences == 0 ? 0 : 1;
}

/* What goes wrong is an exception with the library's message, and a moved or assigned stack works on. */
bool is_safe(const nnue::Network &network) {
    nnue::Stack stack(network);
    bool refused = false;
    try {
        stack.pop();
    } catch (const nnue::Error &error) {
        refused = error.status() == NNUE_STATUS_NOTHING_TO_POP;
    }
    const Board board = Board::start();
    stack.push(change_of(board, 12, 28));
    nnue::Stack other(network);
    other = stack;
    stack.truncate(0);
    nnue::Stack moved = std::move(other);
    const auto children = stack.children(board.position, {change_of(board, 12, 28), change_of(board, 11, 27)});
    Board after = board;
    after.play(change_of(board, 12, 28));
    return refused && moved.depth() == 1 && stack.depth() == 0 && children[0].value == moved.evaluate(after.position).value;
}

} // namespace

int main(int count, char **args) {
    if (count != 3) return std::fprintf(stderr, "usage: lines NETWORK FILE\n"), 2;
    try {
        if (!is_safe(nnue::Network::embedded(nnue::declared().back()))) return 1;
        return run(args[1], args[2]);
    } catch (const nnue::Error &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
