// MSCCL's XML, as dcube, msccl-tools and others write it: the steps of every GPU's thread blocks. The steps are carried
// out on symbols, chunk by chunk, which shows the bytes that every transfer carries, and that every output is right in
// the end. Files that dcube writes have comments: the first line of a trace, and the steps in which a block sends.
// Without comments a transfer leaves as soon as it can.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "judge/foreign_schedule.hpp"
#include "judge/link_rules.hpp"
#include "judge/trace_header.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// A tag, a closing tag or a comment, and in which line it begins.
struct XmlItem {
    std::uint64_t line = 0;
    std::string name{};  ///< "tb", "/tb"; "!--" for a comment
    std::map<std::string, std::string, std::less<>> attributes{};
    std::string comment{};
};

// Reads the tags of a text that is nothing but tags.
class XmlTags {
public:
    explicit XmlTags(TraceReader& trace) : trace_(trace) {}

    bool next(XmlItem& item)
    {
        const std::string text = next_tag();
        if (text.empty())
            return false;
        item = {};
        item.line = begins_;
        if (text.starts_with("<!--")) {
            item.name = "!--";
            item.comment = trimmed(std::string_view(text).substr(4, text.size() - 7));
        } else {
            read_tag(text, item);
        }
        return true;
    }

private:
    // The next tag, from '<' to '>', or to the end of a comment; empty at the end.
    std::string next_tag()
    {
        while (true) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
            if (!rest_.empty())
                break;
            if (!trace_.next_text(rest_))
                return {};
        }
        begins_ = trace_.line();
        if (rest_.front() != '<')
            refuse(fmt::format("{} stands where a tag should begin", dcube::quoted(rest_)));
        const std::string_view end = rest_.starts_with("<!--") ? "-->" : ">";
        std::string text;
        for (std::size_t at = rest_.find(end); at == std::string_view::npos; at = rest_.find(end)) {
            text.append(rest_).push_back(' ');
            if (!trace_.next_text(rest_))
                refuse("a tag does not end");
        }
        const std::size_t length = rest_.find(end) + end.size();
        text.append(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return text;
    }

    void read_tag(std::string_view text, XmlItem& item) const
    {
        text = text.substr(1, text.size() - 2);
        if (text.ends_with('/') || text.ends_with('?'))
            text.remove_suffix(1);
        constexpr std::string_view blanks = " \t\r";
        const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size())); };
        item.name = text.substr(0, text.find_first_of(blanks));
        text.remove_prefix(item.name.size());
        for (skip(); !text.empty(); skip()) {
            const std::size_t equals = text.find('=');
            const std::string key = trimmed(text.substr(0, equals));
            text.remove_prefix(std::min(equals, text.size() - 1) + 1);
            skip();
            const std::size_t end = text.empty() ? std::string_view::npos : text.find(text.front(), 1);
            if (end == std::string_view::npos || (text.front() != '"' && text.front() != '\''))
                refuse(fmt::format("{} has no value in quotes", dcube::quoted(key)));
            item.attributes[key] = text.substr(1, end - 1);
            text.remove_prefix(end + 1);
        }
    }

    [[noreturn]] void refuse(const std::string& why) const { throw TraceFormatError(trace_.line(), "XML: " + why); }

    TraceReader& trace_;
    std::string_view rest_;  // the rest of the line
    std::uint64_t begins_ = 0;
};

struct Place {
    char buffer = 'i';
    std::uint64_t offset = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
};

constexpr std::string_view buffer_name(char buffer)
{
    return buffer == 'i' ? "input" : buffer == 'o' ? "output" : "scratch buffer";
}

// The actions of a type of step, in this order.
struct StepKind {
    std::string_view type;
    bool receives;
    bool adds;    // to the received data, or to the data in the destination
    bool stores;  // the data received or read
    bool sends;
};
constexpr StepKind step_kinds[]{
    {"s", false, false, false, true},   {"r", true, false, true, false},  {"rcs", true, false, true, true},
    {"rrs", true, true, false, true},   {"rrc", true, true, true, false}, {"rrcs", true, true, true, true},
    {"cpy", false, false, true, false}, {"re", false, true, true, false}, {"nop", false, false, false, false},
};

// Far more than runtimes take.
constexpr std::uint64_t most_chunks_at_once = 1024;
constexpr std::uint64_t most_chunks_in_loop = std::uint64_t{1} << 24;

