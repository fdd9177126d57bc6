// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A partition that refuses commands over several slots. */
@SideBySide
class CrossSlotIT {
    private final TestServers servers = TestServers.start(1);
    private final OneSlotProxy proxy;
    private final PartitionedCacheManager manager;

    CrossSlotIT() throws Exception {
        proxy = new OneSlotProxy(servers.ports().get(0));
        manager =
                KeyslotManagers.openPatiently("one-slot", List.of(proxy.uri())).unwrap(PartitionedCacheManager.class);
    }

    @AfterEach
    void close() throws Exception {
        manager.close();
        proxy.close();
        servers.close();
    }

    private static PartitionedConfiguration<Long, String> configuration() {
        return new PartitionedConfiguration<Long, String>()
                .setTypes(Long.class, String.class)
                .setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR));
    }

    @Test
    void callsAboutManyKeys_useOneSlotPerCommand_afterTheFirstRefusal() {
        PartitionedCache<Long, String> plain = manager.createCache("plain", configuration());
        PartitionedCache<Long, String> near =
                manager.createCache("near", configuration().setNear(NearOptions.ofEntries(1000)));
        Map<Long, String> values = LongStream.range(0, 100).boxed().collect(Collectors.toMap(id -> id, id -> "v" + id));
        for (PartitionedCache<Long, String> cache : List.of(plain, near)) {
            cache.putAll(values);
            assertThat(cache.getAll(values.keySet())).isEqualTo(values);
            cache.putAll(values, Duration.ofMinutes(1));
            cache.removeAll(Set.of(1L, 2L, 3L));
            assertThat(cache.getAll(values.keySet())).hasSize(97);
            assertThat(cache.replace(5L, "v5", "w5")).isTrue();
            cache.clear();
            assertThat(cache.getAll(values.keySet())).isEmpty();
        }
        manager.group(EntityKey.of("customer", 99)).transactWithoutResult(transaction -> {
            transaction.counter("visits").incrementAndGet();
            transaction.list("history", String.class).addLast("one");
        });

        assertThat(proxy.refused()).isBetween(1, 3); // once for each kind that was in flight at the first one
    }
}
