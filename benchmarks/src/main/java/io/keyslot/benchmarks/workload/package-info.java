// SPDX-License-Identifier: Apache-2.0
/** What the contenders store, and which keys they are asked for. */
@NullMarked
package io.keyslot.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
