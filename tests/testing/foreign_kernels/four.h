#pragma once
#define BINS 256
struct Step {
    unsigned distance;
    unsigned length;
};
