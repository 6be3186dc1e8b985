#include "web/lab/answers.hpp"

#include "run/recording.hpp"

#include <dcube/error.hpp>
#include <dcube/faults.hpp>

#include <new>
#include <stdexcept>

namespace dcube::lab {

std::string written(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

enum Exit : int { failed = 1, unusable = 2, interrupted = 130 };

Json error_record(std::string_view kind, std::string_view message, Exit exit)
{
    return {{"kind", kind},       {"message", message}, {"rule", nullptr},   {"step", nullptr},
            {"node", nullptr},    {"port", nullptr},    {"packet", nullptr}, {"key", nullptr},
            {"subject", nullptr}, {"why", nullptr},     {"run", 0},          {"exit", static_cast<int>(exit)}};
}

// "why" is the message for a form that shows it at the key's field: texts, and keys for which the form has names. The
// key is the "subject" of a message such as "is missing".
Json refusal_record(const InvalidArgument& error)
{
    Json record = error_record("input", error.what(), unusable);
    record["key"] = or_null(error.about);
    record["subject"] = !error.about.empty() && !error.is_sentence && error.given.empty();
    record["why"] = Json::array();
    const std::string why = error.at_its_place(mention);
    for (const SentencePart& part : parts_of(why))
        record["why"].push_back(part.is_key ? Json{{"key", part.text}} : Json(part.text));
    return record;
}

Json violation_record(const RuleViolation& error)
{
    Json record = error_record(error.rule == Rule::deadlock ? "deadlock" : "rule", error.what(), failed);
    record["rule"] = name(error.rule);
    record["step"] = error.step;
    record["node"] = error.node;
    if (error.port != RuleViolation::no_port)
        record["port"] = error.port;
    if (error.packet)
        record["packet"] = {{"sender", error.packet->sender}, {"step", error.packet->step}};
    return record;
}

}  // namespace

Json error_json(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const SecondRunFailed& second) {
        Json record = error_json(second.error);
        record["run"] = 1;
        return record;
    } catch (const InvalidArgument& error) {
        return refusal_record(error);
    } catch (const Interrupted& error) {
        return error_record("interrupted", error.what(), interrupted);
    } catch (const RuleViolation& error) {
        return violation_record(error);
    } catch (const ProgramError& error) {
        Json record = error_record("program", error.what(), failed);
        record["step"] = error.step;
        record["node"] = error.node;
        return record;
    } catch (const ImpossibleRun& error) {
        return error_record("impossible", error.what(), failed);
    } catch (const VerificationError& error) {
        Json record = error_record("verification", error.what(), failed);
        if (error.node)
            record["node"] = *error.node;
        return record;
    } catch (const std::bad_alloc&) {
        return error_record("memory", "out of memory", unusable);
    } catch (const std::length_error&) {  // more than any memory has
        return error_record("memory", "out of memory: more bytes were asked for than there are addresses", unusable);
    } catch (const std::exception& error) {
        return error_record("internal", error.what(), failed);
    } catch (...) {
        return error_record("internal", "an exception of another kind", failed);
    }
}

namespace {

std::string_view name(explain::Block::Kind kind)
{
    switch (kind) {
    case explain::Block::Kind::paragraph: return "paragraph";
    case explain::Block::Kind::lines: return "lines";
    case explain::Block::Kind::rows: return "rows";
    case explain::Block::Kind::proof: return "proof";
    }
    return "";
}

Json block_json(const explain::Block& block)
{
    Json json{{"kind", name(block.kind)}};
    if (block.rows.empty()) {
        json["lines"] = block.lines;
        return json;
    }
    json["rows"] = Json::array();
    for (const explain::ProofLine& row : block.rows)
        json["rows"].push_back(Json::array({row.words, row.number}));
    return json;
}

}  // namespace

Json page_json(const explain::Page& page)
{
    Json json{{"title", page.title}, {"sections", Json::array()}};
    for (const explain::Section& section : page.sections) {
        Json one{{"heading", section.heading}, {"blocks", Json::array()}};
        for (const explain::Block& block : section.blocks)
            one["blocks"].push_back(block_json(block));
        json["sections"].push_back(std::move(one));
    }
    return json;
}

Json network_json(const Topology& topology)
{
    return {{"topology", topology.name()},
            {"title", topology.title()},
            {"nodes", topology.members()},
            {"links", topology.directed_links() / 2},
            {"missing", or_null(to_string(topology.faults()))},
            {"dimensions", topology.dimension()},
            {"ports", topology.max_ports()}};
}

}  // namespace dcube::lab
