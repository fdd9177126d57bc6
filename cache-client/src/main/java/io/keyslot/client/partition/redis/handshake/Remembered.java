// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest life in which this process has used a partition. It outlives the connections. Safe for use by several threads.
 *
 * <p>An old primary that comes back has all its data, and the record among it. Only those who were elsewhere meanwhile can
 * know that it was replaced.
 */
public final class Remembered {
    private final Supplier<String> ids;
    private final AtomicReference<@Nullable Life> newest = new AtomicReference<>();

    /** The server that this process has used, and whether it may have data of strangers. */
    private record Known(String runId, boolean isGuarded) {}

    private final AtomicReference<@Nullable Known> server = new AtomicReference<>();

    /** @param ids draws ids of lives at random */
    public Remembered(Supplier<String> ids) {
        this.ids = ids;
    }

    /** Returns what to do about the life that a server has recorded. */
    Succession next(String recorded, String reign) {
        return Succession.of(Life.parse(recorded), reign, Optional.ofNullable(newest.get()), ids);
    }

    /** Remembers a life. Returns whether it is, or follows, the one that was remembered; it is not to be used otherwise. */
    boolean learn(Life life) {
        Life known = newest.updateAndGet(before -> before == null || life.isOrFollows(before) ? life : before);
        return life.equals(known);
    }

    /** Remembers whether the server, in this run of it, may have data of strangers. */
    void note(String runId, boolean isGuarded) {
        server.set(new Known(runId, isGuarded));
    }

    /** Returns what is remembered of this run of a server: what has come since then is ours. Empty if it is another one. */
    Optional<Boolean> isGuarded(String runId) {
        return Optional.ofNullable(server.get())
                .filter(known -> !runId.isEmpty() && known.runId().equals(runId))
                .map(Known::isGuarded);
    }

    /** Returns the epoch of a connection without a life: one that no entry has. */
    int epochOfNobody() {
        return Life.epoch(ids.get());
    }
}
