// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something in a group.
 *
 * @param key the text under which it is stored
 * @param kind what it is
 * @param sizeBytes of an entry: the bytes of its value with the envelope; of an aggregate: those of its elements
 * @param timeToLive how long it still lives, null if it does not expire
 */
public record GroupMember(
        String key, Kind kind, long sizeBytes, @Nullable Duration timeToLive) {
    /** What something in a group is. */
    public enum Kind {
        ENTRY,
        HASH,
        LIST,
        SET,
        SORTED_SET,
        COUNTER
    }
}
