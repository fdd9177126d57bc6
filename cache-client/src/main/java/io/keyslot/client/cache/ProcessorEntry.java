// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.Unwrap;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entry that a processor works on. It records; what remains of it all is applied at once when the processor is done. What
 * the processor does to a value that it has read stays with the processor: only {@link #setValue} changes the entry. For use
 * by one thread.
 */
final class ProcessorEntry<K, V> implements MutableEntry<K, V> {
    private final K key;
    private final @Nullable V present;
    private final UnaryOperator<V> ofPresent;
    private final @Nullable Supplier<@Nullable V> loader;
    private final UnaryOperator<V> ofLoaded;
    private @Nullable V loaded;

    /** What the processor sees. */
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
        REMOVED;

        /** Returns whether something is to be stored or removed. */
        boolean isChange() {
            return this != NONE && this != READ;
        }
    }

    /**
     * Creates the entry as a processor finds it.
     *
     * @param ofPresent gives the processor what is there: a copy, if somebody else will see it as well
     * @param loader null if a read does not load
     * @param ofLoaded gives the processor a copy of what was loaded, which is stored as it was
     */
    ProcessorEntry(
            K key,
            @Nullable V present,
            UnaryOperator<V> ofPresent,
            @Nullable Supplier<@Nullable V> loader,
            UnaryOperator<V> ofLoaded) {
        this.key = key;
        this.present = present;
        this.ofPresent = ofPresent;
        this.loader = loader;
        this.ofLoaded = ofLoaded;
        this.value = present;
    }

    Effect effect() {
        return effect;
    }

    /** Returns the value that was set or loaded last. */
    V newValue() {
        return Objects.requireNonNull(effect == Effect.LOADED ? loaded : value, "value");
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
                value = ofPresent.apply(present);
                effect = Effect.READ;
            } else if (loader != null) {
                loaded = loader.get();
                value = loaded == null ? null : ofLoaded.apply(loaded);
                effect = loaded == null ? Effect.NONE : Effect.LOADED;
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
