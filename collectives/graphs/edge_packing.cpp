// Step by step: the operations of a step are a matching of jobs with machines. R steps are left, this one included; a
// job or a machine with R operations left has no slack, and must have one in this step.
//
// Why there is such a matching: no degree exceeds R, so what is left can be coloured with R colours (Koenig), and each
// colour is a matching with an operation of every job and machine that has R. Why it is found:
//   jobs      the ones without slack are offered first, along augmenting paths; jobs that can be matched together (a
//             transversal matroid) are all matched so, and what is offered later leaves none without a machine.
//   machines  let c be one without slack that is idle, and M a colour as above. The path from c that lies in M and in
//             this matching in turn ends at a job without an operation here, or at a machine that M has idle, which has
//             slack. In the first case c gets a job by shifting along the path, in the second one the machine with
//             slack idles instead of c (Mendelsohn & Dulmage 1958). No job that was matched loses its operation.

#include "collectives/graphs/edge_colouring.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dcube::detail {

namespace {

using Job = std::uint32_t;
using Machine = std::uint32_t;

// A job's operations on one machine: edges in the order of their list.
struct Task {
    Machine machine;
    std::uint32_t next;  // in the edges by job and machine
    std::uint32_t left;
};

class Packing {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

public:
    Packing(std::span<const ColouredEdge> edges, std::uint32_t steps)
        : steps_(steps), step_of_(edges.size()), by_total_(steps + std::size_t{1})
    {
        sort_edges(edges);
        make_tasks(edges);
        seen_.resize(machine_left_.size());
        previous_.resize(machine_left_.size());
    }

    std::vector<std::uint32_t> pack()
    {
        constexpr std::uint32_t steps_between_signs = 64;
        for (std::uint32_t step = 0; step < steps_; ++step) {
            if (step % steps_between_signs == 0)
                planning("edge packing", static_cast<double>(step) / steps_);
            match(steps_ - step);
            carry_out(step);
        }
        return std::move(step_of_);
    }

private:
    void sort_edges(std::span<const ColouredEdge> edges)
    {
        order_.resize(edges.size());
        for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
            order_[edge] = edge;
        std::ranges::stable_sort(order_, {},
                                 [&](std::uint32_t edge) { return std::pair(edges[edge].left, edges[edge].right); });
    }

    void make_tasks(std::span<const ColouredEdge> edges)
    {
        for (std::uint32_t at = 0; at < order_.size(); ++at) {
            const auto [job, machine] = edges[order_[at]];
            if (machine >= machine_left_.size()) {
                machine_left_.resize(machine + std::size_t{1});
                waiting_.resize(machine + std::size_t{1});
            }
            while (first_task_.size() <= job)
                first_task_.push_back(static_cast<std::uint32_t>(tasks_.size()));
            if (tasks_.size() == first_task_[job] || tasks_.back().machine != machine) {
                tasks_.push_back({machine, at, 0});
                waiting_[machine].jobs.push_back(job);
            }
            ++tasks_.back().left;
            ++machine_left_[machine];
        }
        first_task_.push_back(static_cast<std::uint32_t>(tasks_.size()));
        begun_.resize(first_task_.size() - 1);
        for (Job job = 0; job + 1 < first_task_.size(); ++job) {
            job_left_.push_back(0);
            for (const Task& task : tasks_of(job))
                job_left_.back() += task.left;
            by_total_[job_left_.back()].push_back(job);
        }
        job_of_.resize(machine_left_.size());
    }

    [[nodiscard]] std::span<Task> tasks_of(Job job)
    {
        return std::span(tasks_).subspan(first_task_[job], first_task_[job + 1] - first_task_[job]);
    }

    [[nodiscard]] Task* task_on(Job job, Machine machine)
    {
        for (Task& task : tasks_of(job))
            if (task.machine == machine && task.left > 0)
                return &task;
        return nullptr;
    }

    void match(std::uint32_t left)
    {
        std::ranges::fill(job_of_, none);
        taken_ = 0;
        for (const Job job : under_way_)
            if (job_left_[job] == left)
                offer(job);
        for (const Job job : by_total_[left])
            if (!begun_[job])
                begin(job);
        for (const Job job : under_way_)
            if (job_left_[job] < left)
                offer(job);
        for (Machine machine = 0; machine < job_of_.size(); ++machine)
            if (machine_left_[machine] == left && job_of_[machine] == none)
                fill(machine, left);
    }

    void offer(Job job)
    {
        if (taken_ == job_of_.size())
            return;
        seen_.assign(seen_.size(), 0);
        taken_ += augment(job);
    }

