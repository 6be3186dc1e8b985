#include "algorithms/beyond/any_network/sum_plan.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace dcube::detail {

ValueId SumPlan::sum_of(ValueId first, ValueId second)
{
    const Sum sum{first, second};
    const auto known = std::ranges::find(sums, sum);
    if (known != sums.end())
        return nodes + static_cast<ValueId>(known - sums.begin());
    sums.push_back(sum);
    return whole();
}

ValueId SumPlan::sum_of(std::span<const ValueId> values)
{
    ValueId sum = values.front();
    for (const ValueId next : values.subspan(1))
        sum = sum_of(sum, next);
    return sum;
}

bool keeps_order(const SumPlan& plan)
{
    std::vector<std::pair<NodeId, NodeId>> of_value;  // the first node and the last
    for (NodeId node = 0; node < plan.nodes; ++node)
        of_value.emplace_back(node, node);
    for (const auto& [first, second] : plan.sums) {
        if (of_value[first].second + 1 != of_value[second].first)
            return false;
        of_value.emplace_back(of_value[first].first, of_value[second].second);
    }
    return true;
}

namespace {

// Assigns places to the values of one node, as a compiler assigns registers.
class ScriptOfNode {
public:
    ScriptOfNode(const SumPlan& plan, NodeId node) : plan_(plan), values_(plan.nodes + plan.sums.size())
    {
        script_.stages.resize(plan.steps());
        values_[node] = {.since = 0, .place = 0};
        values_[plan.whole()].needed = true;
    }

    void sends(const TimedMove& move, Port port)
    {
        Value& value = values_[move.packet];
        value.needed = true;
        value.last_sent = std::max(value.last_sent, move.step);
        stage(move.step).sends.push_back({port, move.packet});
    }
    void gets(const TimedMove& move, Port port)
    {
        assert(values_[move.packet].since == never);
        values_[move.packet].since = move.step;
        stage(move.step).arrivals.push_back({port, move.packet});
    }

    SumScript take()
    {
        find_sums();
        for (Step step = 1; step <= plan_.steps(); ++step)
            settle(step);
        script_.result = values_[plan_.whole()].place;
        return std::move(script_);
    }

private:
    static constexpr Step never = ~Step{0};
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

    struct Value {
        Step since = never;
        std::uint32_t place = nowhere;
        bool needed = false;
        Step last_sent = 0;
        std::uint32_t uses = 0;  // uses left as an operand
        Step last_used = 0;      // in a sum
    };

    SumScript::Stage& stage(Step step) { return script_.stages[step - 1]; }

    // Values that are needed and do not arrive are made as soon as their operands are there.
    void find_sums()
    {
        for (ValueId value = plan_.whole(); value >= plan_.nodes; --value)
            if (values_[value].needed && values_[value].since == never)
                for (const ValueId operand : {sum(value).first, sum(value).second}) {
                    values_[operand].needed = true;
                    ++values_[operand].uses;
                }
        for (ValueId value = plan_.nodes; value <= plan_.whole(); ++value)
            if (values_[value].needed && values_[value].since == never) {
                const auto& [first, second] = sum(value);
                const Step step = std::max(values_[first].since, values_[second].since);
                assert(step != never);
                values_[value].since = step;
                for (const ValueId operand : {first, second})
                    values_[operand].last_used = std::max(values_[operand].last_used, step);
                stage(step).sums.push_back({value, first, second});
            }
        values_[plan_.whole()].last_used = never;
    }

    [[nodiscard]] const SumPlan::Sum& sum(ValueId value) const { return plan_.sums[value - plan_.nodes]; }

    // Values become places.
    void settle(Step step)
    {
        for (SumScript::Transfer& one : stage(step).sends) {
            assert(values_[one.place].since < step);
            one.place = values_[one.place].place;
        }
        for (SumScript::Transfer& one : stage(step).arrivals)
            one.place = give_place(one.place, step);
        for (SumScript::Sum& one : stage(step).sums) {
            const std::uint32_t first = values_[one.first].place;
            const std::uint32_t second = values_[one.second].place;
            const bool over_first = --values_[one.first].uses == 0 && is_free_to_write(one.first, step);
            const bool over_second = --values_[one.second].uses == 0 && is_free_to_write(one.second, step);
            if (over_first || over_second) {
                const std::uint32_t into = over_first ? first : second;
                values_[one.into].place = into;
                held_[into] = one.into;
            } else {
                give_place(one.into, step);
            }
            one = {values_[one.into].place, first, second};
        }
    }

    // A value that is sent in a step is read until its packets have arrived.
    [[nodiscard]] bool is_free_to_write(ValueId value, Step step) const
    {
        const Value& of = values_[value];
        return of.place != 0 && of.last_used <= step && of.last_sent < step;
    }

    std::uint32_t give_place(ValueId value, Step step)
    {
        const auto is_over = [&](const auto& held) {
            const Value& other = values_[held.second];
            return std::max(other.last_sent, other.last_used) < step;
        };
        const auto free = std::ranges::find_if(held_, is_over);
        const std::uint32_t place = free == held_.end() ? script_.places++ : free->first;
        held_[place] = value;
        return values_[value].place = place;
    }

    const SumPlan& plan_;
    std::vector<Value> values_;
    SumScript script_;
    std::map<std::uint32_t, ValueId> held_;  // by place, but for place 0
};

}  // namespace

std::vector<SumScript> scripts_of(const SumPlan& plan, const Arcs& arcs)
{
    std::vector<std::vector<std::pair<const TimedMove*, bool>>> of_node(plan.nodes);
    for (const TimedMove& move : plan.moves.moves) {
        of_node[arcs.from(move.arc)].emplace_back(&move, true);
        of_node[arcs.to(move.arc)].emplace_back(&move, false);
    }
    std::vector<SumScript> scripts;
    for (NodeId node = 0; node < plan.nodes; ++node) {
        ScriptOfNode script(plan, node);
        for (const auto& [move, is_sent] : of_node[node])
            if (is_sent)
                script.sends(*move, arcs.port(move->arc));
            else
                script.gets(*move, arcs.port(arcs.opposite(move->arc)));
        scripts.push_back(script.take());
    }
    return scripts;
}

}  // namespace dcube::detail
