// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of the near entry of a key.
 *
 * @param isServed whether a read would be answered by it now
 * @param readAgo the time since it was read, null if there is none
 * @param age its maximum age, null if there is none: the time since the last request that its partition has
 *     answered
 * @param lastEnd why the last near entry was dropped, null if not known
 * @param endedAgo the time since then
 */
public record NearState(
        boolean isServed,
        @Nullable Duration readAgo,
        @Nullable Duration age,
        @Nullable NearEnd lastEnd,
        @Nullable Duration endedAgo) {}