struct XmlStep {
    std::uint64_t line = 0;
    const StepKind* kind = nullptr;
    Place from{};
    Place to{};
    std::uint64_t count = 0;
    std::int64_t block = -1;  // the one that it waits for, and its step
    std::int64_t step = -1;
    std::optional<Step> sent_in{};
};

struct XmlBlock {
    std::uint64_t line = 0;
    std::int64_t send = -1;
    std::int64_t receive = -1;
    std::int64_t channel = 0;
    std::vector<XmlStep> steps{};
    std::vector<Step> sent_in{};
};

struct XmlGpu {
    std::uint64_t line = 0;
    std::array<std::uint64_t, 3> chunks{};  // in input, output, scratch
    std::map<std::int64_t, XmlBlock> blocks{};
};

struct XmlAlgo {
    std::uint64_t line = 0;
    std::string collective{};
    std::uint64_t per_loop = 0;
    bool in_place = false;
    std::map<NodeId, XmlGpu> gpus{};
    std::uint64_t gpu_count = 0;
};

// Carries out the steps of a file on symbols.
class Symbols {
public:
    Symbols(const XmlAlgo& algo, const TraceQuestion& question)
        : algo_(algo), question_(question), of_(traits(question.problem.collective)), nodes_(question.topology.nodes()),
          reduces_(is_reduction(question.problem.collective)), memory_(nodes_),
          everybody_(std::make_shared<const Contributors>(Contributors::all(question.topology)))
    {
        require_fitting();
        for (NodeId node = 0; node < nodes_; ++node)
            own_.push_back(std::make_shared<const Contributors>(node));
        for (const auto& [node, gpu] : algo_.gpus)
            add_deeds(node, gpu);
    }

    std::vector<Record> run()
    {
        carried_.resize(deeds_.size());
        let_happen(deeds_, question_.ports,
                   [this](std::uint32_t deed, Step step, std::uint32_t message) { happen(deed, step, message); });
        require_outputs();
        std::ranges::stable_sort(records_, {}, &Record::step);
        return {std::make_move_iterator(records_.begin()), std::make_move_iterator(records_.end())};
    }

private:
    using Value = std::optional<Piece>;  // one chunk of a message or of a sum

    struct DeedOf {
        NodeId node;
        const XmlStep* step;
        std::uint32_t receive;  // of a send in a step that receives first: that receive
    };

    [[nodiscard]] std::uint64_t messages(Share share) const { return share == Share::message_per_node ? nodes_ : 1; }

    void require_fitting()
    {
        const auto refuse = [&](const std::string& why) { throw TraceFormatError(algo_.line, why); };
        const Problem& problem = question_.problem;
        if (parse_collective(algo_.collective) != problem.collective)
            refuse(fmt::format("the file is of {}, not of {}", algo_.collective, name(problem.collective)));
        if (is_matrix(problem.collective) || is_point_to_point(problem.collective))
            refuse(fmt::format("MSCCL's XML of {} is not read", name(problem.collective)));
        if (!problem.within.empty())
            refuse("MSCCL's XML of groups is not read");
        if (!problem.counts.empty())
            refuse("MSCCL's messages all have the same length");
        if (algo_.gpu_count != nodes_ || algo_.gpus.size() != nodes_)
            refuse(fmt::format("the file has {} of {} GPUs: the network has {} nodes", algo_.gpus.size(),
                               algo_.gpu_count, nodes_));
        inputs_ = messages(of_.before.share);
        outputs_ = messages(of_.after.share);
        const std::uint64_t larger = std::max(inputs_, outputs_);
        of_message_ = algo_.per_loop / larger;
        const std::uint64_t message = std::uint64_t{problem.bytes} * problem.packets;
        if (of_message_ == 0 || algo_.per_loop % larger != 0 || algo_.per_loop > most_chunks_in_loop)
            refuse(fmt::format("nchunksperloop is {}: a multiple of {} is allowed, up to {}", algo_.per_loop, larger,
                               most_chunks_in_loop));
        if (message % of_message_ != 0)
            refuse(fmt::format("a message has {} chunks, which does not divide its {} bytes: choose another size",
                               of_message_, message));
        bytes_ = message / of_message_;
        limit_ = largest_packet(problem);
        if (bytes_ > limit_)
            refuse(fmt::format("a chunk has {} bytes, and a packet at most {}: choose {} packets and bytes for each",
                               bytes_, limit_, of_message_));
    }

