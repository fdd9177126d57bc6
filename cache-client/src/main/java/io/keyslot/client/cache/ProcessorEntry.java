// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.Unwrap;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a processor. It records the processor's actions, whose final effect is applied when the processor
 * returns. Only {@link #setValue} changes the value, not modifications of a value that was read. For use by one thread.
 */
final class ProcessorEntry<K, V> implements MutableEntry<K, V> {
    private final K key;
    private final @Nullable V present;
    private final UnaryOperator<V> ofPresent;
    private final @Nullable Supplier<@Nullable V> loader;
    private final UnaryOperator<V> ofLoaded;
    private @Nullable V loaded;

    private @Nullable V value;

    private Effect effect = Effect.NONE;

    /** The final effect of a processor. */
    enum Effect {
        /** It did nothing, or only checked whether the entry exists. */
        NONE,
        READ,
        /** It read a value that was loaded. */
        LOADED,
        CREATED,
        UPDATED,
        REMOVED;

        boolean isChange() {
            return this != NONE && this != READ;
        }
    }

    /**
     * Creates the entry. {@code ofPresent} and {@code ofLoaded} copy the present or loaded value for the processor, if
     * it is used elsewhere as well; {@code loader} is null if reads do not load.
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
    @SuppressWarnings("NullAway") // JSR-107: null for an entry that does not exist
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
