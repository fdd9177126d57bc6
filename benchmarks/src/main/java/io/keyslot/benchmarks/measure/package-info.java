// SPDX-License-Identifier: Apache-2.0
/** What an operation costs: latency, CPU of client and servers, and garbage. */
@NullMarked
package io.keyslot.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
