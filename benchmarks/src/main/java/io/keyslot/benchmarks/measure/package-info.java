// SPDX-License-Identifier: Apache-2.0
/** Measurement of an operation's costs: latency, CPU of client and servers, and allocations. */
@NullMarked
package io.keyslot.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
