// Built twice; see bench/all_to_all.hpp.

#include "bench/all_to_all.hpp"

#include <dcube/dcube.hpp>

#include <cstring>
#include <memory>

namespace bench {

// No counts are looked at, and no check of the result: the unchecked variant counts nothing.
Run DCUBE_VARIANT(unsigned dimension, std::size_t bytes, unsigned threads)
{
    struct State {
        dcube::Machine machine;
        dcube::Layout layout;
        dcube::Memory input;
        dcube::Memory output;
        dcube::CollectiveProgram program;
    };
    const dcube::Topology topology = dcube::Topology::hypercube(dimension);
    const dcube::Problem problem{dcube::Collective::all_to_all, bytes};
    const dcube::Layout layout(problem, topology);
    const auto state = std::make_shared<State>(
        dcube::Machine(topology, {.threads = threads}), layout, dcube::Memory(layout.input_bytes),
        dcube::Memory(layout.output_bytes),
        dcube::find_algorithm(topology, dcube::PortModel::all, problem).prepare(topology, problem));
    const Run run = [state] {
        state->machine.run([&state = *state](dcube::Node& me) {
            return state.program(me,
                                 dcube::node_data(state.layout, state.input.bytes(), state.output.bytes(), me.id()));
        });
    };
    // Real pages on both sides, as everywhere else: input that nobody wrote would all be the system's one page of
    // zeros.
    std::memset(state->input.bytes().data(), 1, state->input.bytes().size());
    run();
    return run;
}

}  // namespace bench
