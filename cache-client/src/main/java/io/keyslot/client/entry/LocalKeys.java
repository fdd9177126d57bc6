// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts keys to the form under which this process keeps data about them: the application's key if it is immutable
 * and its text converts back to an equal key, so that a hit creates no text; otherwise the stored key. Keys from
 * partitions are decoded on an I/O thread, so only classes of the JDK are converted.
 */
public final class LocalKeys<K> {
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Long.class,
            Integer.class,
            Short.class,
            Byte.class,
            Character.class,
            Boolean.class,
            UUID.class,
            Instant.class,
            LocalDate.class);

    private final CacheCalls<K> calls;
    private final byte[] prefix;
    private final boolean arePlain;

    public LocalKeys(CacheCalls<K> calls, String prefix, Class<K> type) {
        this.calls = calls;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.arePlain = PLAIN.contains(type) && !calls.keys().isHashed();
    }

    public Object of(K key) {
        return arePlain ? key : calls.encode(key);
    }

    /** Returns the key as partitions store it. */
    public EncodedKey stored(K key) {
        return calls.encode(key);
    }

    /** Returns the form of a stored key, or null if it is not a key of this cache. */
    public @Nullable Object ofStored(EncodedKey key) {
        if (!key.startsWith(prefix)) {
            return null;
        }
        return arePlain ? calls.decodeOrNull(key) : key;
    }
}
