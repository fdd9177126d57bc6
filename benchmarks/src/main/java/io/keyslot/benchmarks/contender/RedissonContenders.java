// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.URI;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.redisson.client.codec.BaseCodec;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.protocol.Decoder;
import org.redisson.client.protocol.Encoder;
import org.redisson.config.Config;
import org.redisson.jcache.configuration.RedissonConfiguration;

/** Opens Redisson's JCache in its open edition: all entries are on one server, and {@code invoke} is not atomic. */
final class RedissonContenders {
    private static final String PROVIDER = "org.redisson.jcache.JCachingProvider";
    private static final int TIMEOUT_MILLIS = 10_000;

    private RedissonContenders() {}

    static Contender jcache(Conditions conditions) {
        MutableConfiguration<Long, Customer> standard = new MutableConfiguration<Long, Customer>()
                .setTypes(Long.class, Customer.class)
                .setExpiryPolicyFactory(conditions.lifetime().policy());
        CacheManager manager = Caching.getCachingProvider(PROVIDER).getCacheManager();
        Cache<Long, Customer> cache =
                manager.createCache("customer", RedissonConfiguration.fromConfig(config(conditions), standard));
        return new JCacheContender(manager, cache);
    }

    private static Config config(Conditions conditions) {
        URI server = conditions.servers().get(0);
        Config config = new Config();
        config.setCodec(new CustomerCodec());
        config.useSingleServer().setAddress(server.toString()).setTimeout(TIMEOUT_MILLIS);
        return config;
    }

    /** The registered Kryo of the other contenders as a codec of Redisson; keys are numbers as text. */
    private static final class CustomerCodec extends BaseCodec {
        private final Encoder encoder = value -> Unpooled.wrappedBuffer(CustomerKryo.encode((Customer) value));
        private final Decoder<Object> decoder = (buffer, state) -> CustomerKryo.decode(ByteBufUtil.getBytes(buffer));

        @Override
        public Encoder getValueEncoder() {
            return encoder;
        }

        @Override
        public Decoder<Object> getValueDecoder() {
            return decoder;
        }

        @Override
        public Encoder getMapKeyEncoder() {
            return LongCodec.INSTANCE.getValueEncoder();
        }

        @Override
        public Decoder<Object> getMapKeyDecoder() {
            return LongCodec.INSTANCE.getValueDecoder();
        }
    }
}