    void add_deeds(NodeId node, const XmlGpu& gpu)
    {
        require_size(gpu, 0, inputs_);
        require_size(gpu, 1, outputs_);
        std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> last;  // deed of each step
        std::vector<std::pair<std::uint32_t, const XmlStep*>> waiting;
        for (const auto& [id, block] : gpu.blocks) {
            std::optional<std::uint32_t> before;
            for (std::size_t i = 0; i < block.steps.size(); ++i) {
                const XmlStep& step = block.steps[i];
                const auto first = static_cast<std::uint32_t>(deeds_.size());
                if (!step.kind->sends || step.kind->receives)
                    add_deed(node, block, step, step.kind->receives ? Deed::Kind::receive : Deed::Kind::work, before,
                             0);
                if (step.kind->sends)
                    add_deed(node, block, step, Deed::Kind::send, before, first);
                if (step.block >= 0)
                    waiting.emplace_back(first, &step);
                last[{id, static_cast<std::int64_t>(i)}] = static_cast<std::uint32_t>(deeds_.size() - 1);
            }
        }
        for (const auto& [deed, step] : waiting) {
            const auto found = last.find({step->block, step->step});
            if (found == last.end())
                throw TraceFormatError(step->line, fmt::format("the step waits for step {} of thread block {}, which "
                                                               "there is not",
                                                               step->step, step->block));
            deeds_[deed].after.push_back(found->second);
        }
    }

    void require_size(const XmlGpu& gpu, std::size_t buffer, std::uint64_t in_buffer) const
    {
        const std::uint64_t chunks = gpu.chunks[buffer];
        const std::uint64_t expected = in_buffer * of_message_;
        if (chunks != expected && !(algo_.in_place && chunks == 0))
            throw TraceFormatError(gpu.line, fmt::format("the {} has {} chunks: {} are expected",
                                                         buffer_name("io"[buffer]), chunks, expected));
    }

    void add_deed(NodeId node, const XmlBlock& block, const XmlStep& step, Deed::Kind kind,
                  std::optional<std::uint32_t>& before, std::uint32_t receive)
    {
        Deed deed{.kind = kind, .node = node, .tag = block.channel, .line = step.line};
        if (kind != Deed::Kind::work) {
            deed.peer = kind == Deed::Kind::send ? block.send : block.receive;
            if (deed.peer < 0 || deed.peer >= nodes_ || deed.peer == node)
                throw TraceFormatError(block.line, fmt::format("a step {} GPU {}, and this is one of {}",
                                                               kind == Deed::Kind::send ? "sends to" : "receives from",
                                                               deed.peer, node));
        }
        if (kind == Deed::Kind::send) {
            deed.step = step.sent_in;
            if (!deed.step)
                deed.packets = (step.count - 1) / in_packet() + 1;
        }
        if (before)
            deed.after.push_back(*before);
        before = static_cast<std::uint32_t>(deeds_.size());
        deeds_.push_back(std::move(deed));
        deeds_of_.push_back({node, &step, receive});
    }

    // Chunks.
    [[nodiscard]] std::uint64_t in_packet() const { return std::max<std::uint64_t>(limit_ / bytes_, 1); }

    void happen(std::uint32_t deed, Step step, std::uint32_t message)
    {
        const auto& [node, what, receive] = deeds_of_[deed];
        const StepKind& kind = *what->kind;
        if (deeds_[deed].kind == Deed::Kind::send) {
            carried_[deed] = kind.receives ? std::move(carried_[receive]) : read(node, what->from, *what);
            return record(deed, step);
        }
        std::vector<Piece> values;
        if (kind.receives) {
            values = std::move(carried_[message]);
            if (values.size() != what->count)
                throw TraceError(what->line,
                                 fmt::format("GPU {} receives {} where {} are sent, in line {}", node,
                                             counted(what->count, "chunk"), values.size(), deeds_[message].line));
            if (kind.adds)
                add(values, read(node, what->from, *what), node, *what);
        } else if (kind.stores) {
            values = read(node, what->from, *what);
            if (kind.adds)
                add(values, read(node, what->to, *what), node, *what);
        }
        if (kind.stores)
            for (std::size_t i = 0; i < values.size(); ++i)
                at(node, {what->to.buffer, what->to.offset + i}, *what) = values[i];
        if (kind.sends)
            carried_[deed] = std::move(values);
    }

