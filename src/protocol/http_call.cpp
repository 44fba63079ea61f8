#include "protocol/http_call.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "protocol/kif_text.h"
#include "util/contract.h"

namespace stratagem::protocol {

using player::Seconds;

namespace {

// The library wants to be told once, before threads begin.
void begin_library() {
    static const CURLcode begun = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (begun != CURLE_OK) throw std::runtime_error(curl_easy_strerror(begun));
}

long milliseconds(Seconds time) {
    constexpr double most = 1e9;  // eleven days; the library counts in 32 bits in places
    return static_cast<long>(std::clamp(time.count() * 1000, 1.0, most));
}

std::string seconds_text(Seconds time) { return fmt::format("{:.3g} s", time.count()); }

// The answer as it comes in: what its head says of its length, and where it ends.
class Answer {
  public:
    enum class Fault { none, long_head, long_body };

    // A line of the head. False: stop.
    bool take_head(std::string_view line) {
        head_size_ += line.size();
        if (head_size_ > longest_answer_head) {
            fault_ = Fault::long_head;
            return false;
        }
        if (line.starts_with("HTTP/")) {
            // Before the head of the answer there may be some that only tell to go on (100).
            const std::size_t blank = line.find(' ');
            interim_ = blank != std::string_view::npos && trimmed(line.substr(blank)).starts_with('1');
            length_.reset();
            in_head_ = true;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            in_head_ = interim_ || !trimmed(line).empty();
            // Nothing will follow, so nothing is waited for.
            if (!in_head_ && length_ == 0U) complete_ = true;
            return true;
        }
        const std::string name = lower_case(trimmed(line.substr(0, colon)));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (name == "transfer-encoding") chunked_ = true;
        if (name == "content-length") read_length(value);
        if (chunked_) length_.reset();
        return true;
    }

    // False: stop.
    bool take_body(std::string_view data) {
        for (const char c : data) {
            if (complete_) break;
            if (text_.size() == longest_answer) {
                fault_ = Fault::long_body;
                return false;
            }
            text_ += c;
            note_parentheses(c);
            // Some count letters, or what they had before they added spaces: a list is not over before its end.
            complete_ = length_ && text_.size() >= *length_ && depth_ <= 0;
        }
        return true;
    }

    bool begun() const { return head_size_ > 0 || !text_.empty(); }
    bool complete() const { return complete_; }
    // Its head or a list in it has begun and not ended.
    bool open() const { return in_head_ || depth_ > 0; }
    bool in_head() const { return in_head_; }
    Fault fault() const { return fault_; }
    std::optional<std::size_t> length() const { return length_; }
    std::string& text() { return text_; }

  private:
    void read_length(std::string_view value) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
        if (error == std::errc{} && end == value.data() + value.size()) length_ = length;
    }

    // Those in strings and comments do not count: some players explain their moves.
    void note_parentheses(char c) {
        if (remark_) {
            remark_ = c != '\n' && c != '\r';
        } else if (c == '"' && last_ != '\\') {
            quoted_ = !quoted_;
        } else if (!quoted_) {
            remark_ = c == ';';
            if (c == '(') ++depth_;
            if (c == ')') --depth_;
        }
        last_ = c;
    }

    std::size_t head_size_ = 0;
    bool in_head_ = false;
    bool interim_ = false;
    std::optional<std::size_t> length_;
    bool chunked_ = false;
    std::string text_;
    int depth_ = 0;
    bool quoted_ = false;
    bool remark_ = false;
    char last_ = 0;
    bool complete_ = false;
    Fault fault_ = Fault::none;
};

std::size_t on_head(char* data, std::size_t size, std::size_t count, void* answer) {
    const std::string_view line(data, size * count);
    return static_cast<Answer*>(answer)->take_head(line) ? line.size() : 0;
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* answer) {
    const std::string_view text(data, size * count);
    return static_cast<Answer*>(answer)->take_body(text) ? text.size() : 0;
}

}  // namespace

