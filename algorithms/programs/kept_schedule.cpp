#include "algorithms/programs/kept_schedule.hpp"

#include "algorithms/programs/complete_schedule.hpp"
#include "algorithms/programs/schedule_bytes.hpp"
#include "base/plan_files.hpp"
#include "graphs/network_bytes.hpp"

namespace dcube::detail {

std::string key_of(const ScheduleQuestion& question)
{
    ByteWriter key;
    write_network(key, question.topology);
    key.number(static_cast<std::uint64_t>(question.ports));
    key.text(name(question.collective));
    key.number(question.packets);
    key.number(question.root);
    key.number(question.peer);
    key.number(question.permutation.size());
    for (const NodeId node : question.permutation)
        key.number(node);
    return key.take();
}

ScheduleQuestion exchange_question(const Topology& topology, PortModel ports)
{
    return {topology, ports, Collective::all_to_all, 1, 0, 0, {}};
}

Problem problem_of(const ScheduleQuestion& question)
{
    Problem problem{question.collective};
    problem.packets = question.packets;
    problem.root = question.root;
    problem.peer = question.peer;
    problem.permutation = question.permutation;
    return problem;
}

Schedule read_schedule_for(ByteReader& bytes, const ScheduleQuestion& question)
{
    Schedule schedule = read_schedule(bytes);
    require_complete(schedule, question.topology, question.ports, problem_of(question));
    return schedule;
}

Schedule kept_schedule(std::string_view kind, std::uint64_t work, const ScheduleQuestion& question,
                       const std::function<Schedule()>& make)
{
    const auto to_bytes = [](const Schedule& schedule) {
        ByteWriter bytes;
        write_schedule(bytes, schedule);
        return bytes.take();
    };
    const auto from_bytes = [&](std::string_view plan) {
        ByteReader bytes(plan);
        Schedule schedule = read_schedule_for(bytes, question);
        bytes.end();
        return schedule;
    };
    return kept_in_file(
        kind, work, [&] { return key_of(question); }, make, to_bytes, from_bytes);
}

}  // namespace dcube::detail
