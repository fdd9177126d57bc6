// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void failedPutIfAbsent_leavesTheEntryAbsent() {
        writer.failFor("k");
        assertFails(() -> cache.putIfAbsent("k", "1"));
        assertThat(cache.containsKey("k")).isFalse();
        assertThat(listener.takeEvents()).isEmpty();
    }

    private static void assertFails(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CacheWriterException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("of the writer");
    }
}
