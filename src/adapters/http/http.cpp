#include "adapters/http/http.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "adapters/http/http_failure.h"
#include "adapters/http/server_address.h"
#include "base/text.h"

namespace gpumedic::adapters::http {

using base::ErrorCode;
using ports::Flow;

namespace {

constexpr std::size_t kMaxErrorBody = 64 * 1024;
constexpr std::size_t kIdleConnections = 4;

struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListDeleter>;

void add_line(HeaderList& list, const std::string& line) {
    if (curl_slist* longer = curl_slist_append(list.get(), line.c_str()); longer != nullptr) {
        // The longer list begins with the same node: nothing may be freed here.
        if (list == nullptr) list.reset(longer);
    }
}

/// Where distributions keep the authorities: libcurl knows only the place of the one it was built on.
const char* system_authorities() {
    constexpr std::array<const char*, 4> kBundles{"/etc/ssl/certs/ca-certificates.crt",
                                                  "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                                  "/etc/ssl/cert.pem"};
    const auto found =
        std::find_if(kBundles.begin(), kBundles.end(), [](const char* path) { return ::access(path, R_OK) == 0; });
    return found == kBundles.end() ? nullptr : *found;
}

/// libcurl keeps no copy: the text must outlive the exchange.
void set_blob(CURL* easy, CURLoption option, const std::string& text) {
    curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_NOCOPY};  // NOLINT(*-const-cast): C interface
    curl_easy_setopt(easy, option, &blob);
}

}  // namespace

/// One connection (or a few, which libcurl keeps) that serves one call at a time.
struct Http::Slot {
    CURLM* multi{curl_multi_init()};
    CURL* easy{curl_easy_init()};
    Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() {
        curl_easy_cleanup(easy);
        curl_multi_cleanup(multi);
    }
};

struct Http::Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<Slot>> idle;
};

Http::Http(Server server) : server_(std::move(server)), pool_(std::make_unique<Pool>()) {
    curl_global_init(CURL_GLOBAL_DEFAULT);  // counted and, since 7.84, thread-safe
}

Http::~Http() {
    pool_.reset();
    curl_global_cleanup();
}

std::unique_ptr<Http::Slot> Http::borrow() {
    const std::scoped_lock lock(pool_->mutex);
    if (pool_->idle.empty()) return std::make_unique<Slot>();
    auto slot = std::move(pool_->idle.back());
    pool_->idle.pop_back();
    return slot;
}

void Http::give_back(std::unique_ptr<Slot> slot) {
    const std::scoped_lock lock(pool_->mutex);
    if (pool_->idle.size() < kIdleConnections) pool_->idle.push_back(std::move(slot));
}

/// The state of one request while libcurl works on it.
class Http::Exchange {
public:
    Exchange(Slot& slot, const Server& server, const HttpRequest& request, const Secret& secret, const BodySink& sink)
        : slot_(slot), server_(server), request_(request), secret_(secret), sink_(sink) {}

