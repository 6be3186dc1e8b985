#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dcube {

namespace {

// These control characters enclose a key in a sentence; they never occur in text.
constexpr char begin_of_key = '\x01';
constexpr char end_of_key = '\x02';

std::string itself(std::string_view key)
{
    return std::string(key);
}

// The reason behind the key and the value, if they are known.
std::string line(std::string_view about, std::string_view given, std::string_view why, bool is_sentence,
                 const InvalidArgument::Name& name_of)
{
    std::string text;
    if (!about.empty())
        text = name_of(about) + (is_sentence ? ": " : " ");
    if (!given.empty())
        text.append(given).append(" ");
    return text + named(why, name_of);
}

}  // namespace

std::string mention(std::string_view key)
{
    return fmt::format("{}{}{}", begin_of_key, key, end_of_key);
}

std::vector<SentencePart> parts_of(std::string_view sentence)
{
    std::vector<SentencePart> parts;
    while (!sentence.empty()) {
        const bool is_key = sentence.front() == begin_of_key;
        const std::size_t begin = is_key ? 1 : 0;
        const std::size_t end = std::min(sentence.find(is_key ? end_of_key : begin_of_key, begin), sentence.size());
        parts.push_back({is_key, sentence.substr(begin, end - begin)});
        sentence.remove_prefix(std::min(is_key ? end + 1 : end, sentence.size()));
    }
    return parts;
}

std::string named(std::string_view sentence, const InvalidArgument::Name& name_of)
{
    std::string words;
    for (const auto& [is_key, text] : parts_of(sentence))
        words += is_key ? name_of(text) : std::string(text);
    return words;
}

InvalidArgument::InvalidArgument(std::string_view sentence)
    : Error(named(sentence, itself)), why(sentence), is_sentence(true)
{
}

InvalidArgument::InvalidArgument(std::string_view key, std::string_view value, std::string_view reason)
    : Error(line(key, value, reason, false, itself)), about(key), given(value), why(reason), is_sentence(false)
{
}

InvalidArgument::InvalidArgument(std::string_view key, std::string_view sentence)
    : InvalidArgument(key, InvalidArgument(sentence))
{
}

InvalidArgument::InvalidArgument(std::string_view key, const InvalidArgument& error)
    : Error(line(error.about.empty() ? key : error.about, error.given, error.why, error.is_sentence, itself)),
      about(error.about.empty() ? key : error.about), given(error.given), why(error.why), is_sentence(error.is_sentence)
{
}

std::string InvalidArgument::at_its_place(const Name& name_of) const
{
    return line("", given, why, is_sentence, name_of);
}

std::string InvalidArgument::sentence(const Name& name_of) const
{
    return line(about, given, why, is_sentence, name_of);
}

std::string_view name(Rule rule)
{
    switch (rule) {
    case Rule::no_such_port: return "no-such-port";
    case Rule::link_busy: return "link-busy";
    case Rule::second_send: return "second-send";
    case Rule::second_receive: return "second-receive";
    case Rule::channel_full: return "channel-full";
    case Rule::nothing_arrived: return "nothing-arrived";
    case Rule::size_mismatch: return "size-mismatch";
    case Rule::never_received: return "never-received";
    case Rule::lent_bytes_changed: return "lent-bytes-changed";
    case Rule::deadlock: return "deadlock";
    case Rule::time_overflow: return "time-overflow";
    case Rule::too_many_steps: return "too-many-steps";
    case Rule::not_together: return "not-together";
    case Rule::task_not_awaited: return "task-not-awaited";
    case Rule::no_such_task: return "no-such-task";
    case Rule::packet_lost: return "packet-lost";
    case Rule::stray_packet: return "stray-packet";
    }
    return "unknown-rule";
}

RuleViolation::RuleViolation(Rule broken, std::uint32_t in_step, std::uint32_t at_node, std::uint32_t at_port,
                             std::string reason)
    : Error(fmt::format("{} in step {} at node {}{}: {}", dcube::name(broken), in_step, at_node,
                        at_port == no_port ? std::string() : fmt::format(", port {}", at_port), reason)),
      rule(broken), step(in_step), node(at_node), port(at_port), detail(std::move(reason))
{
}

ProgramError::ProgramError(std::uint32_t in_step, std::uint32_t at_node, std::string reason)
    : Error(fmt::format("the program of node {} failed in step {}: {}", at_node, in_step, reason)), step(in_step),
      node(at_node), detail(std::move(reason))
{
}

}  // namespace dcube
