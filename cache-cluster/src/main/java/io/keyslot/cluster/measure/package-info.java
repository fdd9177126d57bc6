// SPDX-License-Identifier: Apache-2.0
/** Measurement of latencies. */
@NullMarked
package io.keyslot.cluster.measure;

import org.jspecify.annotations.NullMarked;
