// thrust::transform_iterator.
#pragma once
#include "../../cn_sim/iterators.h"
