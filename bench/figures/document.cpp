#include "bench/figures/document.hpp"

#include <fmt/format.h>

namespace figures {

std::string figure_text(const Figure& figure)
{
    const Claim& claim = *figure.claim;
    const std::string value = figure.value ? value_text(claim.unit, *figure.value) : "";
    const bool missed = figure.value && !is_met(claim, *figure.value).value_or(true);
    return fmt::format("{:>16}  {:<18}  {:<6}  {}{}", value, target_text(claim), missed ? "missed" : "", claim.what,
                       claim.in_readme.empty() ? "" : " [README]");
}

nlohmann::ordered_json figures_document(const std::vector<Figure>& all)
{
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const Figure& figure : all) {
        const Claim& claim = *figure.claim;
        nlohmann::ordered_json one{{"name", claim.name},
                                   {"what", claim.what},
                                   {"where", where(claim)},
                                   {"command", claim.command},
                                   {"unit", claim.unit.kept}};
        one["value"] = figure.value ? nlohmann::ordered_json(*figure.value) : nullptr;
        one["text"] = figure.value ? nlohmann::ordered_json(value_text(claim.unit, *figure.value)) : nullptr;
        one["target"] = claim.target ? nlohmann::ordered_json(target_text(claim)) : nullptr;
        const std::optional<bool> met = figure.value ? is_met(claim, *figure.value) : std::nullopt;
        one["met"] = met ? nlohmann::ordered_json(*met) : nullptr;
        figures.push_back(one);
    }
    return figures;
}

}  // namespace figures
