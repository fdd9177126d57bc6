// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.MissingPartitionPolicy;
import org.jspecify.annotations.Nullable;

/** What {@code missingPartition} of a cache may say. */
public enum WhenMissing {
    /** The loader answers. */
    LOADER(MissingPartitionPolicy.LOADER),
    /** As if there were no entry. */
    MISS(MissingPartitionPolicy.MISS),
    /** The call fails. */
    FAIL(MissingPartitionPolicy.FAIL),
    /** A replica answers, and if none does, it is as if nothing were said. */
    REPLICA(null);

    private final @Nullable MissingPartitionPolicy policy;

    WhenMissing(@Nullable MissingPartitionPolicy policy) {
        this.policy = policy;
    }

    /** Returns what is done where no replica answers; null if nothing is said about that. */
    public @Nullable MissingPartitionPolicy policy() {
        return policy;
    }
}
