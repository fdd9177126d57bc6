// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.near.NearOptions;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache whose keys are hashed. */
@SuppressWarnings("NullAway.Init") // the manager is opened before each test
public abstract class HashedKeysContract {
    protected static final String ID = "ada@example.com";

    private final Supplier<Properties> engine;

    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    private KeyslotCacheManager manager;

    protected HashedKeysContract(Supplier<Properties> engine) {
        this.engine = engine;
    }

    @BeforeEach
    void open() {
        Properties properties = engine.get();
        for (String cache : new String[] {"person", "other"}) {
            properties.setProperty("keyslot.caches." + cache + ".hashedKeys", EncryptionContract.KEY);
        }
        manager = (KeyslotCacheManager) provider.getCacheManager(null, null, properties);
    }

    private static PartitionedConfiguration<String, String> strings() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    @Test
    void operationsWithKeys_work() {
        PartitionedCache<String, String> cache = manager.createCache("person", strings());
        cache.put(ID, "Ada");
        cache.putAll(Map.of("b", "1", "c", "2"));

        assertThat(cache.get(ID)).isEqualTo("Ada");
        assertThat(cache.getAll(Set.of(ID, "b", "c", "d"))).isEqualTo(Map.of(ID, "Ada", "b", "1", "c", "2"));
        assertThat(cache.replace("b", "1", "3")).isTrue();
        assertThat(cache.remove("c")).isTrue();
        assertThat(cache.containsKey("c")).isFalse();
        cache.removeAll(Set.of("b"));
        assertThat(cache.get("b")).isNull();
        cache.put("e", "5");
        cache.removeAll();
        assertThat(cache.get("e")).isNull();
        cache.put("e", "5");
        cache.clear();
        assertThat(cache.get(ID)).isNull();
        assertThat(cache.get("e")).isNull();
    }

    @Test
    void keyOfAnEntry_doesNotShowItsId_andDiffersBetweenCaches() {
        PartitionedCache<String, String> cache = manager.createCache("person", strings());
        PartitionedCache<String, String> other = manager.createCache("other", strings());

        String stored = cache.explain(ID).entityKey();
        assertThat(stored).matches("person:[A-Za-z0-9_-]{22}");
        assertThat(cache.explain(ID).entityKey()).isEqualTo(stored);
        assertThat(cache.explain("ada@example.org").entityKey()).isNotEqualTo(stored);
        assertThat(other.explain(ID).entityKey()).doesNotEndWith(stored.substring("person".length()));
    }

    @Test
    void nearEntries_areInvalidated() {
        PartitionedCache<String, String> cache =
                manager.createCache("person", strings().setNear(NearOptions.ofEntries(100)));
        cache.put(ID, "1");
        assertThat(cache.get(ID)).isEqualTo("1");
        assertThat(cache.get(ID)).isEqualTo("1");
        cache.put(ID, "2");
        assertThat(cache.get(ID)).isEqualTo("2");
    }

    @Test
    void operationsThatHaveToReadKeysBack_areRefused() {
        PartitionedCache<String, String> cache = manager.createCache("person", strings());
        String why = " needs the keys, and with hashedKeys only their hashes are stored; call it with keys";

        assertThatThrownBy(cache::iterator)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Cache person: iterator" + why);
        assertThatThrownBy(() -> cache.scan(entry -> true, 10, null))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Cache person: scan" + why);
        assertThatThrownBy(() -> manager.group(EntityKey.of("person", 99)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the keys of the entity type person are hashed");
        assertThatThrownBy(() -> manager.group(EntityKey.of("customer", 99)).rows("person", String.class))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"groupedBy and indexed", "writeBehind", "feed"})
    void optionsThatNeedKeys_areRefused(String option) {
        PartitionedConfiguration<String, String> configuration = strings();
        switch (option) {
            case "writeBehind" ->
                configuration
                        .setWriteBehind(WriteBehindOptions.defaults())
                        .setWriteThrough(true)
                        .setCacheWriterFactory(ScriptedWriter::new);
            case "feed" -> configuration.setFeed(FeedOptions.defaults());
            default -> configuration.setGroupedBy("customer");
        }

        assertThatThrownBy(() -> manager.createCache("person", configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Cache person: hashedKeys excludes %s: hashed keys cannot be read back; leave one of them out",
                        option);
    }

    @Test
    void groupsOfTheType_areRefused() {
        assertThatThrownBy(() -> manager.createCache("sale", strings().setGroupedBy("person")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it is grouped by person, whose keys are hashed");
    }
}
