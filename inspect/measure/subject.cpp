#include "inspect/measure/subject.hpp"

#include "base/memory.hpp"
#include "collectives/example.hpp"
#include "judge/result_check.hpp"
#include "run/heard_in_run.hpp"
#include "run/ranks.hpp"
#include "run/report.hpp"
#include "run/working_memory.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <cstring>
#include <tuple>

namespace dcube::measure {

namespace {

const Entry& algorithm_of(const Setup& setup)
{
    const Entry* found = nullptr;
    together(setup.machine.world ? *setup.machine.world : *world_alone(),
             [&] { found = &find_algorithm(setup.topology, setup.machine.ports, setup.problem, setup.algorithm); });
    return *found;
}

// A machine that has been asked whether the data fit beside it, before any are made.
Machine roomy_machine(const Setup& setup, const Entry& algorithm, const Layout& layout)
{
    Machine machine(setup.topology, setup.machine);
    const Layout own = layout.of(machine.own_nodes());
    machine.require_memory(own.bytes() + own_working_memory(machine, algorithm, setup.problem));
    return machine;
}

class PreparedCollective : public Subject {
public:
    PreparedCollective(const Setup& setup, const StopToken& stop)
        : algorithm_(algorithm_of(setup)), problem_(setup.problem), whole_(problem_, setup.topology),
          machine_(roomy_machine(setup, algorithm_, whole_)), layout_(whole_.of(machine_.own_nodes())),
          seed_(setup.seed)
    {
        require_same_run(machine_, problem_, algorithm_, options_);
        together(machine_.world(), [&] {
            input_ = Memory(layout_.input_bytes);
            output_ = Memory(layout_.output_bytes);
            program_ = program_of(algorithm_, setup.topology, problem_);
        });
        options_.stop = stop;
        options_.seed = seed_;
        constexpr int stale = 0xA5;  // nothing that a run leaves there
        machine_.for_each_node([this](NodeId node) {
            if (const auto [offset, bytes] = layout_.input(node); bytes != 0)
                fill_input(problem_, machine_.topology(), seed_, node, input_.bytes().subspan(offset, bytes));
            if (const auto [offset, bytes] = layout_.output(node); bytes != 0)
                std::memset(output_.bytes().data() + offset, stale, bytes);
        });
    }

    double run() override
    {
        counts_ = machine_.run(
            [this](Node& me) { return program_(me, node_data(layout_, input_.bytes(), output_.bytes(), me.id())); },
            options_);
        return counts_.wall_seconds;
    }

    void check() override
    {
        if (is_barrier(problem_.collective))
            return check_barrier();
        const Checker checker = agreed(machine_.world(), [&] { return Checker(problem_, machine_.topology(), seed_); });
        machine_.for_each_node([&](NodeId node) {
            if (const auto [offset, bytes] = layout_.output(node); bytes != 0)
                checker.check(node, output_.bytes().subspan(offset, bytes));
        });
        verified_ = true;
    }

    [[nodiscard]] Facts facts() const override
    {
        return {.algorithm = full_name(algorithm_, problem_.link),
                .threads = machine_.threads(),
                .steps = counts_.steps,
                .transmissions = counts_.transmissions,
                .link_bytes = counts_.bytes,
                .data_bytes = whole_.bytes(),
                .verified = verified_};
    }

    [[nodiscard]] EngineCounts engine_counts() const override { return machine_.engine_counts(); }

private:
    // By a run that is traced.
    void check_barrier()
    {
        HeardInRun heard(machine_, problem_, {});
        RunOptions traced = options_;
        traced.trace = heard.trace();
        const Counts counts = machine_.run([this](Node& me) { return program_(me, {}); }, traced);
        together(machine_.world(), [&] {
            if (machine_.world().rank() == 0)
                std::ignore = heard.check({}, counts.steps);
        });
        verified_ = true;
    }

    const Entry& algorithm_;
    Problem problem_;
    Layout whole_;  // all nodes'
    Machine machine_;
    Layout layout_;  // this rank's
    std::uint64_t seed_;
    Memory input_;
    Memory output_;
    CollectiveProgram program_;
    RunOptions options_;
    Counts counts_;
    bool verified_ = false;
};

}  // namespace

std::uint64_t memory_of(const Setup& setup)
{
    const Entry& algorithm = find_algorithm(setup.topology, setup.machine.ports, setup.problem, setup.algorithm);
    return memory_of_a_rank(algorithm, setup.topology, setup.machine, setup.problem);
}

std::unique_ptr<Subject> prepared(const Setup& setup, const StopToken& stop)
{
    return std::make_unique<PreparedCollective>(setup, stop);
}

}  // namespace dcube::measure
