// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The load of one entry by one call. For use by one thread. */
final class Load<K, V> {
    final K key;
    final EncodedKey encoded;

    /** The result of the read that caused the load. */
    final Answer<V> missed;

    final Participation.Role role;
    final Flight<V> flight;

    /** The load that has to end before this one begins, if this one leads the next flight. */
    final @Nullable Flight<V> ahead;

    /** The entry as this thread read it last. */
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

    LoadResult<V> result() {
        return Objects.requireNonNull(result, "it is not over");
    }
}