class HttpCall::Transfer {
  public:
    Transfer() {
        begin_library();
        easy_.reset(curl_easy_init());
        multi_.reset(curl_multi_init());
        if (!easy_ || !multi_) throw std::runtime_error("HTTP cannot be spoken: no memory");
    }
    ~Transfer() {
        if (added_) curl_multi_remove_handle(multi_.get(), easy_.get());
    }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    CallResult run(const PlayerAddress& address, const std::vector<std::string>& fields, const std::string& message,
                   Seconds patience, Seconds connect) {
        STRATAGEM_EXPECTS(!added_);
        address_ = address;
        patience_ = patience;
        connect_ = std::min(patience, connect);
        const Deadline deadline = Deadline::after(patience);
        prepare(fields, message);
        for (;;) {
            if (aborted_.load()) return {CallResult::Kind::aborted, 0, {}, "aborted", false};
            int running = 0;
            const CURLMcode code = curl_multi_perform(multi_.get(), &running);
            if (code != CURLM_OK) return failure(curl_multi_strerror(code));
            if (answer_.complete()) return answered();
            if (running == 0) return ended();
            if (deadline.expired()) return out_of_time();
            wait(deadline);
        }
    }

    void abort() {
        aborted_.store(true);
        curl_multi_wakeup(multi_.get());
    }

  private:
    // The first two are pointers to the same type for the compiler.
    struct ReleaseEasy {
        void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
    };
    struct ReleaseMulti {
        void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
    };
    struct ReleaseList {
        void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    };

    template <typename Value>
    void set(CURLoption option, Value value) {
        const CURLcode code = curl_easy_setopt(easy_.get(), option, value);
        if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
    }

    void prepare(const std::vector<std::string>& fields, const std::string& message) {
        set(CURLOPT_URL, fmt::format("http://{}/", address_.text()).c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
        set(CURLOPT_PROTOCOLS_STR, "http");
#else
        set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP));
#endif
        // Players are spoken to directly, whatever the environment says of proxies.
        set(CURLOPT_PROXY, "");
        set(CURLOPT_NOSIGNAL, 1L);
        // Version 1.0 like the common managers, which every player has been tried with: nothing is chunked or kept
        // open.
        set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_0));
        set(CURLOPT_HTTP09_ALLOWED, 1L);
        set(CURLOPT_IGNORE_CONTENT_LENGTH, 1L);  // see Answer
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(connect_));
#if LIBCURL_VERSION_NUM >= 0x075700
        // Looking a name up cannot be ended, only left alone; without this, everybody would wait for it in the end.
        set(CURLOPT_QUICK_EXIT, 1L);
