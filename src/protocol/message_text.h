// Finding the message in what came over HTTP: managers put it into the body, people and scripts into the address, and
// some libraries wrap it up as a form.
#pragma once

#include <string>
#include <string_view>

namespace stratagem::protocol {

// Of a body: as it is, but for NULs behind it, and for forms, whether percent-encoded (message=%28INFO%29) or in parts.
std::string message_in_body(std::string body);

// Of the target of a request, "/%28INFO%29", "/?message=(INFO)" or "/info". Empty when there is none.
std::string message_in_target(std::string_view target);

}  // namespace stratagem::protocol