    // Makes packets of the data sent; the data of one known step are one packet.
    void record(std::uint32_t deed, Step step)
    {
        const std::vector<Piece>& values = carried_[deed];
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto to = static_cast<NodeId>(deeds_[deed].peer);
            const NodeId from = deeds_[deed].node;
            const Step now = deeds_[deed].step ? step : step + static_cast<Step>(i / in_packet());
            Record*& last = last_[{from, to}];
            if (last == nullptr || last->step != now)
                last = &new_record(deed, from, to, now);
            std::vector<Piece>& pieces = last->pieces;
            const Piece& one = values[i];
            if (!pieces.empty() && pieces.back().offset + pieces.back().length == one.offset &&
                pieces.back().origin == one.origin && pieces.back().target == one.target &&
                same_sum(pieces.back(), one))
                pieces.back().length += one.length;
            else
                pieces.push_back(one);
        }
    }

    Record& new_record(std::uint32_t deed, NodeId from, NodeId to, Step step)
    {
        Record& one = records_.emplace_back();
        one.line = deeds_[deed].line;
        one.step = step;
        one.from = from;
        one.to = to;
        one.bytes = Record::left_out;
        one.has_to = one.has_pieces = true;
        return one;
    }

    // The place in memory: in place the input is a part of the output, or the output of the input.
    [[nodiscard]] Place real(NodeId node, Place place) const
    {
        if (!algo_.in_place || place.buffer == 's')
            return place;
        const char whole = outputs_ > inputs_ ? 'o' : 'i';
        const bool part = inputs_ != outputs_ && place.buffer != whole;
        return {whole, place.offset + (part ? node * of_message_ : 0)};
    }

    // An input's value at the start.
    [[nodiscard]] Value initial(NodeId node, Place place) const
    {
        const bool is_part = algo_.in_place && outputs_ > inputs_ && place.buffer == 'o';
        if (!is_part && place.buffer != 'i')
            return {};
        const std::uint64_t begin = is_part ? node * of_message_ : 0;
        const std::uint64_t end = begin + inputs_ * of_message_;
        if (place.offset < begin || place.offset >= end)
            return {};
        if (of_.before.nodes == Who::root && node != question_.problem.root)
            return {};
        const std::uint64_t chunk = place.offset - begin;
        Piece piece{{}, {}, chunk % of_message_ * bytes_, bytes_, nullptr};
        if (reduces_)
            piece.sum_of = own_[node];
        else
            piece.origin = node;
        if (inputs_ > 1)
            piece.target = static_cast<NodeId>(chunk / of_message_);
        return piece;
    }

    // The value that a node's output must have in the end.
    [[nodiscard]] Value demanded(NodeId node, std::uint64_t chunk) const
    {
        if (of_.after.nodes == Who::root && node != question_.problem.root)
            return {};
        Piece piece{{}, {}, chunk % of_message_ * bytes_, bytes_, nullptr};
        if (reduces_)
            piece.sum_of = everybody_;
        else
            piece.origin = outputs_ > 1 ? static_cast<NodeId>(chunk / of_message_) : question_.problem.root;
        if (inputs_ > 1)
            piece.target = node;
        return piece;
    }

    Value& at(NodeId node, Place place, const XmlStep& step)
    {
        const XmlGpu& gpu = algo_.gpus.at(node);
        const std::size_t buffer = place.buffer == 'i' ? 0 : place.buffer == 'o' ? 1 : 2;
        const std::uint64_t needed = buffer == 0 ? inputs_ * of_message_ : outputs_ * of_message_;
        if (place.offset >= (buffer == 2 ? gpu.chunks[2] : needed))
            throw TraceError(step.line, fmt::format("GPU {} has no chunk {} in its {}", node, place.offset,
                                                    buffer_name(place.buffer)));
        return value(node, place);
    }

    Value& value(NodeId node, Place place)
    {
        const Place there = real(node, place);
        const auto [found, is_new] = memory_[node].try_emplace(there);
        if (is_new)
            found->second = initial(node, there);
        return found->second;
    }

    std::vector<Piece> read(NodeId node, Place place, const XmlStep& step)
    {
        std::vector<Piece> values;
        for (std::uint64_t i = 0; i < step.count; ++i) {
            const Value& one = at(node, {place.buffer, place.offset + i}, step);
            if (!one)
                throw TraceError(step.line, fmt::format("GPU {} reads chunk {} of its {} before anything is there",
                                                        node, place.offset + i, buffer_name(place.buffer)));
            values.push_back(*one);
        }
        return values;
    }

    void add(std::vector<Piece>& values, const std::vector<Piece>& others, NodeId node, const XmlStep& step) const
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            Piece& one = values[i];
            const Piece& other = others[i];
            if (!reduces_ || one.target != other.target || one.offset != other.offset)
                throw TraceError(step.line, fmt::format("GPU {} adds chunks of different messages", node));
            if (const auto twice = one.sum_of->first_common(*other.sum_of))
                throw TraceError(step.line, fmt::format("GPU {} counts GPU {}'s contribution twice", node, *twice));
            auto sum = std::make_shared<Contributors>(*one.sum_of);
            sum->unite(*other.sum_of);
            one.sum_of = std::move(sum);
        }
    }

    void require_outputs()
    {
        for (NodeId node = 0; node < nodes_; ++node)
            for (std::uint64_t chunk = 0; chunk < outputs_ * of_message_; ++chunk) {
                const Value expected = demanded(node, chunk);
                const Value& found = value(node, {'o', chunk});
                if (expected && !(found && *found == *expected))
                    throw TraceError(0, fmt::format("at the end chunk {} of GPU {}'s output {}", chunk, node,
                                                    found ? "is another one, or not the sum of all" : "is not there"));
            }
    }

    const XmlAlgo& algo_;
    const TraceQuestion& question_;
    const CollectiveTraits& of_;
    NodeId nodes_;
    bool reduces_;
    std::uint64_t inputs_ = 1;  // messages in a node's input, and in its output
    std::uint64_t outputs_ = 1;
    std::uint64_t of_message_ = 1;                // chunks
    std::uint64_t bytes_ = 1;                     // per chunk
    std::uint64_t limit_ = 1;                     // bytes per packet
    std::vector<std::map<Place, Value>> memory_;  // by node, of the places that were looked at
    std::shared_ptr<const Contributors> everybody_;
    std::vector<std::shared_ptr<const Contributors>> own_;
    std::vector<Deed> deeds_;
    std::vector<DeedOf> deeds_of_;
    std::vector<std::vector<Piece>> carried_;  // by sends, and by steps that receive and send
    std::deque<Record> records_;
    std::map<std::pair<NodeId, NodeId>, Record*> last_;  // by link
};

