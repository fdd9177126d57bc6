// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cluster;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventScope;
import io.keyslot.client.config.ClientOptions.Engine;

/** Rejects caches with features that a cluster does not support. */
public final class ClusterCaches {
    private ClusterCaches() {}

    /**
     * Throws {@code IllegalArgumentException} if the engine is a cluster that does not support a feature of the cache.
     */
    public static void check(Engine engine, String name, PartitionedConfiguration<?, ?> configuration) {
        if (engine != Engine.CLUSTER) {
            return;
        }
        if (configuration.getEvents() == EventScope.KEYS) {
            throw refused(
                    name,
                    "wants events: keys",
                    "it is not proven yet which invalidations servers send while slots move; leave events away");
        }
        if (configuration.getNear() != null) {
            throw refused(
                    name,
                    "is near",
                    "it is not proven yet which invalidations servers send while slots move; leave near away");
        }
    }

    private static IllegalArgumentException refused(String name, String what, String why) {
        return new IllegalArgumentException(
                "Cache %s %s, which the engine cluster has not: %s".formatted(name, what, why));
    }
}
