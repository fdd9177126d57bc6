// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.group.GroupTransactionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Group transactions on three real servers. */
@SuppressWarnings("NullAway.Init") // the managers are set before all tests
@SideBySide
class InstancesGroupTransactionIT extends GroupTransactionContract {
    private static TestServers servers;
    private static PartitionedCacheManager manager;
    private static PartitionedCacheManager other;

    @BeforeAll
    static void start() {
        servers = TestServers.start(3);
        manager = open("transactions");
        other = open("other-transactions");
    }

    private static PartitionedCacheManager open(String name) {
        return KeyslotManagers.open(name, servers.uris(), KeyslotManagers.LONG_DEADLINES)
                .unwrap(PartitionedCacheManager.class);
    }

    @AfterAll
    static void end() throws Exception {
        manager.close();
        other.close();
        servers.close();
    }

    @Override
    protected PartitionedCacheManager manager() {
        return manager;
    }

    @Override
    protected PartitionedCacheManager otherManager() {
        return other;
    }
}
