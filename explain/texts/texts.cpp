#include "explain/texts/texts.hpp"

#include <algorithm>

namespace dcube::explain {

const std::vector<AlgorithmText>& algorithm_texts()
{
    static const std::vector<AlgorithmText> all = [] {
        std::vector<AlgorithmText> texts = unit_cube_texts();
        for (auto family : {link_bound_texts, send_texts, matrix_texts, network_texts})
            std::ranges::move(family(), std::back_inserter(texts));
        return texts;
    }();
    return all;
}

const AlgorithmText& text_of(const Algorithm& algorithm)
{
    return matching(algorithm_texts(), algorithm);
}

const CollectiveText& text_of(Collective collective)
{
    return *std::ranges::find(collective_texts(), collective, &CollectiveText::collective);
}

}  // namespace dcube::explain
