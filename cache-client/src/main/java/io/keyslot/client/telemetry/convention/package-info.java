// SPDX-License-Identifier: Apache-2.0
/**
 * The names of observations, which applications may replace:
 * {@link io.keyslot.client.telemetry.convention.CallConvention} and
 * {@link io.keyslot.client.telemetry.convention.CommandConvention}.
 */
@NullMarked
package io.keyslot.client.telemetry.convention;

import org.jspecify.annotations.NullMarked;
