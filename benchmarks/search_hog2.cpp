// TopSpin(16,4) in HOG2: a pattern database of six numbers, IDA* and A*. search_hog2.py compiles and runs it.
//
// The first argument is the number of threads that build the database; then 16 numbers for each ring.

#include <chrono>
#include <cstdio>
#include <ctime>

#include "TopSpin.h"
#include "IDAStar.h"
#include "TemplateAStar.h"
#include "MR1PermutationPDB.h"

void renderScene() {}  // HOG2's stand-in for OpenGL calls it

struct Timed {
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    std::clock_t used = std::clock();
    void print(const char* what, int length, unsigned long long expanded, unsigned long long generated) const {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        std::printf("RESULT %s %d %llu %llu %.3f %.3f\n", what, length, expanded, generated, seconds.count(),
                    double(std::clock() - used) / CLOCKS_PER_SEC);
        std::fflush(stdout);
    }
};

int main(int count, char** given) {
    typedef TopSpinState<16> State;
    typedef TopSpin<16, 4> Puzzle;
    Puzzle puzzle;
    State goal, start;
    MR1PermutationPDB<State, TopSpinAction, Puzzle> database(&puzzle, goal, {0, 1, 2, 3, 4, 5});
    const Timed building;
    database.BuildPDB(goal, std::atoi(given[1]));
    building.print("database", 0, database.GetPDBSize(), database.GetPDBSize());
    for (int first = 2; first + 16 <= count; first += 16) {
        for (int place = 0; place < 16; ++place) start.puzzle[place] = std::atoi(given[first + place]);
        puzzle.SetPruneSuccessors(true);
        IDAStar<State, TopSpinAction, false> deepening;
        deepening.SetHeuristic(&database);
        std::vector<TopSpinAction> moves;
        const Timed first_search;
        deepening.GetPath(&puzzle, start, goal, moves);
        first_search.print("IDA*", moves.size(), deepening.GetNodesExpanded(), deepening.GetNodesTouched());
        puzzle.SetPruneSuccessors(false);
        TemplateAStar<State, TopSpinAction, Puzzle> best_first;
        best_first.SetHeuristic(&database);
        std::vector<State> path;
        const Timed second_search;
        best_first.GetPath(&puzzle, start, goal, path);
        second_search.print("A*", path.size() - 1, best_first.GetNodesExpanded(), best_first.GetNodesTouched());
    }
}
