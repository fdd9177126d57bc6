// SPDX-License-Identifier: Apache-2.0
/**
 * How observations of caches are named: {@link io.keyslot.client.metrics.convention.CallConvention} and {@link
 * io.keyslot.client.metrics.convention.CommandConvention}, which applications may replace.
 */
@NullMarked
package io.keyslot.client.metrics.convention;

import org.jspecify.annotations.NullMarked;
