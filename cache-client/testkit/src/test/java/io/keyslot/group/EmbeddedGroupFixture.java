// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;

/** Groups in embedded partitions, in virtual time. */
final class EmbeddedGroupFixture extends GroupFixture {
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    @Override
    protected PartitionedCacheManager manager() {
        return keyslot.cacheManager();
    }

    @Override
    protected void pass(Duration duration) {
        keyslot.advance(duration);
    }

    @Override
    public void close() {
        keyslot.close();
    }
}
