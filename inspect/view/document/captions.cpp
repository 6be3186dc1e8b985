#include "inspect/view/document/captions.hpp"

#include "inspect/explain/pages.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/one_block.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/titles.hpp"

#include <fmt/format.h>

#include <optional>

namespace dcube::view {

namespace {

Json part_json(const explain::Block& block)
{
    constexpr std::size_t longest_part = 2000;
    if (block.kind == explain::Block::Kind::paragraph)
        return clean(block.lines.front(), longest_part);
    Json lines = Json::array();
    for (const std::string& line : block.lines)
        lines.push_back(clean(line, longest_sentence));
    return lines;
}

}  // namespace

Json phases_json(const Film& film)
{
    Json phases = Json::array();
    for (const NamedStretch& one : stretches(film)) {
        Json phase{{"first", one.first}, {"last", one.last}, {"name", clean(one.name, longest_title)}};
        if (!one.dimensions.empty())
            phase["dimensions"] = one.dimensions;
        phases.push_back(std::move(phase));
    }
    return phases;
}

Json sentences_json(const Film& film)
{
    Json sentences = Json::array();
    if (film.timed())
        for (const TimedSentence& one : timed_sentences(film))
            sentences.push_back({{"at", one.at}, {"text", clean(one.text, longest_sentence)}});
    else
        for (const std::string& text : step_sentences(film))
            sentences.push_back(clean(text, longest_sentence));
    return sentences;
}

Json one_block_json(const Film& film)
{
    const std::optional<OneBlock> one = one_block(film);
    if (!one)
        return nullptr;
    const auto node_json = [](std::optional<NodeId> node) { return node ? Json(*node) : Json(); };
    Json json{{"name", one->name},
              {"origin", node_json(one->ends.origin)},
              {"target", node_json(one->ends.target)},
              {"rows", one->rows},
              {"sentences", Json::array()}};
    for (const OneBlock::Sentence& sentence : one->sentences)
        json["sentences"].push_back({{"at", sentence.at}, {"text", clean(sentence.text, longest_sentence)}});
    return json;
}

Json why_json(const Film& film)
{
    const Recording& recording = film.recording;
    if (recording.algorithm == nullptr || recording.algorithm->origin == Origin::own || !recording.report ||
        recording.ending || recording.transmissions == 0)
        return nullptr;
    Json json{{"title", fmt::format("Why {}?", amount_text(recording, reached(recording)))}, {"parts", Json::array()}};
    const explain::Page page =
        explain::reasons_page(*recording.algorithm, {recording.topology, recording.ports, recording.problem});
    for (const explain::Section& section : page.sections)
        for (const explain::Block& block : section.blocks)
            json["parts"].push_back(part_json(block));
    return json;
}

}  // namespace dcube::view