    tl::expected<HttpAnswer, HttpFailure> run() {
        curl_easy_reset(slot_.easy);
        set_address();
        set_trust();
        set_limits();
        const CURLcode code = transfer();
        curl_easy_getinfo(slot_.easy, CURLINFO_RESPONSE_CODE, &answer_.status);
        if (cancelled_) return failed({ErrorCode::cancelled, "stopped", server_.url, {}}, HttpFailure::Again::useless);
        if (too_large_) {
            return failed({ErrorCode::too_large,
                           fmt::format("the answer is larger than {} bytes", request_.max_bytes),
                           server_.url,
                           {}},
                          HttpFailure::Again::useless);
        }
        if (code == CURLE_OK || answer_.end == HttpAnswer::End::stopped_by_sink) return finished();
        return tl::make_unexpected(failure_of(code, message_.data(), server_, request_, answer_));
    }

private:
    tl::expected<HttpAnswer, HttpFailure> finished() {
        curl_off_t seconds = 0;
        if (curl_easy_getinfo(slot_.easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
            answer_.retry_after = std::chrono::seconds(seconds);
        }
        return answer_;
    }

    [[nodiscard]] tl::unexpected<HttpFailure> failed(base::Error error, HttpFailure::Again again) const {
        return tl::make_unexpected(HttpFailure{std::move(error), answer_.body_bytes, again});
    }

    void set_address() {
        const auto address = split_server(server_.url);
        const bool renamed = !server_.tls_server_name.empty() && address.scheme == "https";
        // libcurl checks the certificate against the name in the URL: the URL names it, and the connection goes where
        // the server is.
        const std::string host = renamed ? server_.tls_server_name : address.host;
        url_ = fmt::format("{}://{}:{}{}{}", address.scheme, host, address.port, address.prefix, request_.path);
        curl_easy_setopt(slot_.easy, CURLOPT_URL, url_.c_str());
        if (renamed) {
            add_line(connect_to_, fmt::format("{}:{}:{}:{}", host, address.port, address.host, address.port));
            curl_easy_setopt(slot_.easy, CURLOPT_CONNECT_TO, connect_to_.get());
            add_line(headers_, fmt::format("Host: {}:{}", address.host, address.port));
        }
        add_line(headers_, "Accept: " + request_.accept);
        if (!secret_.authorization.empty()) add_line(headers_, "Authorization: " + secret_.authorization);
        curl_easy_setopt(slot_.easy, CURLOPT_HTTPHEADER, headers_.get());
        curl_easy_setopt(slot_.easy, CURLOPT_USERAGENT, "gpumedic");
        curl_easy_setopt(slot_.easy, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(slot_.easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(slot_.easy, CURLOPT_ACCEPT_ENCODING, "gzip");
        if (!server_.proxy_url.empty()) curl_easy_setopt(slot_.easy, CURLOPT_PROXY, server_.proxy_url.c_str());
    }

    void set_trust() {
        const bool verified = server_.trust == Server::Trust::verified;
        curl_easy_setopt(slot_.easy, CURLOPT_SSL_VERIFYPEER, verified ? 1L : 0L);
        curl_easy_setopt(slot_.easy, CURLOPT_SSL_VERIFYHOST, verified ? 2L : 0L);
        curl_easy_setopt(slot_.easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
        if (const auto* bundle = system_authorities(); server_.ca.empty() && bundle != nullptr)
            curl_easy_setopt(slot_.easy, CURLOPT_CAINFO, bundle);
        if (!server_.ca.empty()) {
            // Without these two the system's authorities would be trusted beside the cluster's own.
            curl_easy_setopt(slot_.easy, CURLOPT_CAPATH, nullptr);
            curl_easy_setopt(slot_.easy, CURLOPT_CAINFO, nullptr);
            set_blob(slot_.easy, CURLOPT_CAINFO_BLOB, server_.ca);
        }
        if (!secret_.certificate.empty()) {
            curl_easy_setopt(slot_.easy, CURLOPT_SSLCERTTYPE, "PEM");
            curl_easy_setopt(slot_.easy, CURLOPT_SSLKEYTYPE, "PEM");
            set_blob(slot_.easy, CURLOPT_SSLCERT_BLOB, secret_.certificate);
            set_blob(slot_.easy, CURLOPT_SSLKEY_BLOB, secret_.key);
        }
    }

    void set_limits() {
        const auto timeout = std::max<std::int64_t>(1, request_.timeout.count());
        curl_easy_setopt(slot_.easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout));
        curl_easy_setopt(slot_.easy, CURLOPT_CONNECTTIMEOUT_MS,
                         static_cast<long>(std::min<std::int64_t>(timeout, 5000)));
        curl_easy_setopt(slot_.easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(slot_.easy, CURLOPT_TCP_KEEPALIVE, 1L);
        curl_easy_setopt(slot_.easy, CURLOPT_ERRORBUFFER, message_.data());
        curl_easy_setopt(slot_.easy, CURLOPT_WRITEFUNCTION, &Exchange::on_body);
        curl_easy_setopt(slot_.easy, CURLOPT_WRITEDATA, this);
    }

    CURLcode transfer() {
        if (curl_multi_add_handle(slot_.multi, slot_.easy) != CURLM_OK) return CURLE_FAILED_INIT;
        const std::stop_callback wake(request_.stop, [this] { curl_multi_wakeup(slot_.multi); });
        CURLcode code = CURLE_FAILED_INIT;
        int running = 1;
        while (running > 0) {
            if (request_.stop.stop_requested()) {
                cancelled_ = true;
                break;
            }
            if (curl_multi_perform(slot_.multi, &running) != CURLM_OK) break;
            if (running > 0) curl_multi_poll(slot_.multi, nullptr, 0, 1000, nullptr);
        }
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(slot_.multi, &left)) {
            if (message->msg == CURLMSG_DONE) code = message->data.result;
        }
        curl_multi_remove_handle(slot_.multi, slot_.easy);
        return code;
    }

    static std::size_t on_body(const char* bytes, std::size_t size, std::size_t count, void* self) {
        return static_cast<Exchange*>(self)->take({bytes, size * count});
    }

    std::size_t take(std::string_view piece) {
        if (answer_.status == 0) curl_easy_getinfo(slot_.easy, CURLINFO_RESPONSE_CODE, &answer_.status);
        if (answer_.status < 200 || answer_.status > 299) {
            const auto room = kMaxErrorBody - std::min(kMaxErrorBody, answer_.error_body.size());
            answer_.error_body += piece.substr(0, room);
            return piece.size();
        }
        if (answer_.body_bytes + piece.size() > request_.max_bytes) {
            too_large_ = true;
            return 0;
        }
        answer_.body_bytes += piece.size();
        if (sink_(piece) == Flow::go_on) return piece.size();
        answer_.end = HttpAnswer::End::stopped_by_sink;
        return 0;
    }

    Slot& slot_;
    const Server& server_;
    const HttpRequest& request_;
    const Secret& secret_;
    const BodySink& sink_;
    HttpAnswer answer_{};
    HeaderList headers_;
    HeaderList connect_to_;
    std::string url_;
    std::array<char, CURL_ERROR_SIZE> message_{};
    bool too_large_{false};
    bool cancelled_{false};
};

tl::expected<HttpAnswer, HttpFailure> Http::get(const HttpRequest& request, const Secret& secret,
                                                const BodySink& sink) {
    auto slot = borrow();
    if (slot->multi == nullptr || slot->easy == nullptr) {
        return tl::make_unexpected(HttpFailure{{ErrorCode::unreadable, "libcurl could not be set up", {}, {}}, 0, {}});
    }
    auto answer = Exchange(*slot, server_, request, secret, sink).run();
    give_back(std::move(slot));
    return answer;
}

}  // namespace gpumedic::adapters::http
