// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import com.hazelcast.cache.HazelcastCachingProvider;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.CacheConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.ByteArraySerializer;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import java.util.List;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;

/** Opens Hazelcast's JCache: in the process, or as a client of members that are started for it. */
final class HazelcastContenders {
    private static final String EMBEDDED = "com.hazelcast.cache.HazelcastMemberCachingProvider";
    private static final String CLIENT = "com.hazelcast.client.cache.HazelcastClientCachingProvider";

    private static final String CACHE = "customer";

    /** So many more than there are that no partition of theirs ever seems full. */
    private static final int MOST_ENTRIES = 100_000_000;

    private HazelcastContenders() {}

    /** One member, which is this process. */
    static Contender embedded(Conditions conditions) {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(memberConfig(0, List.of()));
        return open(EMBEDDED, member, conditions, List.of(), member::shutdown);
    }

    /** A client of three members with a process each, as many as there are servers for the others. */
    static Contender client(Conditions conditions) {
        return client(conditions, new ClientConfig());
    }

    /** The same with copies in the client: objects, which it hands out without copying them. */
    static Contender near(Conditions conditions) {
        NearCacheConfig near = new NearCacheConfig(CACHE)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setEvictionConfig(new EvictionConfig()
                        .setMaxSizePolicy(MaxSizePolicy.ENTRY_COUNT)
                        .setSize(MOST_ENTRIES));
        return client(conditions, new ClientConfig().addNearCacheConfig(near));
    }

    private static Contender client(Conditions conditions, ClientConfig config) {
        HazelcastMembers members = HazelcastMembers.start(conditions.servers().size());
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.getNetworkConfig().setAddresses(members.addresses());
        register(config.getSerializationConfig());
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        return open(CLIENT, client, conditions, members.pids(), () -> {
            client.shutdown();
            members.close();
        });
    }

    private static Contender open(
            String provider,
            HazelcastInstance instance,
            Conditions conditions,
            List<Long> serverPids,
            Runnable closing) {
        Properties properties = HazelcastCachingProvider.propertiesByInstanceItself(instance);
        CacheManager manager = Caching.getCachingProvider(provider)
                .getCacheManager(null, HazelcastContenders.class.getClassLoader(), properties);
        MutableConfiguration<Long, Customer> standard = new MutableConfiguration<Long, Customer>()
                .setTypes(Long.class, Customer.class)
                .setExpiryPolicyFactory(conditions.lifetime().policy());
        // Of a standard configuration, Hazelcast evicts what exceeds ten thousand entries.
        CacheConfig<Long, Customer> configuration = new CacheConfig<>(standard);
        configuration.setEvictionConfig(
                new EvictionConfig().setMaxSizePolicy(MaxSizePolicy.ENTRY_COUNT).setSize(MOST_ENTRIES));
        Cache<Long, Customer> cache = manager.createCache(CACHE, configuration);
        return new JCacheContender(manager, cache) {
            @Override
            public List<Long> serverPids() {
                return serverPids;
            }

            @Override
            public void close() {
                super.close();
                closing.run();
            }
        };
    }

    /**
     * Returns the configuration of a member that finds others by their addresses only.
     *
     * @param port 0 for any, of a member that stays alone
     */
    static Config memberConfig(int port, List<String> members) {
        Config config = new Config();
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(!members.isEmpty()).setMembers(members);
        register(config.getSerializationConfig());
        return config;
    }

    private static void register(SerializationConfig config) {
        config.addSerializerConfig(
                new SerializerConfig().setTypeClass(Customer.class).setImplementation(new CustomerSerializer()));
    }

    /** The registered Kryo of the other contenders as a serializer of Hazelcast. */
    private static final class CustomerSerializer implements ByteArraySerializer<Customer> {
        private static final int TYPE = 1;

        @Override
        public int getTypeId() {
            return TYPE;
        }

        @Override
        public byte[] write(Customer customer) {
            return CustomerKryo.encode(customer);
        }

        @Override
        public Customer read(byte[] bytes) {
            return CustomerKryo.decode(bytes);
        }
    }
}
