// SPDX-License-Identifier: Apache-2.0
/** The command {@code ./keyslot bench}: starts servers, measures the contenders, writes the reports. */
@NullMarked
package io.keyslot.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
