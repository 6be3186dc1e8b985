// GOAL, the schedules of LogGOPSim, as dcube writes them and as others do: the sends and receives of every rank, and
// the order that they require. The grammar is that of txt2bin. Files that dcube writes have comments: the first line of
// a trace, and before every send its pieces; tags are steps. Without comments a message leaves as soon as it can, and
// carries the same as a line without "pieces".

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "judge/foreign_schedule.hpp"
#include "judge/link_rules.hpp"
#include "judge/trace_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

constexpr std::string_view pieces_mark = "pieces ";

std::vector<std::string_view> words_in(std::string_view line)
{
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty())
            return words;
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
}

struct GoalMessage {
    std::uint64_t bytes = 0;
    std::string pieces{};  // JSON; empty: the file does not say
};

class Goal : public ForeignSchedule {
public:
    explicit Goal(TraceReader& trace) : trace_(trace)
    {
        for (std::string_view line; trace.next_text(line);)
            read(trimmed(line));
        if (inside_ || !ranks_ || !waits_.empty())
            refuse(!ranks_ ? "there is no num_ranks" : "the last rank does not end");
        for (NodeId rank = 0; rank < *ranks_; ++rank)
            if (!seen_.contains(rank))
                refuse(fmt::format("there are {} ranks, and rank {} is missing", *ranks_, rank));
    }

    [[nodiscard]] const std::optional<TraceQuestion>& header() const override { return header_; }

