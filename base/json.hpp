#pragma once
// nlohmann's JSON, whose code is made once, in json.cpp: it takes seconds to compile wherever it is instantiated.

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
