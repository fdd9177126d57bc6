// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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

    private final Function<K, EncodedKey> encode;
    private final Function<EncodedKey, @Nullable K> decode;
    private final byte[] prefix;
    private final boolean arePlain;

    /** Creates the conversion for a cache; {@code decode} returns null for a stored key that cannot be read. */
    public LocalKeys(
            KeyCodec<K> codec,
            Function<K, EncodedKey> encode,
            Function<EncodedKey, @Nullable K> decode,
            Class<K> type) {
        this.encode = encode;
        this.decode = decode;
        this.prefix = codec.prefix().getBytes(StandardCharsets.UTF_8);
        this.arePlain = PLAIN.contains(type) && !codec.isHashed();
    }

    public Object of(K key) {
        return arePlain ? key : encode.apply(key);
    }

    public EncodedKey stored(K key) {
        return encode.apply(key);
    }

    /** Returns the form of a stored key, or null if it is not a key of this cache. */
    public @Nullable Object ofStored(EncodedKey key) {
        if (!key.startsWith(prefix)) {
            return null;
        }
        return arePlain ? decode.apply(key) : key;
    }
}
