#pragma once
// The pages that explain tells: of an algorithm, a collective, a bound, a word.

#include "explain/case.hpp"
#include "explain/page.hpp"
#include "explain/texts/texts.hpp"

#include <optional>

namespace dcube::explain {

/// `one` is what the numbers are for; the steps shown are of a small case of its own. Runs that.
Page algorithm_page(const Algorithm& algorithm, const Case& one);

/// The same without the small case and what to try: what is told after a run.
Page run_page(const Algorithm& algorithm, const Case& one);

Page collective_page(const Case& one);

/// On the bound's own example, or on the case if one is given. Throws InvalidArgument if the bound says nothing of it.
Page bound_page(const BoundText& bound, const std::optional<Case>& given);

Page word_page(const WordText& word);

/// The proof of the least steps or, on links that take time, of the least time.
Proof proof_of(const Case& one);

}  // namespace dcube::explain
