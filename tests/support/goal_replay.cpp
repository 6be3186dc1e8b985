#include "tests/support/goal_replay.hpp"

#include "tests/support/files.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <regex>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace dcube::test {

namespace {

struct Operation {
    bool sends = false;
    std::uint64_t bytes = 0;
    std::uint32_t peer = 0;
    std::uint32_t tag = 0;
    std::uint32_t nic = 0;
    std::size_t open = 0;                   // how much it still waits for
    std::vector<std::size_t> when_done{};   // who waits for its end
    std::vector<std::size_t> when_begun{};  // who waits for its begin
};

using Rank = std::vector<Operation>;

[[noreturn]] void wrong_goal(const std::string& line)
{
    throw std::runtime_error("GOAL: " + line);
}

std::vector<std::string> words_of(const std::string& line)
{
    std::vector<std::string> words{""};
    for (const char c : line)
        if (c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    return words;
}

std::uint64_t number(const std::string& digits, const std::string& line)
{
    if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
        wrong_goal(line);
    return std::stoull(digits);
}

// "s1p0: send 64b to 1 tag 1 nic 0"
Operation operation(const std::vector<std::string>& words, const std::string& line)
{
    const bool sends = words.size() > 1 && words[1] == "send";
    if (words.size() != 9 || (!sends && words[1] != "recv") || !words[2].ends_with('b') ||
        words[3] != (sends ? "to" : "from") || words[5] != "tag" || words[7] != "nic")
        wrong_goal(line);
    Operation one;
    one.sends = sends;
    one.bytes = number(words[2].substr(0, words[2].size() - 1), line);
    one.peer = static_cast<std::uint32_t>(number(words[4], line));
    one.tag = static_cast<std::uint32_t>(number(words[6], line));
    one.nic = static_cast<std::uint32_t>(number(words[8], line));
    if (one.bytes == 0 || one.nic > 255)
        wrong_goal(line);
    return one;
}

// The lines of txt2bin's grammar that schedules of packets need.
class Parser {
public:
    std::vector<Rank> parse(const std::string& goal)
    {
        for (const std::string& line : lines_of(goal))
            if (!line.empty() && !line.starts_with("//"))
                read(line, words_of(line));
        if (inside_ || ranks_.size() != expected_)
            wrong_goal("ranks are missing");
        return std::move(ranks_);
    }

private:
    void read(const std::string& line, const std::vector<std::string>& words)
    {
        if (words[0] == "num_ranks" && words.size() == 2 && ranks_.empty()) {
            expected_ = number(words[1], line);
        } else if (words[0] == "rank" && words.size() == 3 && words[2] == "{" && !inside_ &&
                   number(words[1], line) == ranks_.size()) {
            ranks_.emplace_back();
            labels_.clear();
            inside_ = true;
        } else if (!inside_) {
            wrong_goal(line);
        } else if (line == "}") {
            inside_ = false;
        } else if (words[0].ends_with(':')) {
            if (!labels_.emplace(words[0].substr(0, words[0].size() - 1), ranks_.back().size()).second)
                wrong_goal(line);
            ranks_.back().push_back(operation(words, line));
        } else {
            order(line, words);
        }
    }

    void order(const std::string& line, const std::vector<std::string>& words)
    {
        if (words.size() != 3 || !labels_.contains(words[0]) || !labels_.contains(words[2]) ||
            (words[1] != "requires" && words[1] != "irequires"))
            wrong_goal(line);
        Operation& first = ranks_.back()[labels_[words[2]]];
        (words[1] == "requires" ? first.when_done : first.when_begun).push_back(labels_[words[0]]);
        ++ranks_.back()[labels_[words[0]]].open;
    }

    std::vector<Rank> ranks_;
    std::map<std::string, std::size_t> labels_;
    std::size_t expected_ = 0;
    bool inside_ = false;
};

struct Event {
    std::uint64_t time;
    std::uint64_t order;  // of events at the same time, the one made first is first
    bool message;
    std::size_t rank;
    std::size_t operation;  // the sender's, if it is a message
    std::size_t sender;

    bool operator>(const Event& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
};

class Simulation {
public:
    Simulation(std::vector<Rank> ranks, const LogGp& parameters)
        : ranks_(std::move(ranks)), p_(parameters), cpu_(ranks_.size()), sending_(ranks_.size()),
          receiving_(ranks_.size()), expected_(ranks_.size()), early_(ranks_.size())
    {
    }

    std::uint64_t run()
    {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            for (const bool sends : {true, false})
                for (std::size_t i = 0; i < ranks_[rank].size(); ++i)
                    if (ranks_[rank][i].open == 0 && ranks_[rank][i].sends == sends)
                        push({0, 0, false, rank, i, 0});
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.message)
                arrive(event);
            else if (ranks_[event.rank][event.operation].sends)
                send(event);
            else
                post(event);
        }
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (!expected_[rank].empty() || !early_[rank].empty())
                throw std::runtime_error("GOAL: a message is never received, or a receive never served");
        for (const Rank& rank : ranks_)
            for (const Operation& one : rank)
                if (one.open != 0)
                    throw std::runtime_error("GOAL: an operation never begins");
        return *std::ranges::max_element(cpu_);
    }

private:
    using Match = std::tuple<std::uint32_t, std::uint32_t>;  // source and tag

    void push(Event event)
    {
        event.order = order_++;
        events_.push(event);
    }

    void again(Event event, std::uint64_t time)
    {
        event.time = time;
        events_.push(event);
    }

    void release(std::size_t rank, const std::vector<std::size_t>& waiting)
    {
        for (const std::size_t i : waiting)
            if (Operation& one = ranks_[rank][i]; --one.open == 0) {
                const std::uint64_t time = one.sends ? std::max(cpu_[rank], sending_[rank][one.nic]) : cpu_[rank];
                push({time, 0, false, rank, i, 0});
            }
    }

    void send(const Event& event)
    {
        const Operation& one = ranks_[event.rank][event.operation];
        std::uint64_t& free = sending_[event.rank][one.nic];
        if (const std::uint64_t soonest = std::max(cpu_[event.rank], free); soonest > event.time)
            return again(event, soonest);
        cpu_[event.rank] = event.time;
        free = event.time + p_.gap + (one.bytes - 1) * p_.per_byte;
        push({event.time + p_.latency, 0, true, one.peer, event.operation, event.rank});
        release(event.rank, one.when_begun);
        release(event.rank, one.when_done);
    }

    void post(const Event& event)
    {
        const Operation& one = ranks_[event.rank][event.operation];
        const Match match{one.peer, one.tag};
        if (early_[event.rank].erase(match) > 0)
            finish(event.rank, event.operation);
        else if (!expected_[event.rank].emplace(match, event.operation).second)
            throw std::runtime_error("GOAL: a tag is used twice");
    }

    void arrive(const Event& event)
    {
        const Operation& sent = ranks_[event.sender][event.operation];
        std::uint64_t& free = receiving_[event.rank][sent.nic];
        if (const std::uint64_t soonest = std::max(cpu_[event.rank], free); soonest > event.time)
            return again(event, soonest);
        cpu_[event.rank] = event.time + (sent.bytes - 1) * p_.per_byte;
        free = event.time + p_.gap + (sent.bytes - 1) * p_.per_byte;
        const Match match{static_cast<std::uint32_t>(event.sender), sent.tag};
        const auto waiting = expected_[event.rank].find(match);
        if (waiting == expected_[event.rank].end()) {
            early_[event.rank].emplace(match, 0);
            return;
        }
        const std::size_t operation = waiting->second;
        expected_[event.rank].erase(waiting);
        finish(event.rank, operation);
    }

    void finish(std::size_t rank, std::size_t operation)
    {
        release(rank, ranks_[rank][operation].when_begun);
        release(rank, ranks_[rank][operation].when_done);
    }

    std::vector<Rank> ranks_;
    LogGp p_;
    std::vector<std::uint64_t> cpu_;
    std::vector<std::map<std::uint32_t, std::uint64_t>> sending_;
    std::vector<std::map<std::uint32_t, std::uint64_t>> receiving_;
    std::vector<std::map<Match, std::size_t>> expected_;
    std::vector<std::map<Match, std::size_t>> early_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t order_ = 0;
};

}  // namespace

LogGp parameters_in(const std::string& goal)
{
    static const std::regex flags("-L ([0-9]+) -g ([0-9]+) -G ([0-9]+) -o 0 -O 0 -S 2000000000");
    std::smatch m;
    const std::string head = goal.substr(0, goal.find("num_ranks"));
    if (!std::regex_search(head, m, flags))
        throw std::runtime_error("GOAL: no flags are named");
    return {std::stoull(m[1]), std::stoull(m[2]), std::stoull(m[3])};
}

std::uint64_t replayed_time(const std::string& goal, const LogGp& parameters)
{
    return Simulation(Parser().parse(goal), parameters).run();
}

}  // namespace dcube::test
