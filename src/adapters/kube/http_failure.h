// What a transport error of libcurl means for the person who has to act. Pure.
#pragma once

#include <curl/curl.h>

#include "adapters/kube/http.h"

namespace gpumedic::adapters::kube {

[[nodiscard]] HttpFailure failure_of(CURLcode code, const char* message, const Access& access,
                                     const HttpRequest& request, const HttpAnswer& so_far);

}  // namespace gpumedic::adapters::kube
