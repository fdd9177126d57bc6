// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Objects;
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
    private final AtomicReference<Newest> newest;
    private final AtomicReference<@Nullable Known> server;

    /** What was remembered when the sentinels were asked of which a majority names the server; null if none does. */
    private final @Nullable Newest beforeTheVote;

    /** The newest life, and whether a majority of sentinels has named its server. */
    private record Newest(@Nullable Incarnation incarnation, boolean isElected) {}

    /** The server that this process has used, and whether it may have data of strangers. */
    private record Known(String runId, boolean isGuarded) {}

    /** @param ids draws ids of lives at random */
    public Remembered(Supplier<String> ids) {
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
     * Returns the same memory for a server that a majority of sentinels will name, which is asked after this. Its life need not
     * follow that of a server which a majority named before: any two majorities have a sentinel in common, and no sentinel goes
     * back to an earlier election.
     */
    public Remembered beforeAVote() {
        return new Remembered(ids, newest, server, newest.get());
    }

    /** Returns what to do about the life that a server has recorded. */
    Succession next(String recorded, String serverRun) {
        Newest known = Objects.requireNonNull(newest.get());
        Optional<Incarnation> found = Incarnation.parse(recorded);
        return found.filter(incarnation -> outvotes(incarnation, known))
                .map(incarnation -> Succession.of(found, serverRun, Optional.empty(), ids))
                .filter(next -> next.step() != Succession.Step.BEGIN)
                .orElseGet(() -> Succession.of(found, serverRun, Optional.ofNullable(known.incarnation()), ids));
    }

    /** Returns whether a life replaces the remembered one although it need not follow it. One that was left does not. */
    private boolean outvotes(Incarnation incarnation, Newest known) {
        Incarnation last = known.incarnation();
        return last != null
                && known.isElected()
                && known.equals(beforeTheVote)
                && !incarnation.serverRun().equals(last.serverRun())
                && !last.isOrFollows(incarnation);
    }

    /** Remembers a life. Returns whether it is the newest one now; it is not to be used otherwise. */
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
    int epochOfNone() {
        return Incarnation.epoch(ids.get());
    }
}
