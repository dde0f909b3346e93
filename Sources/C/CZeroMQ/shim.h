#pragma once
#include <zmq.h>
/* glibc headers that Swift's Glibc module leaves out. */
#include <sys/eventfd.h>
