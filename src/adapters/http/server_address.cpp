#include "adapters/http/server_address.h"

namespace gpumedic::adapters::http {

ServerAddress split_server(std::string_view url) {
    ServerAddress address;
    if (const auto end = url.find("://"); end != std::string_view::npos) {
        address.scheme = url.substr(0, end);
        url.remove_prefix(end + 3);
    }
    const auto slash = url.find('/');
    if (slash != std::string_view::npos) address.prefix = url.substr(slash);
    std::string_view authority = url.substr(0, slash);
    const auto bracket = authority.find(']');
    const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
    address.host = authority.substr(0, colon);
    address.port = colon == std::string_view::npos ? (address.scheme == "http" ? "80" : "443")
                                                   : std::string(authority.substr(colon + 1));
    return address;
}

}  // namespace gpumedic::adapters::http
