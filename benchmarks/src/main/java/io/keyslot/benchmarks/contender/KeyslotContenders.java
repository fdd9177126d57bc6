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
import io.keyslot.cluster.local.LocalCluster;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;

/** Opens Keyslot through its provider, as an application does. */
final class KeyslotContenders {
    private static final String NAME = "benchmark";
    private static final String EMBEDDED_PARTITIONS = "3";

    /** More than there are entries. */
    private static final long MOST_COPIES = 10_000_000;

    private KeyslotContenders() {}

    static Contender instances(Conditions conditions) {
        return open(conditions, KeyslotProvider.open(NAME, addresses(conditions)));
    }

    /** Configures only the servers and the allowed classes of values. Entries never expire. */
    static Contender byDefault(Conditions conditions) {
        return new KeyslotContender(
                KeyslotProvider.openByDefault(NAME, addresses(conditions), Customer.class.getName()),
                new MutableConfiguration<>(),
                new PartitionedConfiguration<>());
    }

    /** Configures also the types of keys and values, which imply the allowed classes. */
    static Contender typed(Conditions conditions) {
        return new KeyslotContender(
                KeyslotProvider.openByDefault(NAME, addresses(conditions), ""),
                new MutableConfiguration<Long, Customer>().setTypes(Long.class, Customer.class),
                new PartitionedConfiguration<EntityKey, Customer>().setTypes(EntityKey.class, Customer.class));
    }

    /** Works like the others over the nodes of a cluster that is started for it. */
    static Contender cluster(Conditions conditions) {
        LocalCluster cluster = LettuceClusterContender.start();
        try {
            PartitionedCacheManager manager =
                    KeyslotProvider.open(NAME, String.join(",", cluster.uris()), Map.of("keyslot.engine", "cluster"));
            return new KeyslotContender(manager, configuration(conditions), members()) {
                @Override
                public List<Long> serverPids() {
                    return LettuceClusterContender.pids(cluster);
                }

                @Override
                public void close() {
                    try (cluster) {
                        super.close();
                    }
                }
            };
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Keeps near entries of all entries that were read, shared because the values are immutable. */
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
        return new KeyslotContender(manager, configuration, members());
    }

    private static PartitionedConfiguration<EntityKey, Customer> members() {
        PartitionedConfiguration<EntityKey, Customer> members = new PartitionedConfiguration<>();
        members.setCodecFactory(CustomerCodec::new);
        members.setTypes(EntityKey.class, Customer.class);
        return members;
    }

    private static class KeyslotContender extends JCacheContender {
        private final PartitionedCacheManager manager;
        private final PartitionedCache<EntityKey, Customer> accounts;

        KeyslotContender(
                PartitionedCacheManager manager,
                Configuration<Long, Customer> customers,
                PartitionedConfiguration<EntityKey, Customer> accounts) {
            super(manager, manager.createCache("customer", customers));
            this.manager = manager;
            this.accounts = manager.createCache("account", accounts.setGroupedBy("customer"));
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
