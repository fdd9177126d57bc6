// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.health.Partition.NewerMaps;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The newest slot map that a partition knows of, and the reaction to its reports of a newer one. Thread-safe. */
final class KnownMap {
    /** The maximum time that calls wait for a newer map. After that, the voters of the map are considered lost. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final AtomicLong version = new AtomicLong();
    private final AtomicLong needed = new AtomicLong();
    private volatile long waitingSince;
    private volatile NewerMaps listener = version -> false;

    void listen(NewerMaps newest) {
        listener = newest;
    }

    long version() {
        return version.get();
    }

    void announce(long newest) {
        version.accumulateAndGet(newest, Math::max);
    }

    boolean isOutdated() {
        return needed.get() > version();
    }

    long needed() {
        return needed.get();
    }

    /** Returns whether calls wait for the newer map rather than being refused. */
    boolean isAwaited(long now) {
        return isOutdated() && now - waitingSince < LONGEST_WAIT.toNanos();
    }

    /** Records a connect failure. Returns a final one if no newer map can be found. */
    ConnectFailure learned(ConnectFailure failure, long now) {
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

    void hasForgotten() {
        listener.hasForgotten();
    }

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
        return reply instanceof Reply<?> known && known.isRefused(Refusal.FROZEN);
    }

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
