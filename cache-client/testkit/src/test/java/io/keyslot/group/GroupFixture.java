// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a contract test of groups needs from an engine. One instance per test, each with a group of its own, so that tests
 * may share servers.
 */
public abstract class GroupFixture implements AutoCloseable {
    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final EntityKey root = EntityKey.of("customer", "contract-" + SEQUENCE.incrementAndGet());

    /** Returns the manager of the partitions under test, the same for a whole test. */
    protected abstract PartitionedCacheManager manager();

    /** Returns after this much time has passed for the partitions: virtual or real, always short. */
    protected abstract void pass(Duration duration);

    final EntityKey root() {
        return root;
    }

    final CacheGroup group() {
        return manager().group(root);
    }

    @Override
    public void close() {}
}
