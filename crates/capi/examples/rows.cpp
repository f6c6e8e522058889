/* Lists of rows by the classes of nnue.hpp: `rows FILE`, a network of DECLARATION. Prints values, computed in several ways, which must be the same. */
#include <cstdio>

#include "nnue.hpp"

static const char DECLARATION[] = "pub struct Double = rows[80, active 20] -> 32x2 pairwise, psqt 1 -> 8 -> 1;";

static void same(int a, int b) {
    if (a != b) throw std::runtime_error(std::to_string(a) + " and " + std::to_string(b) + " should be equal");
}

int main(int count, char **args) try {
    if (count != 2) throw std::runtime_error("usage: rows FILE");
    const nnue::RowsNetwork network = nnue::RowsNetwork::open(DECLARATION, args[1]);
    const nnue::RowList white = {3, 17, 40}, black = {8, 9}, added = {5}, removed = {9}, none;

    nnue::RowsStack stack(network);
    stack.set({white, black}, true);
    same(stack.evaluate().value, network.evaluate({white, black}, true).value);
    const auto values = stack.candidates({{{added, none}, {none, removed}}, {{none, none}, {none, none}}});
    same(values[1].value, stack.evaluate().value);
    const std::array<nnue::RowsMatrix, 2> added_rows = {{{{0, 1, 1}, added}, {{0, 0, 0}, none}}}, removed_rows = {{{{0, 0, 0}, none}, {{0, 1, 1}, removed}}};
    const auto of_matrices = stack.candidates(added_rows, removed_rows);
    same(of_matrices[0].value, values[0].value);
    same(of_matrices[1].value, values[1].value);

    nnue::RowsStack other = stack; // independent
    other.push({added, none}, {none, removed});
    same(other.evaluate().value, values[0].value);
    other.verify();
    other.black_to_move(false);
    const nnue::RowList after_white = {3, 5, 17, 40}, after_black = {8};
    same(other.evaluate().value, network.evaluate({after_white, after_black}).value);
    other.pop();
    same(static_cast<int>(other.depth()), 0);
    same(other.evaluate().value, stack.evaluate().value);

    const nnue::RowsMatrix first = {{0, 3, 3}, white}, second = {{0, 2, 2}, black};
    const auto many = nnue::RowsBatch(network, 2).evaluate(first, second, {1, 0});
    same(many[0].value, stack.evaluate().value);
    same(many[1].value, network.evaluate({none, none}).value);
    same(static_cast<int>(network.sizes().lists), 2);

    try {
        stack.push({black, none}, {none, white});
        throw std::runtime_error("a wrong change is refused");
    } catch (const nnue::Error &error) {
        if (error.status() != NNUE_STATUS_BAD_ROWS) throw;
        std::printf("%d\t%s\n", stack.evaluate().value, error.what());
    }
} catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
}
