// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry or aggregate of a group.
 *
 * @param key the text under which it is stored
 * @param kind the type
 * @param sizeBytes of an entry, the bytes of its value with the envelope; of an aggregate, the bytes of its
 *     elements
 * @param timeToLive the remaining time to live, null if it does not expire
 */
public record GroupMember(
        String key, Kind kind, long sizeBytes, @Nullable Duration timeToLive) {
    /** The type of a group member. */
    public enum Kind {
        ENTRY,
        HASH,
        LIST,
        SET,
        SORTED_SET,
        COUNTER
    }
}
