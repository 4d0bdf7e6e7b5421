// thrust::counting_iterator.
#pragma once
#include "../../cn_sim/iterators.h"
