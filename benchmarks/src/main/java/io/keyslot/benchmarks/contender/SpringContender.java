// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * Spring Data Redis' cache on one server, over Lettuce, without bulk and atomic operations. A put waits for its
 * completion, which is not the default.
 */
final class SpringContender implements Contender {
    private final LettuceConnectionFactory connections;
    private final Cache cache;

    SpringContender(Conditions conditions) {
        URI server = conditions.servers().get(0);
        connections = new LettuceConnectionFactory(server.getHost(), server.getPort());
        connections.afterPropertiesSet();
        connections.start();
        RedisCacheConfiguration configuration = RedisCacheConfiguration.defaultCacheConfig()
                .serializeValuesWith(SerializationPair.fromSerializer(new CustomerSerializer()));
        if (conditions.lifetime().isLimited()) {
            configuration = configuration.entryTtl(
                    Duration.ofMillis(conditions.lifetime().millis()));
        }
        RedisCacheManager manager = RedisCacheManager.builder(RedisCacheWriter.create(
                        connections, RedisCacheWriter.RedisCacheWriterConfigurer::immediateWrites))
                .cacheDefaults(configuration)
                .build();
        cache = Objects.requireNonNull(manager.getCache("customer"));
    }

    @Override
    public @Nullable Object get(long id) {
        return cache.get(id, Customer.class);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        cache.put(id, customer.customer());
    }

    @Override
    public void close() {
        connections.destroy();
    }

    private static final class CustomerSerializer implements RedisSerializer<Customer> {
        @Override
        public byte[] serialize(@Nullable Customer value) {
            return value == null ? new byte[0] : CustomerKryo.encode(value);
        }

        @Override
        public @Nullable Customer deserialize(byte @Nullable [] bytes) {
            return bytes == null || bytes.length == 0 ? null : CustomerKryo.decode(bytes);
        }
    }
}
