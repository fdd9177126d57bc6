// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.testkit.EmbeddedKeyslot;
import org.junit.jupiter.api.AutoClose;

/** Group transactions on embedded partitions, in virtual time. */
class EmbeddedGroupTransactionTest extends GroupTransactionContract {
    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    @Override
    protected PartitionedCacheManager manager() {
        return keyslot.cacheManager();
    }

    @Override
    protected PartitionedCacheManager otherManager() {
        return keyslot.cacheManager(1);
    }
}
