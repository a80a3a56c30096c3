// What a transport error of libcurl means for the person who has to act. Pure.
#pragma once

#include <curl/curl.h>

#include "adapters/http/http.h"

namespace gpumedic::adapters::http {

[[nodiscard]] HttpFailure failure_of(CURLcode code, const char* message, const Server& server,
                                     const HttpRequest& request, const HttpAnswer& so_far);

}  // namespace gpumedic::adapters::http