class Msccl : public ForeignSchedule {
public:
    explicit Msccl(TraceReader& trace)
    {
        XmlTags tags(trace);
        XmlItem item;
        while (tags.next(item))
            read(item);
        if (algo_.line == 0)
            throw TraceFormatError(1, "XML without <algo>: MSCCL's is read");
        for (auto& [node, gpu] : algo_.gpus)
            for (auto& [id, block] : gpu.blocks)
                put_steps(block);
    }

    [[nodiscard]] const std::optional<TraceQuestion>& header() const override { return header_; }

    [[nodiscard]] std::vector<Record> records(const TraceQuestion& question) const override
    {
        return Symbols(algo_, question).run();
    }

private:
    void read(const XmlItem& item)
    {
        if (item.name == "!--")
            return read_comment(item);
        if (item.name == "algo")
            return read_algo(item);
        if (item.name.starts_with('/') || item.name.starts_with('?'))
            return;
        if (algo_.line == 0)
            throw TraceFormatError(item.line, fmt::format("<{}> is not expected here: MSCCL's XML begins with <algo>",
                                                          shortened(item.name)));
        if (item.name == "gpu")
            read_gpu(item);
        else if (item.name == "tb" && gpu_ != nullptr)
            read_block(item);
        else if (item.name == "step" && block_ != nullptr)
            read_step(item);
        else
            throw TraceFormatError(item.line, fmt::format("<{}> is not expected here", shortened(item.name)));
    }

    void read_comment(const XmlItem& item)
    {
        constexpr std::string_view steps = "steps ";
        if (!header_ && gpu_ == nullptr) {
            try {
                header_ = parse_trace_header(item.comment);
            } catch (const TraceFormatError& error) {
                throw TraceFormatError(item.line, error.reason);
            }
        } else if (block_ != nullptr && item.comment.starts_with(steps)) {
            for (const std::string& step : split(std::string_view(item.comment).substr(steps.size()), " "))
                block_->sent_in.push_back(parsed_number<Step>(step).value_or(0));
        }
    }

    void read_algo(const XmlItem& item)
    {
        algo_.line = item.line;
        algo_.collective = text(item, "coll");
        algo_.gpu_count = count(item, "ngpus");
        algo_.per_loop = count(item, "nchunksperloop");
        algo_.in_place = has(item, "inplace", "1") && !has(item, "outofplace", "1");
    }

