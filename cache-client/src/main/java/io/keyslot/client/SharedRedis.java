// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.partition.redis.RedisResources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to instances: one set for all clients of a provider, made when the first needs it and given up
 * with the last. Safe for use by several threads.
 */
final class SharedRedis {
    private final Supplier<RedisResources> made;
    private @Nullable RedisResources resources; // guarded by this
    private int clients; // guarded by this

    SharedRedis(Supplier<RedisResources> made) {
        this.made = made;
    }

    /** Returns the resources for one more client, which has to {@link #release} them. */
    synchronized RedisResources acquire() {
        RedisResources present = resources;
        if (present == null) {
            present = made.get();
            resources = present;
        }
        clients++;
        return present;
    }

    /** Gives the resources back; with the last client they are closed. */
    synchronized void release() {
        clients--;
        RedisResources present = resources;
        if (clients == 0 && present != null) {
            resources = null;
            present.close();
        }
    }
}