#endif
        curl_slist* list = nullptr;
        for (const std::string& field : fields) {
            curl_slist* longer = curl_slist_append(list, field.c_str());
            if (longer != nullptr) list = longer;
        }
        fields_.reset(list);
        set(CURLOPT_HTTPHEADER, fields_.get());
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(message.size()));
        set(CURLOPT_COPYPOSTFIELDS, message.c_str());
        set(CURLOPT_HEADERFUNCTION, &on_head);
        set(CURLOPT_HEADERDATA, &answer_);
        set(CURLOPT_WRITEFUNCTION, &on_body);
        set(CURLOPT_WRITEDATA, &answer_);
        set(CURLOPT_ERRORBUFFER, details_.data());
        added_ = curl_multi_add_handle(multi_.get(), easy_.get()) == CURLM_OK;
        if (!added_) throw std::runtime_error("HTTP cannot be spoken: no memory");
    }

    // For news, an abort, or the end of time.
    void wait(Deadline deadline) {
        constexpr std::chrono::milliseconds longest{1000};
        const auto rest = std::chrono::ceil<std::chrono::milliseconds>(
            std::min<Deadline::Clock::duration>(deadline.remaining(), longest));
        curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(rest.count()), nullptr);
    }

    CallResult answered() {
        long status = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
        CallResult result;
        result.kind = CallResult::Kind::answered;
        result.status = static_cast<int>(status);
        result.text = std::move(answer_.text());
        return result;
    }

    CallResult failure(std::string problem) const {
        return {CallResult::Kind::failed, 0, {}, std::move(problem), !reached(CURLINFO_CONNECT_TIME_T)};
    }

    bool reached(CURLINFO moment) const {
        curl_off_t after = 0;
        curl_easy_getinfo(easy_.get(), moment, &after);
        return after > 0;
    }

    CallResult out_of_time() {
        if (!reached(CURLINFO_CONNECT_TIME_T)) return failure(no_connection(patience_));
        CallResult result{
            CallResult::Kind::late, 0, {}, fmt::format("no answer within {}", seconds_text(patience_)), false};
        if (!answer_.begun()) return result;
        result.problem =
            fmt::format("no complete answer within {}: {} bytes", seconds_text(patience_), answer_.text().size());
        if (answer_.length()) result.problem += fmt::format(" of {}", *answer_.length());
        return result;
    }

    std::string no_connection(Seconds time) const {
        if (!reached(CURLINFO_NAMELOOKUP_TIME_T)) {
            return fmt::format("the name {} could not be looked up within {}", address_.host, seconds_text(time));
        }
        return fmt::format("no connection to {} within {}", address_.text(), seconds_text(time));
    }

    CallResult ended() {
        int left = 0;
        const CURLMsg* message = curl_multi_info_read(multi_.get(), &left);
        const CURLcode code = message != nullptr ? message->data.result : CURLE_GOT_NOTHING;
        if (answer_.fault() == Answer::Fault::long_head) {
            return failure(fmt::format("the head of its answer is longer than {} KB", longest_answer_head >> 10));
        }
        if (answer_.fault() == Answer::Fault::long_body) {
            return failure(fmt::format("its answer is longer than {} KB", longest_answer >> 10));
        }
        // What was said before a connection broke has been said, unless its end is missing.
        const bool broken = code == CURLE_RECV_ERROR || code == CURLE_PARTIAL_FILE;
        if (broken && !answer_.text().empty() && !answer_.open()) return answered();
        if (code == CURLE_OK && !answer_.in_head()) return answered();
        return failure(words(code == CURLE_OK ? CURLE_PARTIAL_FILE : code));
    }

    std::string words(CURLcode code) const {
        switch (code) {
            case CURLE_COULDNT_RESOLVE_HOST:
                return fmt::format("the name {} cannot be resolved", address_.host);
            case CURLE_COULDNT_CONNECT:
                return refusal();
            case CURLE_OPERATION_TIMEDOUT:
                return no_connection(connect_);
            case CURLE_GOT_NOTHING:
                return "closed the connection without an answer";
            case CURLE_SEND_ERROR:
                return "closed the connection before it had read the message";
            case CURLE_PARTIAL_FILE:
                return broken_off();
            case CURLE_RECV_ERROR:
                // Said also of chunks that are none, and then it is nothing that the system knows of.
                return system_error() ? broken_off() : not_understood(code);
            case CURLE_OUT_OF_MEMORY:  // which the library says of a line it has no room for
                return "the head of its answer has a line without end";
            default:
                return not_understood(code);
        }
    }

    std::string broken_off() const {
        return answer_.begun() ? "closed the connection in the middle of its answer"
                               : "closed the connection without an answer";
    }

    std::string not_understood(CURLcode code) const {
        const std::string_view details = details_.data();
        return fmt::format("its answer cannot be understood: {}",
                           one_line(details.empty() ? curl_easy_strerror(code) : details));
    }

    std::error_code system_error() const {
        long number = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &number);
        return {static_cast<int>(number), std::generic_category()};
    }

    std::string refusal() const {
        const std::error_code error = system_error();
        if (error == std::errc::connection_refused) {
            return fmt::format("connection refused: nobody listens at {}", address_.text());
        }
        return fmt::format("no connection to {}{}", address_.text(), error ? ": " + error.message() : "");
    }

    std::unique_ptr<curl_slist, ReleaseList> fields_;
    std::unique_ptr<CURL, ReleaseEasy> easy_;
    std::unique_ptr<CURLM, ReleaseMulti> multi_;
    bool added_ = false;
    std::atomic<bool> aborted_{false};
    PlayerAddress address_;
    Seconds patience_{0};
    Seconds connect_{0};
    Answer answer_;
    std::array<char, CURL_ERROR_SIZE> details_{};
};

HttpCall::HttpCall() : transfer_(std::make_unique<Transfer>()) {}

HttpCall::~HttpCall() = default;

CallResult HttpCall::post(const PlayerAddress& address, const std::vector<std::string>& fields,
                          const std::string& message, Seconds patience, Seconds connect) {
    return transfer_->run(address, fields, message, patience, connect);
}

void HttpCall::abort() { transfer_->abort(); }

}  // namespace stratagem::protocol
