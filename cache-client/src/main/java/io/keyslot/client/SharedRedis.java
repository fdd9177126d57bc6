// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.partition.redis.RedisResources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads for instances, shared by all clients of a provider from the first to the last one. Thread-safe. */
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

    synchronized void release() {
        clients--;
        RedisResources present = resources;
        if (clients == 0 && present != null) {
            resources = null;
            present.close();
        }
    }
}