    [[nodiscard]] std::vector<Record> records(const TraceQuestion& question) const override
    {
        if (*ranks_ != question.topology.nodes())
            throw TraceFormatError(ranks_line_, fmt::format("the file has {} ranks: the network has {} nodes", *ranks_,
                                                            question.topology.nodes()));
        const std::uint64_t largest = largest_packet(question.problem);
        std::vector<Deed> deeds = deeds_;
        for (std::size_t i = 0; i < deeds.size(); ++i)
            if (deeds[i].kind == Deed::Kind::send && messages_[i].pieces.empty())
                deeds[i].packets = packets_of_message(deeds[i], messages_[i].bytes, largest);
        std::vector<Record> all;
        let_happen(deeds, question.ports, [&](std::uint32_t deed, Step step, std::uint32_t) {
            if (deeds[deed].kind != Deed::Kind::send)
                return;
            std::uint64_t left = messages_[deed].bytes;
            for (std::uint64_t packet = 0; packet < deeds[deed].packets; ++packet, ++step) {
                const std::uint64_t bytes = deeds[deed].packets == 1 ? left : std::min(left, largest);
                all.push_back(record_of(deeds[deed], step, bytes, messages_[deed].pieces));
                left -= bytes;
            }
        });
        std::ranges::stable_sort(all, {}, &Record::step);
        return all;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const { throw TraceFormatError(trace_.line(), "GOAL: " + why); }

    static std::uint64_t packets_of_message(const Deed& deed, std::uint64_t bytes, std::uint64_t largest)
    {
        constexpr std::uint64_t most_packets = std::uint64_t{1} << 16;
        const std::uint64_t packets = (bytes - 1) / largest + 1;
        if (packets > most_packets)
            throw TraceError(deed.line,
                             fmt::format("a message of {} bytes is {} packets of {}: at most {} are possible", bytes,
                                         packets, largest, most_packets));
        return packets;
    }

    static Record record_of(const Deed& deed, Step step, std::uint64_t bytes, const std::string& pieces)
    {
        Record record;
        const std::string line = fmt::format(R"({{"step":{},"from":{},"to":{},"bytes":{}{}{}}})", step, deed.node,
                                             deed.peer, bytes, pieces.empty() ? "" : R"(,"pieces":)", pieces);
        record.line = deed.line;
        if (const std::string fault = parse_trace_line(line, record, [](const std::string&) {}); !fault.empty())
            throw TraceFormatError(deed.line, "the pieces before it: " + fault);
        return record;
    }

    void read(std::string_view line)
    {
        if (in_comment_ || line.starts_with("/*")) {
            in_comment_ = line.find("*/") == std::string_view::npos;
        } else if (line.starts_with("//")) {
            read_comment(trimmed(line.substr(2)));
        } else if (const std::vector<std::string_view> words = words_in(line); !words.empty()) {
            read_statement(words);
        }
    }

    void read_comment(const std::string& text)
    {
        if (text.starts_with(pieces_mark))
            waits_ = text.substr(pieces_mark.size());
        else if (!ranks_ && !header_)
            header_ = parse_trace_header(text);
    }

    void read_statement(const std::vector<std::string_view>& words)
    {
        const bool of_two = words.size() == 2;
        if (of_two && words[0] == "num_ranks" && !ranks_) {
            ranks_ = number<NodeId>(words[1]);
            ranks_line_ = trace_.line();
        } else if (words.size() == 3 && words[0] == "rank" && words[2] == "{" && !inside_ && ranks_) {
            rank_ = number<NodeId>(words[1]);
            if (rank_ >= *ranks_ || !seen_.insert(rank_).second)
                refuse(fmt::format("rank {}: ranks 0 to {} are allowed, each once", rank_, *ranks_ - 1));
            labels_.clear();
            inside_ = true;
        } else if (words.size() == 1 && words[0] == "}" && inside_) {
            inside_ = false;
        } else if (words.size() == 3 && inside_ && (words[1] == "requires" || words[1] == "irequires")) {
            Deed& waits = deeds_[labelled(words[0])];
            (words[1] == "requires" ? waits.after : waits.after_begin).push_back(labelled(words[2]));
        } else if (inside_) {
            read_deed(words);
        } else {
            refuse(fmt::format("{} is not expected here", dcube::quoted(words[0])));
        }
    }

    // "s1: send 64b to 1 tag 2 nic 0"
    void read_deed(std::span<const std::string_view> words)
    {
        const auto index = static_cast<std::uint32_t>(deeds_.size());
        if (words[0].ends_with(':')) {
            const std::string_view label = words[0].substr(0, words[0].size() - 1);
            if (!labels_.emplace(label, index).second)
                refuse(fmt::format("rank {} has the label {} twice", rank_, dcube::quoted(label)));
            words = words.subspan(1);
        }
        Deed deed{.node = rank_, .line = trace_.line()};
        GoalMessage message;
        const bool sends = words.size() >= 4 && words[0] == "send" && words[2] == "to";
        if (sends || (words.size() >= 4 && words[0] == "recv" && words[2] == "from")) {
            deed.kind = sends ? Deed::Kind::send : Deed::Kind::receive;
            message.bytes = size_in(words[1]);
            deed.peer = peer_in(words[3], sends);
            deed.tag = sends ? 0 : Deed::any;
            read_options(words.subspan(4), deed);
        } else if (words.size() < 2 || words[0] != "calc") {
            refuse(fmt::format("{} is not a statement: send, recv, calc, requires and irequires are",
                               dcube::quoted(words.empty() ? "" : words[0])));
        }
        if (sends) {
            message.pieces = std::exchange(waits_, {});
            if (header_)
                deed.step = static_cast<Step>(deed.tag);
        }
        deeds_.push_back(std::move(deed));
        messages_.push_back(std::move(message));
    }

    void read_options(std::span<const std::string_view> words, Deed& deed) const
    {
        for (; words.size() >= 2; words = words.subspan(2)) {
            if (words[0] != "tag" && words[0] != "cpu" && words[0] != "nic")
                break;
            if (words[0] == "tag")
                deed.tag =
                    words[1] == "-1" && deed.kind == Deed::Kind::receive ? Deed::any : number<std::int32_t>(words[1]);
        }
        if (!words.empty())
            refuse(fmt::format("{} is not expected here: tag, cpu and nic are", dcube::quoted(words[0])));
    }

    std::uint64_t size_in(std::string_view word) const
    {
        if (!word.ends_with('b'))
            refuse(fmt::format("{} is not a size such as 64b", dcube::quoted(word)));
        const auto size = number<std::int64_t>(word.substr(0, word.size() - 1));
        if (size == 0)
            refuse("a message has no bytes");
        return static_cast<std::uint64_t>(size);
    }

    std::int64_t peer_in(std::string_view word, bool sends) const
    {
        if (word == "-1" && !sends)
            return Deed::any;
        const auto node = number<NodeId>(word);
        if (node >= *ranks_)
            refuse(fmt::format("rank {}: ranks 0 to {} are allowed", node, *ranks_ - 1));
        return node;
    }

    template <class Number>
    Number number(std::string_view word) const
    {
        const auto value = parsed_number<Number>(word);
        if (!value)
            refuse(fmt::format("{} is not a whole number, or too large", dcube::quoted(word)));
        return *value;
    }

    std::uint32_t labelled(std::string_view label) const
    {
        const auto found = labels_.find(label);
        if (found == labels_.end())
            refuse(fmt::format("rank {} has no label {} above", rank_, dcube::quoted(label)));
        return found->second;
    }

    TraceReader& trace_;
    std::optional<TraceQuestion> header_;
    std::optional<NodeId> ranks_;
    std::uint64_t ranks_line_ = 0;
    std::vector<Deed> deeds_;
    std::vector<GoalMessage> messages_;  // by deed
    // The reader's position.
    bool in_comment_ = false;
    bool inside_ = false;  // a rank
    NodeId rank_ = 0;
    std::set<NodeId> seen_;  // ranks
    std::map<std::string, std::uint32_t, std::less<>> labels_;
    std::string waits_;  // pieces, for the next send
};

}  // namespace

std::unique_ptr<ForeignSchedule> read_goal(TraceReader& trace)
{
    const std::string first = trimmed(trace.first_line());
    for (const std::string_view begin : {"//", "/*", "num_ranks"})
        if (first.starts_with(begin))
            return std::make_unique<Goal>(trace);
    return nullptr;
}

}  // namespace dcube
