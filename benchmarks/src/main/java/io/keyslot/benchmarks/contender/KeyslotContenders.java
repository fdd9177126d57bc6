// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.cache.Cache;

/** Opens Keyslot by its provider, as an application does. */
final class KeyslotContenders {
    private static final String NAME = "benchmark";
    private static final String EMBEDDED_PARTITIONS = "3";

    /** More than there are entries. */
    private static final long MOST_COPIES = 10_000_000;

    private KeyslotContenders() {}

    static Contender instances(Conditions conditions) {
        return open(conditions, KeyslotProvider.open(NAME, addresses(conditions)));
    }

    /** The same over the nodes of a cluster. */
    static Contender cluster(Conditions conditions, List<String> nodes) {
        return open(
                conditions, KeyslotProvider.open(NAME, String.join(",", nodes), Map.of("keyslot.engine", "cluster")));
    }

    /** Keeps copies of all entries that were read, and hands out the same object to all, as nobody changes one. */
    static Contender near(Conditions conditions) {
        return open(
                KeyslotProvider.open(NAME, addresses(conditions)),
                configuration(conditions)
                        .setNear(NearOptions.ofEntries(MOST_COPIES).withValues(NearValues.SHARED)));
    }

    static Contender embedded(Conditions conditions) {
        return open(conditions, KeyslotProvider.open(NAME, EMBEDDED_PARTITIONS));
    }

    private static String addresses(Conditions conditions) {
        return conditions.servers().stream().map(URI::toString).collect(Collectors.joining(","));
    }

    private static Contender open(Conditions conditions, PartitionedCacheManager manager) {
        return open(manager, configuration(conditions));
    }

    private static PartitionedConfiguration<Long, Customer> configuration(Conditions conditions) {
        PartitionedConfiguration<Long, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setCodecFactory(CustomerCodec::new);
        configuration.setTypes(Long.class, Customer.class);
        configuration.setExpiryPolicyFactory(conditions.lifetime().policy());
        return configuration;
    }

    private static Contender open(
            PartitionedCacheManager manager, PartitionedConfiguration<Long, Customer> configuration) {
        PartitionedConfiguration<EntityKey, Customer> members = new PartitionedConfiguration<>();
        members.setCodecFactory(CustomerCodec::new);
        members.setGroupedBy("customer");
        members.setTypes(EntityKey.class, Customer.class);
        return new KeyslotContender(
                manager, manager.createCache("customer", configuration), manager.createCache("account", members));
    }

    /** Keyslot by its standard interface, and by the one of its groups. */
    private static final class KeyslotContender extends JCacheContender {
        private final PartitionedCacheManager manager;
        private final PartitionedCache<EntityKey, Customer> accounts;

        KeyslotContender(
                PartitionedCacheManager manager,
                Cache<Long, Customer> customers,
                PartitionedCache<EntityKey, Customer> accounts) {
            super(manager, customers);
            this.manager = manager;
            this.accounts = accounts;
        }

        @Override
        public long transaction(long group, EncodedCustomer initial) {
            EntityKey root = EntityKey.of("customer", group);
            EntityKey first = EntityKey.of("account", "a").in(root);
            EntityKey second = EntityKey.of("account", "b").in(root);
            Set<EntityKey> both = Set.of(first, second);
            return manager.group(root).transact(tx -> {
                GroupEntries<EntityKey, Customer> entries = tx.entries(accounts);
                Map<EntityKey, Customer> before = entries.getAll(both);
                long visits = 0;
                for (EntityKey key : both) {
                    Customer after =
                            before.getOrDefault(key, initial.customer()).visitedAgain();
                    entries.put(key, after);
                    visits += after.visits();
                }
                return visits;
            });
        }
    }
}
