// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that is interrupted while it waits for a place that the writer of another process has. */
class InterruptedWriterTest {
    private static final String KEY = "a";

    /** From before the first question to between the later ones. */
    private static final int LONGEST_MILLIS = 40;

    static List<Named<Consumer<Cache<String, String>>>> calls() {
        return List.of(
                Named.of("put", cache -> cache.put(KEY, "late")),
                Named.of("putIfAbsent", cache -> cache.putIfAbsent(KEY, "late")),
                Named.of("getAndPut", cache -> cache.getAndPut(KEY, "late")),
                Named.of("replace", cache -> cache.replace(KEY, "old", "late")),
                Named.of("remove", cache -> cache.remove(KEY)),
                Named.of("getAndRemove", cache -> cache.getAndRemove(KEY)),
                Named.of("putAll", cache -> cache.putAll(Map.of(KEY, "late"))),
                Named.of("removeAll", cache -> cache.removeAll(Set.of(KEY))));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void hearsOfIt_andHasNotAskedItsWriter(Consumer<Cache<String, String>> call) {
        for (int millis = 0; millis <= LONGEST_MILLIS; millis++) {
            Duration after = Duration.ofMillis(millis);
            Database database = new Database(() -> {}, () -> false);
            database.rows().put(KEY, "old");
            try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
                Cache<String, String> waiting = cache(keyslot.cacheManager(1), database);
                Runnable other = () -> {
                    keyslot.after(after, () -> Thread.currentThread().interrupt());
                    assertThatThrownBy(() -> call.accept(waiting))
                            .as("interrupted after %s", after)
                            .isInstanceOf(CallInterruptedException.class)
                            .hasMessageContaining("was not done");
                    assertThat(Thread.interrupted()).isTrue();
                };
                Cache<String, String> first = cache(keyslot.cacheManager(0), new Rows() {
                    @Override
                    public void put(String key, String value) {
                        other.run();
                        database.put(key, value);
                    }

                    @Override
                    public void remove(String key) {
                        throw new IllegalStateException("not called here");
                    }

                    @Override
                    public String load(String key) {
                        throw new IllegalStateException("not called here");
                    }
                });

                first.put(KEY, "new");

                assertThat(database.rows()).containsExactly(Map.entry(KEY, "new"));
                assertThat(waiting.get(KEY)).isEqualTo("new");
            }
        }
    }

    private static Cache<String, String> cache(CacheManager manager, Rows rows) {
        PartitionedConfiguration<String, String> configuration =
                new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
        configuration.setWriteThrough(true);
        configuration.setCacheWriterFactory(() -> rows);
        return manager.createCache("customer", configuration);
    }
}
