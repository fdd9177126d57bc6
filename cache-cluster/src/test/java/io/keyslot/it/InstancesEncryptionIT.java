// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.jcache.EncryptionContract;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.cache.Caching;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Encrypted values on real servers. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class InstancesEncryptionIT extends EncryptionContract {
    @AutoClose
    private static TestServers servers;

    InstancesEncryptionIT() {
        super(InstancesEncryptionIT::properties);
    }

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(1);
    }

    private static Properties properties() {
        return ServersConformance.patient("instances", servers.uris());
    }

    @Override
    protected boolean stays() {
        return true;
    }

    @Test
    void nothingThatIsStored_showsAValue_andElementsCannotBeExchanged() {
        Properties properties = properties();
        properties.setProperty("keyslot.caches.customer.encryption.key", KEY);
        properties.setProperty("keyslot.caches.customer.feed.values", "true");
        properties.setProperty("keyslot.caches.customer.keyType", "java.lang.Long");
        properties.setProperty("keyslot.caches.customer.valueType", "java.lang.String");
        RedisClient client = RedisClient.create(servers.uri(0));
        try (PartitionedCacheManager manager = Caching.getCachingProvider()
                .getCacheManager(null, null, properties)
                .unwrap(PartitionedCacheManager.class)) {
            manager.<Long, String>getCache("customer", Long.class, String.class).put(99L, "plaintext of the value");
            CacheGroup group = manager.group(EntityKey.of("customer", 99));
            RemoteHash<String, String> hash = group.hash("cart", String.class, String.class);
            hash.putAll(Map.of("plaintext-a", "plaintext of a", "plaintext-b", "plaintext of b"));
            group.list("history", String.class).addAll(List.of("plaintext of a list"));
            group.set("orders", String.class).add("plaintext of a set");
            group.sortedSet("ratings", String.class).add("plaintext of a sorted set", 1);
            group.rows("row", String.class).put("1", "plaintext of a row");

            RedisCommands<String, String> commands =
                    client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
            assertThat(commands.keys("*"))
                    .hasSizeGreaterThan(7)
                    .allSatisfy(key -> assertThat(new String(commands.dump(key), StandardCharsets.ISO_8859_1))
                            .doesNotContain("plaintext"));

            Map<String, String> stored = commands.hgetall("cart:{customer:99}");
            List<String> fields = List.copyOf(stored.keySet());
            commands.hset("cart:{customer:99}", fields.get(0), stored.get(fields.get(1)));
            assertThatThrownBy(hash::toMap)
                    .isInstanceOf(CodecException.class)
                    .hasMessage("Group customer:99: cart: there is an element that cannot be decrypted: not_authentic");
        } finally {
            client.shutdown();
        }
    }
}
