// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.LoadCause;
import io.keyslot.client.stored.EncodedKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one call does about one entry that it wants to be loaded. For use by one thread. */
final class Load<K, V> {
    final K key;
    final EncodedKey encoded;

    /** What the read found for which the entry is loaded. */
    final Answer<V> missed;

    final Participation.Role role;
    final Flight<V> flight;

    /** The load that this one has to wait for before it begins, if it is to lead the next one. */
    final @Nullable Flight<V> ahead;

    /** What was in the entry's place when this thread looked last. */
    private Answer<V> seen;

    private @Nullable LoadResult<V> result;

    Load(Loads.Wanted<K, V> wanted, Participation<V> participation) {
        this.key = wanted.key();
        this.encoded = wanted.encoded();
        this.missed = wanted.seen();
        this.role = participation.role();
        this.flight = participation.flight();
        this.ahead = participation.ahead();
        this.seen = missed;
    }

    Answer<V> seen() {
        return seen;
    }

    void sees(Answer<V> now) {
        seen = now;
    }

    /** Returns why the loader is asked if it is asked now. */
    LoadCause cause() {
        return switch (seen.kind()) {
            case UNKNOWN -> LoadCause.MISSING_PARTITION;
            case STALE -> LoadCause.EXPIRED;
            default -> LoadCause.MISS;
        };
    }

    boolean isOver() {
        return result != null;
    }

    void end(LoadResult<V> how) {
        result = how;
    }

    /** Returns how it ended. */
    LoadResult<V> result() {
        return Objects.requireNonNull(result, "it is not over");
    }
}
