// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Objects;
import java.util.function.Supplier;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entry that a processor works on. It records; what remains of it all is applied at once when the processor is done.
 * For use by one thread.
 */
final class ProcessorEntry<K, V> implements MutableEntry<K, V> {
    private final K key;
    private final @Nullable V present;
    private final @Nullable Supplier<@Nullable V> loader;
    private @Nullable V value;
    private Effect effect = Effect.NONE;

    /** What a processor did in the end. */
    enum Effect {
        /** Nothing; it may have asked whether the entry exists. */
        NONE,
        /** It read the value. */
        READ,
        /** It read the value, which had to be loaded. */
        LOADED,
        /** It set a value where there was none. */
        CREATED,
        /** It set another value. */
        UPDATED,
        /** It removed the entry. */
        REMOVED
    }

    /** @param loader null if a read does not load */
    ProcessorEntry(K key, @Nullable V present, @Nullable Supplier<@Nullable V> loader) {
        this.key = key;
        this.present = present;
        this.loader = loader;
        this.value = present;
    }

    Effect effect() {
        return effect;
    }

    /** Returns the value that was set or loaded last. */
    V newValue() {
        return Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean exists() {
        return value != null;
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here for an entry that does not exist
    public V getValue() {
        if (effect == Effect.NONE) {
            if (present != null) {
                effect = Effect.READ;
            } else if (loader != null) {
                value = loader.get();
                effect = value == null ? Effect.NONE : Effect.LOADED;
            }
        }
        return value;
    }

    @Override
    public void setValue(V newValue) {
        value = Objects.requireNonNull(newValue, "value");
        effect = present == null ? Effect.CREATED : Effect.UPDATED;
    }

    @Override
    public void remove() {
        effect = effect == Effect.CREATED || effect == Effect.LOADED ? Effect.NONE : Effect.REMOVED;
        value = null;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }
}
