// The aggregations of reductions, scans and groups.
#pragma once
#include <cstdint>

namespace CN_BUILD {

// The discriminants of Aggregation in aggregation/mod.rs, whose tests compare the two.
enum Aggregation : int32_t { SUM, SUM_WIDE, MIN, MAX, COUNT, SIZE, MEAN, SUM_LOW, SUM_HIGH };

}  // namespace CN_BUILD
