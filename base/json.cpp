// The code of nlohmann's JSON, once for all (packaging/cmake/precompiled.hpp): it takes seconds to compile wherever it is used.

#include <nlohmann/json.hpp>

template class nlohmann::basic_json<>;
template class nlohmann::basic_json<nlohmann::ordered_map>;
