// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.cache.PartitionedCache;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Entries whose envelope is sound and whose value the codec cannot read: no entries, in every operation. */
class UnreadableEntryTest {
    private static final String UNREADABLE = "unreadable";

    @Test
    void putIfAbsent_storesOverAnUnreadableValue() {
        try (Embedded embedded = new Embedded()) {
            PartitionedCache<String, String> cache = cache(embedded);
            cache.put("k", UNREADABLE);

            assertThat(cache.putIfAbsent("k", "new")).isTrue();
            assertThat(cache.get("k")).isEqualTo("new");
            assertThat(cache.putIfAbsent("k", "newer")).isFalse();
        }
    }

    @Test
    void unreadableValue_isAbsentForEveryDecision() {
        try (Embedded embedded = new Embedded()) {
            PartitionedCache<String, String> cache = cache(embedded);

            cache.put("a", UNREADABLE);
            assertThat(cache.containsKey("a")).isFalse();
            cache.put("b", UNREADABLE);
            assertThat(cache.replace("b", "new")).isFalse();
            cache.put("c", UNREADABLE);
            assertThat(cache.getAndPut("c", "new")).isNull();
            cache.put("d", UNREADABLE);
            assertThat(cache.remove("d")).isFalse();
        }
    }

    private static PartitionedCache<String, String> cache(Embedded embedded) {
        return embedded.cache("texts", Embedded.configuration().setCodecFactory(OneValueUnreadable::new));
    }

    /** Writes every text and reads all but one. */
    private static final class OneValueUnreadable implements Codec<String> {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(ByteBuffer bytes) {
            String value = StandardCharsets.UTF_8.decode(bytes).toString();
            if (value.equals(UNREADABLE)) {
                throw new IllegalArgumentException("not readable");
            }
            return value;
        }
    }
}
