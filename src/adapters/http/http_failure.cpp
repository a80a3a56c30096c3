#include "adapters/http/http_failure.h"

#include <fmt/format.h>

namespace gpumedic::adapters::http {

using base::ErrorCode;
using Again = HttpFailure::Again;

HttpFailure failure_of(CURLcode code, const char* message, const Server& server, const HttpRequest& request,
                       const HttpAnswer& so_far) {
    const std::string said = message[0] != '\0' ? message : curl_easy_strerror(code);
    const auto make = [&](ErrorCode kind, std::string what, Again again, std::string help = {}) {
        return HttpFailure{{kind, std::move(what), server.url, std::move(help)}, so_far.body_bytes, again};
    };
    switch (code) {
        case CURLE_OPERATION_TIMEDOUT:
            return make(ErrorCode::timed_out,
                        so_far.body_bytes > 0 ? fmt::format("no whole answer within {} ms ({} bytes came)",
                                                            request.timeout.count(), so_far.body_bytes)
                                              : fmt::format("no answer within {} ms", request.timeout.count()),
                        Again::useless);
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_ISSUER_ERROR:
            return make(ErrorCode::unreachable, "the server's certificate is not trusted: " + said, Again::useless,
                        fmt::format("Check the certificate authority and tls-server-name of {}.", server.origin));
        case CURLE_SSL_CACERT_BADFILE:
            return make(ErrorCode::malformed, "the certificate authority cannot be read: " + said, Again::useless,
                        fmt::format("Check the certificate authority of {}.", server.origin));
        case CURLE_SSL_CERTPROBLEM:
            return make(ErrorCode::unauthorised, "our client certificate cannot be used: " + said, Again::useless,
                        fmt::format("Check client certificate and key of {}.", server.origin));
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
            return make(ErrorCode::malformed, "the server's address cannot be used: " + said, Again::useless,
                        fmt::format("Check server of {}.", server.origin));
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_CONNECT:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PROXY: return make(ErrorCode::unreachable, "no connection to the server: " + said, Again::may_help);
        case CURLE_BAD_CONTENT_ENCODING:
            return make(ErrorCode::malformed, "the answer cannot be unpacked: " + said, Again::useless);
        default: break;
    }
    if (so_far.body_bytes > 0 || code == CURLE_PARTIAL_FILE) {
        return make(ErrorCode::malformed,
                    fmt::format("the answer was cut off after {} bytes: {}", so_far.body_bytes, said), Again::may_help);
    }
    return make(ErrorCode::unreachable, "the connection to the server was lost: " + said, Again::may_help);
}

}  // namespace gpumedic::adapters::http
