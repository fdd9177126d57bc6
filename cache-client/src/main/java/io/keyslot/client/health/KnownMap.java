// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest slot map that a partition was told of, and what is done when it says that there is a newer one. Safe for use by
 * several threads.
 */
final class KnownMap {
    /** So long calls wait for a newer map; who has not got it by then has lost what it was agreed on by. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final AtomicLong version = new AtomicLong();
    private final AtomicLong needed = new AtomicLong();
    private volatile long waitingSince;
    private volatile NewerMaps listener = NewerMaps.NONE;

    /** Tells somebody from now on of newer maps. */
    void tell(NewerMaps newest) {
        listener = newest;
    }

    /** Returns the version, 0 before there is one. */
    long version() {
        return version.get();
    }

    void announce(long newest) {
        version.accumulateAndGet(newest, Math::max);
    }

    /** Returns whether the partition lets nobody in who knows no newer map than this. */
    boolean isOutdated() {
        return needed.get() > version();
    }

    /** Returns the version that it wants, if it is outdated. */
    long needed() {
        return needed.get();
    }

    /** Returns whether calls wait for the newer map, rather than to be refused for good. */
    boolean isAwaited(long now) {
        return isOutdated() && now - waitingSince < LONGEST_WAIT.toNanos();
    }

    /** Returns the failure of a connect: who has an outdated map waits for a newer one, if there ever is one. */
    ConnectFailure heard(ConnectFailure failure, long now) {
        if (failure.kind() != ConnectFailure.Kind.OUTDATED) {
            return failure;
        }
        if (!isOutdated()) {
            waitingSince = now;
        }
        needed.accumulateAndGet(failure.mapVersion(), Math::max);
        return isSought(failure.mapVersion()) ? failure : failure.rejected();
    }

    private boolean isSought(long newer) {
        return newer <= version() || listener.isSought(newer);
    }

    /** The partition is in another life than before. */
    void hasForgotten() {
        listener.hasForgotten();
    }

    /** Has the map looked for that a reply names, if it is newer. */
    void learnFrom(Command<?> command, Reply<?> reply) {
        if (isFrozen(command, reply)) {
            listener.refusedFrozen();
        }
        long newer = namedIn(command, reply);
        if (newer > version()) {
            boolean unused = listener.isSought(newer);
        }
    }

    private static boolean isFrozen(Command<?> command, Reply<?> reply) {
        if (!(reply instanceof Reply.Done<?> done)) {
            return isFrozen(reply);
        }
        if (command instanceof Command.PutAll) {
            for (Object part : (List<?>) done.value()) {
                if (isFrozen(part)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isFrozen(Object reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.FROZEN;
    }

    /** Returns the highest version that a reply names, 0 if it names none. */
    private static long namedIn(Command<?> command, Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            long newest = 0;
            if (command instanceof Command.PutAll) {
                for (Object part : (List<?>) done.value()) {
                    newest = Math.max(newest, named(part));
                }
            }
            return newest;
        }
        return named(reply);
    }

    private static long named(Object reply) {
        return reply instanceof Reply.Refused<?> refused ? refused.mapVersion() : 0;
    }
}
