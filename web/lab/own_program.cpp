#include "web/lab/own_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace dcube::lab {

namespace {

// Whether `bytes` lie within `whole`. Of no bytes it does not matter where they are.
bool lies_in(std::span<const std::byte> bytes, std::span<const std::byte> whole)
{
    const std::less_equal<const std::byte*> not_after;
    return bytes.empty() || (not_after(whole.data(), bytes.data()) && bytes.size() <= whole.size() &&
                             not_after(bytes.data(), whole.data() + (whole.size() - bytes.size())));
}

}  // namespace

bool OwnRun::is_writable(std::span<const std::byte> bytes) const
{
    return lies_in(bytes, turn_->data.output) ||
           std::ranges::any_of(turn_->allocated, [&](std::span<std::byte> own) { return lies_in(bytes, own); });
}

bool OwnRun::is_own(std::span<const std::byte> bytes) const
{
    return lies_in(bytes, turn_->data.input) || is_writable(bytes);
}

bool OwnRun::is_readable(std::span<const std::byte> bytes) const
{
    return is_own(bytes) ||
           std::ranges::any_of(turn_->borrowed, [&](std::span<const std::byte> lent) { return lies_in(bytes, lent); });
}

void OwnRun::require_writable(std::span<const std::byte> bytes) const
{
    if (is_writable(bytes))
        return;
    if (lies_in(bytes, turn_->data.input))
        throw InvalidArgument("a node's input may only be read: write to its output, or to memory that it allocates");
    throw InvalidArgument(
        "written bytes are not the node's own memory: expected its output, or memory that it has allocated");
}

void OwnRun::send(Port port, std::span<const std::byte> bytes, std::uint64_t header)
{
    kept([&] {
        if (!is_own(bytes))
            throw InvalidArgument(
                "sent bytes are not the node's own memory: expected its input, its output, or memory that it "
                "has allocated");
        turn_->node->send(port, bytes, header);
    });
}

Packet OwnRun::receive(Port port, std::span<std::byte> into)
{
    return kept([&] {
        require_writable(into);
        return turn_->node->receive(port, into);
    });
}

BorrowedPacket OwnRun::receive(Port port)
{
    return kept([&] {
        const BorrowedPacket packet = turn_->node->receive(port);
        turn_->borrowed.emplace_back(packet.data(), packet.size());
        return packet;
    });
}

std::span<std::byte> OwnRun::allocate(std::size_t bytes)
{
    return kept([&] {
        const std::span<std::byte> own = turn_->node->allocate(bytes);
        if (!own.empty())
            std::memset(own.data(), 0, own.size());
        turn_->allocated.push_back(own);
        return own;
    });
}

void OwnRun::copy(std::span<std::byte> into, std::span<const std::byte> from)
{
    kept([&] {
        require_writable(into);
        if (!is_readable(from))
            throw InvalidArgument("copied bytes are neither the node's own memory nor a packet received in this step");
        turn_->node->copy(into, from);
    });
}

void OwnRun::add(std::span<std::byte> into, std::span<const std::byte> from)
{
    kept([&] {
        if (!is_readable(from))
            throw InvalidArgument("added bytes are neither the node's own memory nor a packet received in this step");
        add_value(into, from);
    });
}

void OwnRun::write(std::span<const std::byte> into, std::span<const std::byte> value)
{
    kept([&] {
        if (into.size() == value.size() && std::ranges::equal(into, value))
            return;
        require_writable(into);
        turn_->node->copy({const_cast<std::byte*>(into.data()), into.size()}, value);  // it is writable
    });
}

void OwnRun::add_value(std::span<std::byte> into, std::span<const std::byte> value)
{
    kept([&] {
        require_writable(into);
        const std::size_t element = element_size(problem_);
        if (into.size() % element != 0)
            throw InvalidArgument(fmt::format("{} bytes are not whole elements of {} bytes ({})", into.size(), element,
                                              name(problem_.type)));
        turn_->node->combine(into, into, value, combiner(problem_));
    });
}

OwnRun::Own& OwnRun::enter(Node& node, NodeData data)
{
    return nodes_.emplace_back(Own{&node, data});
}

/// The objects that a run of a program needs for as long as its algorithm lives.
class OwnAlgorithm {
public:
    OwnAlgorithm(OwnProgram program, const Question& question, Interpreter& interpreter)
        : program_(std::move(program)), interpreter_(interpreter)
    {
        algorithm_.collective = question.problem.collective;
        algorithm_.name = program_.name;
        algorithm_.summary = "a program of one's own";
        algorithm_.origin = Origin::own;
        algorithm_.ports = question.ports;
        algorithm_.half_duplex = true;  // the machine looks
        algorithm_.link = question.problem.link.bound() ? LinkKind::link_bound : LinkKind::unit;
        algorithm_.networks = Networks::products;
        algorithm_.prepare = [this](const Topology& topology, const Problem& problem) {
            return prepare(topology, problem);
        };
    }
    OwnAlgorithm(const OwnAlgorithm&) = delete;
    OwnAlgorithm& operator=(const OwnAlgorithm&) = delete;

    [[nodiscard]] const Entry& algorithm() const { return algorithm_; }

private:
    CollectiveProgram prepare(const Topology& topology, const Problem& problem)
    {
        const auto run = std::make_shared<OwnRun>(topology, problem);
        interpreter_.begin(program_, *run);
        return [this, run](Node& me, NodeData data) { return program(me, *this, *run, data); };
    }

    static Task program(Node& me, const OwnAlgorithm& of, OwnRun& run, NodeData data)
    {
        OwnRun::Own& own = run.enter(me, data);
        for (;;) {
            const Next next = of.turn(run, own);
            switch (next.what) {
            case Next::What::next_step: co_await me.next_step(); break;
            case Next::What::arrival: co_await me.arrival(next.port); break;
            case Next::What::any_arrival: co_await me.any_arrival(); break;
            case Next::What::finished:
            case Next::What::failed: co_return;
            }
        }
    }

    Next turn(OwnRun& run, OwnRun::Own& own) const
    {
        run.turn_ = &own;
        own.borrowed.clear();
        const Next next = interpreter_.resume(run);
        if (own.error)
            std::rethrow_exception(std::exchange(own.error, nullptr));
        if (next.what == Next::What::failed)
            throw OwnProgramFailed(next.message);
        return next;
    }

    OwnProgram program_;
    Interpreter& interpreter_;
    Entry algorithm_{};
};

void require_few_steps(Step step)
{
    if (step > most_own_steps)
        throw RuleViolation(Rule::too_many_steps, step, 0, RuleViolation::no_port,
                            fmt::format("a program of one's own may take {} steps", most_own_steps));
}

std::shared_ptr<const Entry> algorithm_of(const OwnProgram& program, const Question& question, Interpreter& interpreter)
{
    // The state of programs is told apart by their nodes' numbers, which groups have in common.
    if (!question.problem.within.empty())
        throw InvalidArgument("within", "", "is for dcube's algorithms only, not for programs of one's own");
    const auto own = std::make_shared<OwnAlgorithm>(program, question, interpreter);
    return {own, &own->algorithm()};
}

}  // namespace dcube::lab
