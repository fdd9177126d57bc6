// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Under what something is kept in this process about a key: the application's key, if it cannot change and comes out of its text as it went in, so that a hit
 * makes no text of it; else the stored key. Keys that a partition names are decoded on a thread that does I/O: of such classes
 * only, whose code is the JDK's.
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

    /** @param prefix what the stored keys of the cache start with, and those of no other cache */
    public LocalKeys(CacheCalls<K> calls, String prefix, Class<K> type) {
        this.calls = calls;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.arePlain = PLAIN.contains(type);
    }

    /** Returns what stands for a key. */
    public Object of(K key) {
        return arePlain ? key : calls.encode(key);
    }

    /** Returns the same of a stored key, null if it is none of this cache. */
    public @Nullable Object ofStored(EncodedKey key) {
        if (!isOurs(key.bytes())) {
            return null;
        }
        return arePlain ? calls.decodeOrNull(key) : key;
    }

    private boolean isOurs(byte[] key) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
