// CUDA declares this part of cooperative groups in a header of its own.
#pragma once
#include "../cooperative_groups.h"
