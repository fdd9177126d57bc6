// SPDX-License-Identifier: Apache-2.0
/** Metrics and observations with Micrometer; {@code CallConvention} and {@code CommandConvention} define the names. */
@NullMarked
package io.keyslot.client.telemetry;

import org.jspecify.annotations.NullMarked;
