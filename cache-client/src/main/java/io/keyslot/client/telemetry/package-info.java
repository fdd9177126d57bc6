// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics and observations by Micrometer. {@code CallConvention} and {@code CommandConvention} define the names, and can be
 * replaced.
 */
@NullMarked
package io.keyslot.client.telemetry;

import org.jspecify.annotations.NullMarked;
