// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.cache.ChangeQueue.PendingChange;
import io.keyslot.client.cache.ChangeQueue.QueuedChange;
import io.keyslot.client.cache.KeyedTurns.Turn;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of a call in the write-behind queue, taken before the cache is changed, and filled or given back
 * afterwards. The cache is changed and the places are filled under the {@linkplain #begin lock} of the entries. For use
 * by one thread.
 */
public final class OutboxEntry<K, V> implements AutoCloseable {
    private static final OutboxEntry<?, ?> NONE = new OutboxEntry<>(null, Set.of());

    private final @Nullable WriteBehind<K, V> behind;
    private final Set<K> open;
    private @Nullable Turn<K> turn;

    /** Creates the places; {@code behind} is null if there is no queue. */
    private OutboxEntry(@Nullable WriteBehind<K, V> behind, Set<K> open) {
        this.behind = behind;
        this.open = open;
    }

    OutboxEntry(WriteBehind<K, V> behind, List<K> keys) {
        this(behind, new HashSet<>(keys));
    }

    /** Returns the places of a change that is not queued. */
    @SuppressWarnings("unchecked") // it has no keys
    public static <K, V> OutboxEntry<K, V> none() {
        return (OutboxEntry<K, V>) NONE;
    }

    /**
     * Locks the entries until this is closed, so that no other call of this process sees a change before it is queued.
     * Until then, only the codec of the application may run. Throws
     * {@link io.keyslot.cache.failure.CacheOverloadedException} if others take too long.
     */
    public void begin() {
        if (behind != null) {
            turn = behind.begin(open);
        }
    }

    /** Queues a change that the cache has made ({@code problem} is null) or may have made; null is a removal. */
    public void settle(K key, @Nullable V value, @Nullable KeyslotException problem) {
        if (behind == null) {
            return;
        }
        if (problem == null) {
            fill(key, new PendingChange<>(value));
        } else if (problem instanceof OutcomeUnknownException) {
            fillUnsure(key, new PendingChange<>(value));
        }
    }

    void fill(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, false));
    }

    /** Queues a change that the cache may not have made; after the write, the stored value counts as outdated. */
    void fillUnsure(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, true));
    }

    private void fill(K key, QueuedChange<V> change) {
        if (behind != null && open.remove(key)) {
            behind.fill(key, change);
        }
    }

    @Override
    public void close() {
        if (behind == null) {
            return;
        }
        if (turn != null) {
            behind.end(turn);
            turn = null;
        }
        open.forEach(behind::giveBack);
        open.clear();
    }
}
