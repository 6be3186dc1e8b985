#pragma once
// A collective made ready to be run again and again: data filled, pages touched, plan compiled, result checked once.

#include "base/memory.hpp"
#include "collectives/example.hpp"
#include "judge/result_check.hpp"

#include <dcube/dcube.hpp>

#include <cstring>
#include <span>
#include <string>

namespace bench {

class Prepared {
public:
    Prepared(const dcube::Topology& topology, const dcube::MachineOptions& options, const dcube::Problem& problem,
             const std::string& algorithm = "auto")
        : machine_(topology, options), problem_(problem), layout_(problem, topology), input_(layout_.input_bytes),
          output_(layout_.output_bytes),
          program_(dcube::find_algorithm(topology, options.ports, problem, algorithm).prepare(topology, problem))
    {
        machine_.for_each_node([this](dcube::NodeId node) {
            if (const auto [offset, bytes] = layout_.input(node); bytes != 0)
                dcube::fill_input(problem_, machine_.topology(), seed, node, input_.bytes().subspan(offset, bytes));
        });
        spoil_output();
        run();
        check();
    }

    dcube::Counts run()
    {
        return machine_.run([this](dcube::Node& me) {
            return program_(me, dcube::node_data(layout_, input_.bytes(), output_.bytes(), me.id()));
        });
    }

    void check()
    {
        const dcube::Checker checker(problem_, machine_.topology(), seed);
        machine_.for_each_node([&](dcube::NodeId node) {
            if (const auto [offset, bytes] = layout_.output(node); bytes != 0)
                checker.check(node, output_.bytes().subspan(offset, bytes));
        });
    }

    void spoil_output() { std::memset(output_.bytes().data(), 0xA5, output_.bytes().size()); }

    // All nodes' output after a run, node by node.
    [[nodiscard]] std::span<const std::byte> output() { return output_.bytes(); }

    // All of the input to all of the output, with the machine's threads; both must have one size.
    void copy_everything()
    {
        const std::size_t share = input_.bytes().size() / machine_.topology().nodes();
        machine_.for_each_node([&](dcube::NodeId node) {
            std::memcpy(output_.bytes().data() + node * share, input_.bytes().data() + node * share, share);
        });
    }
    [[nodiscard]] std::size_t copied_bytes() const { return input_.bytes().size(); }

private:
    static constexpr std::uint64_t seed = 1;

    dcube::Machine machine_;
    dcube::Problem problem_;
    dcube::Layout layout_;
    dcube::Memory input_;
    dcube::Memory output_;
    dcube::CollectiveProgram program_;
};

}  // namespace bench
