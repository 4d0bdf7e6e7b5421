// thrust::constant_iterator.
#pragma once
#include "../../cn_sim/iterators.h"
