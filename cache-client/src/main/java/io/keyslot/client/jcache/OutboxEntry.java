// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of a call in the write-behind queue, taken before the cache is changed, and filled or given back
 * afterwards. The cache is changed and the places are filled under the {@linkplain #begin lock} of the entries. For use
 * by one thread.
 */
final class OutboxEntry implements AutoCloseable {
    /** The places of changes that are not queued. */
    static final OutboxEntry NONE = new OutboxEntry(null, List.of());

    private final @Nullable WriteBehind<?, ?> behind;
    private final Set<EncodedKey> open;
    private KeyedQueues.@Nullable Standing turn;

    /** Creates the places; {@code behind} is null if there is no queue. */
    OutboxEntry(@Nullable WriteBehind<?, ?> behind, List<EncodedKey> keys) {
        this.behind = behind;
        this.open = new HashSet<>(keys);
    }

    /**
     * Locks the entries until this is closed, so that no other call of this process sees a change before it is queued.
     * Until then, only the codec of the application may run. Throws
     * {@link io.keyslot.cache.failure.CacheOverloadedException} if others take too long.
     */
    void begin() {
        if (behind != null) {
            turn = behind.enter(List.copyOf(open), "nothing was changed");
        }
    }

    /**
     * Queues a change that the cache has made ({@code problem} is null) or may have made; null is a removal. After the
     * write of a change that it may have made, the stored value counts as outdated.
     */
    void settle(EncodedKey key, @Nullable Envelope value, @Nullable KeyslotException problem) {
        if (problem == null) {
            fill(key, value, false);
        } else if (problem instanceof OutcomeUnknownException) {
            fill(key, value, true);
        }
    }

    void fill(EncodedKey key, @Nullable Envelope value, boolean unsure) {
        if (behind != null && open.remove(key)) {
            behind.fill(key, value, unsure);
        }
    }

    @Override
    public void close() {
        if (turn != null) {
            turn.close();
            turn = null;
        }
        if (behind != null) {
            open.forEach(behind::giveBack);
            open.clear();
        }
    }
}
