// SPDX-License-Identifier: Apache-2.0
/**
 * One observation for each call of a cache, with its commands as children, where the application hands in a registry of
 * Micrometer. {@code CallConvention} and {@code CommandConvention} say how they are named, and can be replaced.
 */
@NullMarked
package io.keyslot.client.telemetry;

import org.jspecify.annotations.NullMarked;