    void begin(Job job)
    {
        begun_[job] = true;
        offer(job);
        beginning_.push_back(job);
    }

    struct Change {
        Job job;
        std::size_t choice;  // the job's task
    };

    // Depth first. Paths may be long, so this is a loop.
    bool augment(Job first)
    {
        path_.assign(1, {first, 0});
        while (!path_.empty()) {
            auto& [job, choice] = path_.back();
            const std::span<const Task> tasks = tasks_of(job);
            if (choice == tasks.size()) {
                path_.pop_back();
                if (!path_.empty())
                    ++path_.back().choice;
                continue;
            }
            const Task& task = tasks[choice];
            if (task.left == 0 || seen_[task.machine] != 0) {
                ++choice;
                continue;
            }
            seen_[task.machine] = 1;
            if (job_of_[task.machine] == none)
                break;
            path_.push_back({job_of_[task.machine], 0});
        }
        for (const auto& [job, choice] : path_)
            job_of_[tasks_of(job)[choice].machine] = job;
        return !path_.empty();
    }

    // Gives a machine without slack an operation, if need be by leaving one with slack idle, else by a new job.
    void fill(Machine machine, std::uint32_t left)
    {
        find_reachable(machine);
        Job first = none;
        Machine end = none;
        for (const Machine reached : reachable_) {
            if (machine_left_[reached] < left)
                return shift(none, reached, machine);
            if (const Job job = first_waiting(reached); job < first) {
                first = job;
                end = reached;
            }
        }
        begun_[first] = true;
        beginning_.push_back(first);
        shift(first, end, machine);
    }

    // Machines whose jobs could go, one for the other, so that this machine has one.
    void find_reachable(Machine machine)
    {
        seen_.assign(seen_.size(), 0);
        reachable_.assign(1, machine);
        seen_[machine] = 1;
        for (std::size_t i = 0; i < reachable_.size(); ++i)
            for (Machine other = 0; other < job_of_.size(); ++other)
                if (seen_[other] == 0 && job_of_[other] != none && task_on(job_of_[other], reachable_[i])) {
                    seen_[other] = 1;
                    previous_[other] = reachable_[i];
                    reachable_.push_back(other);
                }
    }

    void shift(Job job, Machine from, Machine to)
    {
        for (Machine machine = from; machine != to; machine = previous_[machine])
            std::swap(job, job_of_[machine]);
        job_of_[to] = job;
    }

    // The first job with an operation on the machine that has not begun.
    Job first_waiting(Machine machine)
    {
        auto& [jobs, first] = waiting_[machine];
        while (first < jobs.size() && begun_[jobs[first]])
            ++first;
        return first < jobs.size() ? jobs[first] : none;
    }

    void carry_out(std::uint32_t step)
    {
        for (Machine machine = 0; machine < job_of_.size(); ++machine) {
            const Job job = job_of_[machine];
            if (job == none)
                continue;
            Task& task = *task_on(job, machine);
            step_of_[order_[task.next++]] = step;
            --task.left;
            --job_left_[job];
            --machine_left_[machine];
        }
        under_way_.insert(under_way_.end(), beginning_.begin(), beginning_.end());
        beginning_.clear();
        std::erase_if(under_way_, [this](Job job) { return job_left_[job] == 0; });
    }

    struct Waiting {
        std::vector<Job> jobs;
        std::size_t first = 0;
    };

    std::uint32_t steps_;
    std::vector<std::uint32_t> step_of_;  // by edge
    std::vector<std::uint32_t> order_;    // edges by job and machine
    std::vector<Task> tasks_;             // by job
    std::vector<std::uint32_t> first_task_;
    std::vector<std::uint32_t> job_left_;
    std::vector<std::uint32_t> machine_left_;
    std::vector<std::vector<Job>> by_total_;  // jobs by their number of operations
    std::vector<Waiting> waiting_;            // by machine
    std::vector<bool> begun_;
    std::vector<Job> under_way_;  // the oldest first
    std::vector<Job> beginning_;  // in this step
    std::vector<Job> job_of_;     // by machine, in this step
    std::size_t taken_ = 0;       // machines, before some are filled
    std::vector<std::uint8_t> seen_;
    std::vector<Change> path_;  // used by augment()
    std::vector<Machine> previous_;
    std::vector<Machine> reachable_;
};

}  // namespace

std::vector<std::uint32_t> pack_edges(std::span<const ColouredEdge> edges, std::uint32_t steps)
{
    return Packing(edges, steps).pack();
}

}  // namespace dcube::detail
