// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

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

    private Step.Kind kind = Step.Kind.KEEP;

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

    Step.Kind kind() {
        return kind;
    }

    @Nullable
    V newValue() {
        return switch (kind) {
            case SET_LOADED -> loaded;
            case SET -> value;
            case KEEP, TOUCH, REMOVE -> null;
        };
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
        if (kind == Step.Kind.KEEP) {
            if (present != null) {
                value = ofPresent.apply(present);
                kind = Step.Kind.TOUCH;
            } else if (loader != null) {
                loaded = loader.get();
                value = loaded == null ? null : ofLoaded.apply(loaded);
                kind = loaded == null ? Step.Kind.KEEP : Step.Kind.SET_LOADED;
            }
        }
        return value;
    }

    @Override
    public void setValue(V newValue) {
        value = Objects.requireNonNull(newValue, "value");
        kind = Step.Kind.SET;
    }

    @Override
    public void remove() {
        boolean isNew = kind == Step.Kind.SET_LOADED || (kind == Step.Kind.SET && present == null);
        kind = isNew ? Step.Kind.KEEP : Step.Kind.REMOVE;
        value = null;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }
}
