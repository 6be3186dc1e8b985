#include <dcube/ports.hpp>

#include "base/names.hpp"

namespace dcube {

namespace {

constexpr Spelling<PortModel> port_spellings[] = {
    {PortModel::all, "all"}, {PortModel::all, "multiport"},   {PortModel::all, "MLA"},
    {PortModel::one, "one"}, {PortModel::one, "single-port"}, {PortModel::one, "SLA"},
};

}  // namespace

std::string_view name(PortModel ports)
{
    return name_of(port_spellings, ports);
}

PortModel parse_ports(std::string_view text)
{
    return parsed(port_spellings, text, "a port model");
}

}  // namespace dcube