    void read_gpu(const XmlItem& item)
    {
        const std::uint64_t id = count(item, "id");
        if (id >= algo_.gpu_count || algo_.gpus.contains(static_cast<NodeId>(id)))
            throw TraceFormatError(item.line, fmt::format("GPU {}: 0 to {} are allowed, each once", id,
                                                          std::max<std::uint64_t>(algo_.gpu_count, 1) - 1));
        gpu_ = &algo_.gpus[static_cast<NodeId>(id)];
        gpu_->line = item.line;
        gpu_->chunks = {count(item, "i_chunks"), count(item, "o_chunks"), count(item, "s_chunks")};
        block_ = nullptr;
    }

    void read_block(const XmlItem& item)
    {
        const auto [found, is_new] = gpu_->blocks.try_emplace(static_cast<std::int64_t>(count(item, "id")));
        if (!is_new)
            throw TraceFormatError(item.line, fmt::format("thread block {} stands there twice", found->first));
        block_ = &found->second;
        *block_ = {item.line,
                   id_or_none(item, "send"),
                   id_or_none(item, "recv"),
                   static_cast<std::int64_t>(count(item, "chan")),
                   {},
                   {}};
    }

    void read_step(const XmlItem& item)
    {
        XmlStep step{.line = item.line};
        const std::string type = text(item, "type");
        const auto* const kind = std::ranges::find(step_kinds, type, &StepKind::type);
        if (kind == std::end(step_kinds))
            throw TraceFormatError(item.line, fmt::format("a step of type {}: s, r, rcs, rrs, rrc, rrcs, cpy, re and "
                                                          "nop are allowed",
                                                          dcube::quoted(type)));
        step.kind = kind;
        if (count(item, "s") != block_->steps.size())
            throw TraceFormatError(item.line, fmt::format("step {} of a thread block stands where {} is expected",
                                                          count(item, "s"), block_->steps.size()));
        step.from = place(item, "srcbuf", "srcoff");
        step.to = place(item, "dstbuf", "dstoff");
        step.count = type == "nop" ? 0 : count(item, "cnt");
        if (type != "nop" && (step.count == 0 || step.count > most_chunks_at_once))
            throw TraceFormatError(item.line,
                                   fmt::format("cnt is {}: 1 to {} are allowed", step.count, most_chunks_at_once));
        step.block = id_or_none(item, "depid");
        step.step = id_or_none(item, "deps");
        block_->steps.push_back(step);
    }

    static void put_steps(XmlBlock& block)
    {
        std::size_t sends = 0;
        for (XmlStep& step : block.steps)
            if (step.kind->sends && !block.sent_in.empty()) {
                if (sends == block.sent_in.size())
                    throw TraceFormatError(step.line, "the comment with the steps of this thread block has too few");
                step.sent_in = block.sent_in[sends++];
            }
    }

    static std::string text(const XmlItem& item, std::string_view key)
    {
        const auto found = item.attributes.find(key);
        if (found == item.attributes.end())
            throw TraceFormatError(item.line, fmt::format("<{}> has no {}", shortened(item.name), key));
        return found->second;
    }

    static bool has(const XmlItem& item, std::string_view key, std::string_view expected)
    {
        const auto found = item.attributes.find(key);
        return found != item.attributes.end() && found->second == expected;
    }

    static std::uint64_t count(const XmlItem& item, std::string_view key)
    {
        const std::string given = text(item, key);
        const auto number = parsed_number<std::uint32_t>(given);
        if (!number)
            throw TraceFormatError(item.line,
                                   fmt::format("{} is {}: a whole number is allowed", key, dcube::quoted(given)));
        return *number;
    }

    static std::int64_t id_or_none(const XmlItem& item, std::string_view key)
    {
        return text(item, key) == "-1" ? -1 : static_cast<std::int64_t>(count(item, key));
    }

    static Place place(const XmlItem& item, std::string_view buffer, std::string_view offset)
    {
        const std::string letter = text(item, buffer);
        if (letter != "i" && letter != "o" && letter != "s")
            throw TraceFormatError(item.line,
                                   fmt::format("{} is {}: i, o and s are allowed", buffer, dcube::quoted(letter)));
        if (text(item, offset) == "-1")  // where it says nothing
            return {letter.front(), 0};
        return {letter.front(), count(item, offset)};
    }

    std::optional<TraceQuestion> header_;
    XmlAlgo algo_;
    XmlGpu* gpu_ = nullptr;
    XmlBlock* block_ = nullptr;
};

}  // namespace

std::unique_ptr<ForeignSchedule> read_msccl(TraceReader& trace)
{
    if (!trimmed(trace.first_line()).starts_with('<'))
        return nullptr;
    return std::make_unique<Msccl>(trace);
}

}  // namespace dcube
