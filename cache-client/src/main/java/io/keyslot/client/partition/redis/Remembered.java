// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.Incarnation.Succession;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest incarnation in which this process has used a partition; it outlives the connections. Thread-safe.
 *
 * <p>An old primary that comes back has all its data, including the record. Only clients that used another server
 * meanwhile can know that it was replaced.
 */
final class Remembered {
    private final Supplier<String> ids;
    private final AtomicReference<Newest> newest;
    private final AtomicReference<@Nullable Known> server;

    /** The memory before the vote by which a majority of sentinels has named the server; null without such a vote. */
    private final @Nullable Newest beforeTheVote;

    /** The newest incarnation, and whether a majority of sentinels has named its server. */
    private record Newest(@Nullable Incarnation incarnation, boolean isElected) {}

    /** The server that this process has used, and whether it may hold foreign keys. */
    private record Known(String runId, boolean isGuarded) {}

    Remembered(Supplier<String> ids) {
        this(ids, new AtomicReference<>(new Newest(null, false)), new AtomicReference<>(), null);
    }

    private Remembered(
            Supplier<String> ids,
            AtomicReference<Newest> newest,
            AtomicReference<@Nullable Known> server,
            @Nullable Newest beforeTheVote) {
        this.ids = ids;
        this.newest = newest;
        this.server = server;
        this.beforeTheVote = beforeTheVote;
    }

    /**
     * Returns this memory for a server that a majority of sentinels will name in a later vote. Its incarnation need not
     * follow that of a server that a majority named before, because any two majorities share a sentinel, and no
     * sentinel goes back to an earlier election.
     */
    Remembered beforeAVote() {
        return new Remembered(ids, newest, server, newest.get());
    }

    Succession next(String recorded, String serverRun) {
        Newest known = Objects.requireNonNull(newest.get());
        Optional<Incarnation> found = Incarnation.parse(recorded);
        return found.filter(incarnation -> outvotes(incarnation, known))
                .map(incarnation -> Succession.of(found, serverRun, Optional.empty(), ids))
                .filter(next -> next.step() != Succession.Step.BEGIN)
                .orElseGet(() -> Succession.of(found, serverRun, Optional.ofNullable(known.incarnation()), ids));
    }

    /** Returns whether an incarnation replaces the remembered one without following it. An abandoned one does not. */
    private boolean outvotes(Incarnation incarnation, Newest known) {
        Incarnation last = known.incarnation();
        return last != null
                && known.isElected()
                && known.equals(beforeTheVote)
                && !incarnation.serverRun().equals(last.serverRun())
                && !last.isOrFollows(incarnation);
    }

    /** Remembers an incarnation. Returns whether it is the newest now; otherwise it must not be used. */
    boolean learn(Incarnation incarnation) {
        boolean isVoted = beforeTheVote != null;
        Newest known = newest.updateAndGet(before -> {
            Incarnation last = before.incarnation();
            if (last == null) {
                return new Newest(incarnation, isVoted);
            }
            boolean isSame = incarnation.id().equals(last.id());
            return incarnation.isOrFollows(last) || outvotes(incarnation, before)
                    ? new Newest(incarnation.after(last), isVoted || (isSame && before.isElected()))
                    : before;
        });
        Incarnation now = known.incarnation();
        return now != null && now.id().equals(incarnation.id());
    }

    void note(String runId, boolean isGuarded) {
        server.set(new Known(runId, isGuarded));
    }

    /** Returns whether this run of a server may hold foreign keys; later additions are ours. Empty for another run. */
    Optional<Boolean> isGuarded(String runId) {
        return Optional.ofNullable(server.get())
                .filter(known -> !runId.isEmpty() && known.runId().equals(runId))
                .map(Known::isGuarded);
    }

    /** Returns an epoch that no entry has, for a connection without an incarnation. */
    int epochOfNone() {
        return Incarnation.epoch(ids.get());
    }
}
