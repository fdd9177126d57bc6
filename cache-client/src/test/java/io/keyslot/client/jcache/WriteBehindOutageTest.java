// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which changes reach the database while their partition is missing: those that the caller was told are done. */
class WriteBehindOutageTest {
    private static final WriteBehindOptions LATER =
            WriteBehindOptions.defaults().withDelay(Duration.ofMinutes(10));

    @AutoClose
    private final Embedded embedded = new Embedded();

    private final RecordingWriter<String, String> writer = new RecordingWriter<>();

    private PartitionedCache<String, String> cache(MissingPartitionWritePolicy policy) {
        PartitionedConfiguration<String, String> configuration =
                Embedded.configuration().setWriteBehind(LATER).setMissingPartitionWrites(policy);
        configuration.setWriteThrough(true).setCacheWriterFactory(() -> writer);
        return embedded.cache("behind", configuration);
    }

    private String missingKeyOf(PartitionedCache<String, String> cache) {
        String key = Embedded.keysOf(cache, "p1", 1).get(0);
        embedded.partition("p1").kill();
        return key;
    }

    @Test
    void changeThatIsRefused_isNotWritten() {
        PartitionedCache<String, String> cache = cache(MissingPartitionWritePolicy.FAIL);
        String key = missingKeyOf(cache);

        assertThatThrownBy(() -> cache.put(key, "1")).isInstanceOf(PartitionUnavailableException.class);
        assertThatThrownBy(() -> cache.putAll(Map.of(key, "1"))).isInstanceOf(PartitionUnavailableException.class);
        assertThatThrownBy(() -> cache.remove(key)).isInstanceOf(PartitionUnavailableException.class);

        assertThat(cache.flushWrites(Duration.ofSeconds(10))).isTrue();
        assertThat(writer.takeWrites()).isEmpty();
    }

    @Test
    void putThatIsJournaled_isWritten() {
        PartitionedCache<String, String> cache = cache(MissingPartitionWritePolicy.JOURNAL);
        String key = missingKeyOf(cache);

        cache.put(key, "1");

        assertThat(cache.flushWrites(Duration.ofSeconds(10))).isTrue();
        assertThat(writer.takeWrites()).containsExactly("write " + key + "=1");
    }

    @Test
    void bulkChangesThatAreJournaled_areWritten() {
        PartitionedCache<String, String> cache = cache(MissingPartitionWritePolicy.JOURNAL);
        Map<String, String> entries = Embedded.entries(cache);
        embedded.partition("p1").kill();

        cache.putAll(entries);
        assertThat(cache.flushWrites(Duration.ofSeconds(10))).isTrue();
        assertThat(writer.takeWrites()).hasSize(entries.size());

        cache.removeAll(Set.copyOf(entries.keySet()));
        assertThat(cache.flushWrites(Duration.ofSeconds(10))).isTrue();
        assertThat(writer.takeWrites()).hasSize(entries.size());
    }

    @Test
    void decisionThatIsRefused_isNotWrittenThoughPutsAreJournaled() {
        PartitionedCache<String, String> cache = cache(MissingPartitionWritePolicy.JOURNAL);
        String key = missingKeyOf(cache);

        assertThatThrownBy(() -> cache.putIfAbsent(key, "1")).isInstanceOf(PartitionUnavailableException.class);

        assertThat(cache.flushWrites(Duration.ofSeconds(10))).isTrue();
        assertThat(writer.takeWrites()).isEmpty();
    }
}
