// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the near copy of an entry.
 *
 * @param isServed whether a read would be answered by it now
 * @param readAgo how long ago it was read, null if there is none
 * @param age how old it is at most, null if there is none: how long ago its partition was asked for something that it has
 *     answered
 * @param lastEnd why the last copy is there no more, null if that is not known
 * @param endedAgo how long ago that was
 */
public record NearState(
        boolean isServed,
        @Nullable Duration readAgo,
        @Nullable Duration age,
        @Nullable NearEnd lastEnd,
        @Nullable Duration endedAgo) {}
