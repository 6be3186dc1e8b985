#pragma once
// The lab's results that nothing else has, as JSON (lab.hpp).

#include "inspect/explain/pages.hpp"
#include "run/field.hpp"
#include "web/lab/request.hpp"

#include <exception>
#include <string>

namespace dcube::lab {

/// Texts that are not UTF-8, such as names cut short in messages, are made so.
std::string written(const Json& json);

Json error_json(const std::exception_ptr& error);
Json page_json(const explain::Page& page);
Json network_json(const Topology& topology);
/// The choices that a form can offer.
Json catalogue_json();
/// The algorithms for a question, and which of them can do it.
Json list_of(const Question& question, bool with_bounds);

}  // namespace dcube::lab
