// Fuzzer of the protocol room: any bytes as a message, as a body, as an address, as the head of a request and as the
// answer of a player. What is read must be printed and read again as the same; nothing may fail otherwise.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "protocol/kif_text.h"
#include "protocol/message_text.h"
#include "protocol/messages.h"
#include "protocol/player_address.h"
#include "protocol/player_reply.h"
#include "protocol/request_head.h"
#include "protocol/translation.h"

namespace {

void demand(bool condition, std::string_view what) {
    if (condition) return;
    fmt::print(stderr, "{}\n", what);
    std::abort();
}

void examine_message(std::string_view text) {
    using namespace stratagem::protocol;
    const MessageResult result = read_message(text);
    demand(result.ok() || (!result.fault.empty() && result.at <= text.size()), "a fault without words or place");
    if (!result.ok()) return;
    const MessageResult again = read_message(to_text(*result.message));
    demand(again.ok(), "printed it is no message");
    demand(*again.message == *result.message, "printed it is another message");
}

void examine_answer(std::string_view text) {
    using namespace stratagem::protocol;
    const MoveReply reply = read_move(text);
    demand(reply.move.empty() != reply.fault.empty(), "neither a move nor a fault, or both");
    demand(normal_form(reply.move) == reply.move, "a move that is not in normal form");
    const StartReply start = read_start_reply(text);
    demand(start.ready == start.odd.empty(), "odd and ready");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace stratagem::protocol;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    examine_message(text);
    examine_message(message_in_body(std::string(text)));
    examine_message(message_in_target(text));
    examine_answer(text);
    read_info_reply(text);
    read_address(text);
    const std::string normal = normal_form(text);
    demand(normal_form(normal) == normal, "a normal form that has another one");
    demand(one_line(text, 20).size() <= 23, "a line that is too long");
    spelling_of(text)(normal);
    const std::size_t length = head_length(text);
    demand(length <= size, "a head longer than the text");
    if (length > 0) read_head(text.substr(0, length), 1000);
    return 0;
}
