// SPDX-License-Identifier: Apache-2.0
/** The values that contenders store, and the distribution of keys. */
@NullMarked
package io.keyslot.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
