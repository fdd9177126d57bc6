// SPDX-License-Identifier: Apache-2.0
/**
 * How observations of caches are named: {@link io.keyslot.client.telemetry.convention.CallConvention} and {@link
 * io.keyslot.client.telemetry.convention.CommandConvention}, which applications may replace.
 */
@NullMarked
package io.keyslot.client.telemetry.convention;

import org.jspecify.annotations.NullMarked;
