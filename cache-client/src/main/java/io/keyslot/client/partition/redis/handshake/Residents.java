// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionIdentity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contents of an instance without a record, as far as they were inspected. Free of I/O.
 *
 * @param count of all keys, by {@code DBSIZE}
 * @param isComplete whether all keys were inspected
 * @param ours the number of Keyslot's entries
 * @param others the number of other values, except under names reserved for Keyslot
 * @param example one of the others; null if there is none
 * @param colliding one of the others whose key begins like a cache's; null if there is none
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

    enum Kind {
        /** No data, or only ours. */
        UNUSED,
        /** Some data is ours, so the record was lost; the rest is unknown. */
        OURS,
        /** None of the data is ours. */
        FOREIGN
    }

    Kind kind() {
        if (isComplete && others == 0 && (ours > 0 || count == 0)) {
            return Kind.UNUSED;
        }
        return ours > 0 ? Kind.OURS : Kind.FOREIGN;
    }

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

    /** Returns the beginning of a key, which identifies its owner; the rest may be a secret. */
    static String beginningOf(String key) {
        int colon = key.indexOf(':');
        String beginning = colon >= 0 && colon < MOST_CHARACTERS
                ? key.substring(0, colon + 1)
                : key.substring(0, Math.min(key.length(), MOST_CHARACTERS));
        return beginning.replaceAll("[^\\x21-\\x7e]", "?");
    }

    static Optional<String> prefixOf(String key, PartitionIdentity identity) {
        return identity.keyPrefixes().stream().filter(key::startsWith).findFirst();
    }
}
