// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionIdentity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an instance holds that has no record of Keyslot, as far as it was looked at. Pure.
 *
 * @param count of all keys, by {@code DBSIZE}
 * @param isComplete whether all of them were looked at
 * @param ours those with an entry of Keyslot
 * @param others those with something else, but for the names that Keyslot has reserved for itself
 * @param example one of the others, null if there is none
 * @param colliding one of the others that begins like the keys of a cache, null if there is none
 */
record Residents(
        long count,
        boolean isComplete,
        int ours,
        int others,
        @Nullable String example,
        @Nullable String colliding) {
    static final Residents NONE = new Residents(0, true, 0, 0, null, null);

    private static final int MOST_CHARACTERS = 24;

    /** Whose data it is. */
    enum Kind {
        /** There is none, or all of it is ours. */
        UNUSED,
        /** Some of it is ours: the record was lost. What else is there is not known. */
        OURS,
        /** Nothing of it is ours. */
        FOREIGN
    }

    Kind kind() {
        if (isComplete && others == 0 && (ours > 0 || count == 0)) {
            return Kind.UNUSED;
        }
        return ours > 0 ? Kind.OURS : Kind.FOREIGN;
    }

    /** Returns why the instance is not adopted, and what to do. */
    String objection(PartitionIdentity identity) {
        return ("the instance holds %d keys and no record of Keyslot, so they are somebody else's%s. Nothing was written."
                        + " Give Keyslot a database or instances of its own; or set adoptInstances: always, then it uses"
                        + " this one, leaves their keys alone, and its writes look before they store")
                .formatted(count, said(identity));
    }

    private String said(PartitionIdentity identity) {
        if (colliding != null) {
            return ", for example under %s…, as the keys of a cache of this client begin".formatted(colliding);
        }
        String prefix = identity.keyspace() + "…";
        return example == null ? "" : ", for example under %s… (ours begin with %s)".formatted(example, prefix);
    }

    /** Returns the beginning of a key, which tells whose it is: the rest may be a secret. */
    static String beginningOf(String key) {
        int colon = key.indexOf(':');
        String beginning = colon >= 0 && colon < MOST_CHARACTERS
                ? key.substring(0, colon + 1)
                : key.substring(0, Math.min(key.length(), MOST_CHARACTERS));
        return beginning.replaceAll("[^\\x21-\\x7e]", "?");
    }

    /** Returns the prefix with which the key begins, or empty if it begins with none of a cache. */
    static Optional<String> prefixOf(String key, PartitionIdentity identity) {
        return identity.keyPrefixes().stream().filter(key::startsWith).findFirst();
    }
}
