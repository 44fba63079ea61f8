// Which order the values of an argument of a fluent have, if any.
#pragma once

#include <optional>
#include <vector>

#include "analysis/argument_domains.h"
#include "analysis/families.h"
#include "analysis/orders.h"
#include "analysis/samples.h"

namespace stratagem::analysis {

// By family and argument: the number of the order.
using ArgumentOrders = std::vector<std::vector<std::optional<std::size_t>>>;

// Of the orders that the rules connect with the argument, by a variable or by neighbours written out, the one that
// knows all its values and fewest others. Of one and its reverse, the one along which the game begins at the lower end.
// None where there is no more time.
ArgumentOrders find_argument_orders(const ground::Program& program, std::span<const Family> families,
                                    std::span<const Order> orders, const ArgumentDomains& domains,
                                    const Samples& samples, const machine::Stop& stop = {});

}  // namespace stratagem::analysis
