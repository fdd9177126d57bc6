// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.expiry.Duration;
import javax.cache.integration.CacheWriterException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Write-through: the writer first, then the cache, and only what was written. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class WriterConformance extends JCacheConformance {
    private final RecordingWriter<String, String> writer = new RecordingWriter<>();
    private final RecordingListener<String, String> listener = new RecordingListener<>();
    private Cache<String, String> cache;

    @BeforeEach
    void createCache() {
        cache = create(strings()
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> writer)
                .addCacheEntryListenerConfiguration(listener.synchronous()));
    }

    @Test
    void clear_isNotWritten() {
        cache.put("k", "1");
        writer.takeWrites();
        cache.clear();
        assertThat(writer.takeWrites()).isEmpty();
    }

    @Test
    void creationWithZeroExpiry_isWrittenThoughNothingIsStored() {
        // The specification does not say; the reference implementation calls the writer.
        manager.destroyCache(NAME);
        SettableExpiry zero = new SettableExpiry().onCreation(() -> Duration.ZERO);
        cache = create(strings()
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> writer)
                .setExpiryPolicyFactory(() -> zero));
        cache.put("k", "v");
        assertThat(writer.takeWrites()).containsExactly("write k=v");
        assertThat(cache.containsKey("k")).isFalse();
    }

    @Test
    void exceptionOfTheWriter_isWrappedOnceAndNothingIsChanged() {
        cache.put("k", "1");
        writer.failFor("k");
        listener.takeEvents();
        assertFails(() -> cache.put("k", "2"));
        assertFails(() -> cache.getAndPut("k", "2"));
        assertFails(() -> cache.replace("k", "2"));
        assertFails(() -> cache.replace("k", "1", "2"));
        assertFails(() -> cache.getAndReplace("k", "2"));
        assertFails(() -> cache.remove("k"));
        assertFails(() -> cache.remove("k", "1"));
        assertFails(() -> cache.getAndRemove("k"));
        assertThat(cache.get("k")).isEqualTo("1");
        assertThat(listener.takeEvents()).isEmpty();
    }

    @Test
    void failedPutIfAbsent_leavesTheEntryAbsent() {
        writer.failFor("k");
        assertFails(() -> cache.putIfAbsent("k", "1"));
        assertThat(cache.containsKey("k")).isFalse();
        assertThat(listener.takeEvents()).isEmpty();
    }

    @Test
    void putAll_storesExactlyWhatTheWriterDid() {
        writer.failFor("k3", "k7");
        Map<String, String> entries =
                IntStream.range(0, 10).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));

        assertThatThrownBy(() -> cache.putAll(entries)).isInstanceOf(CacheWriterException.class);

        Map<String, String> done = new HashMap<>(entries);
        done.keySet().removeAll(Set.of("k3", "k7"));
        assertThat(cache.getAll(entries.keySet())).isEqualTo(done);
        assertThat(listener.takeEvents()).hasSize(8);
    }

    @Test
    void removeAllOfKeys_removesExactlyWhatTheWriterDid() {
        cache.putAll(Map.of("a", "1", "b", "1", "c", "1"));
        writer.failFor("b");
        listener.takeEvents();
        assertThatThrownBy(() -> cache.removeAll(Set.of("a", "b", "c"))).isInstanceOf(CacheWriterException.class);
        assertThat(cache.getAll(Set.of("a", "b", "c"))).containsOnlyKeys("b");
        assertThat(listener.takeEvents()).containsExactlyInAnyOrder("REMOVED a=1", "REMOVED c=1");
    }

    private static void assertFails(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CacheWriterException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("of the writer");
    }
}
