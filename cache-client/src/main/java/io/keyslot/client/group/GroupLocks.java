// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The lock of one group: asks for it until it is free, with pauses, and holds it by renewing its lease. */
final class GroupLocks implements GroupLock {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final GroupParts parts;
    private final GroupTransactions transactions;

    GroupLocks(GroupParts parts, GroupTransactions transactions) {
        this.parts = parts;
        this.transactions = transactions;
    }

    @Override
    public Optional<Held> tryLock(Duration wait, Duration lease) {
        String root = parts.keys().root().text();
        checkLease(root, lease);
        parts.transactions().requireNone(root, "the lock");
        parts.locks().requirePlace(root);
        Deadline end = Deadline.after(parts.timing().ticker(), Objects.requireNonNull(wait, "wait"));
        long holder = parts.stamps().next();
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            parts.checkOpen();
            long asked = parts.timing().ticker().nanos();
            long token = ask(holder, lease);
            if (token != 0) {
                return Optional.of(HeldLock.hold(parts, transactions, holder, token, lease, asked));
            }
            if (!pause(end, pause)) {
                return Optional.empty();
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private static void checkLease(String root, Duration lease) {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("Group %s: the lease of a lock is %s, must be from %s to %s"
                    .formatted(root, lease, SHORTEST_LEASE, LONGEST_LEASE));
        }
    }

    private long ask(long holder, Duration lease) {
        Command.Lock command = new Command.Lock(parts.keys().home(), holder, Expiry.after(lease));
        Reply<Long> reply = parts.calls().ask(command, parts.budget("tryLock"));
        if (reply instanceof Reply.Done<Long> done) {
            return done.value();
        }
        if (reply instanceof Reply.Refused<Long> refused) {
            throw parts.calls().refused("tryLock", refused);
        }
        // It may have been taken: nobody would renew it or give it back, and others would wait for its end.
        CompletableFuture<Reply<Boolean>> unused = HeldLock.release(parts, holder);
        throw parts.calls().unknown("tryLock", true, (Reply.Unknown<Long>) reply);
    }

    /** Returns whether there is still time; half of each pause is by chance. */
    private boolean pause(Deadline end, Duration longest) {
        if (end.isOver()) {
            return false;
        }
        Duration half = longest.dividedBy(2);
        long nanos = half.toNanos() + parts.timing().upTo(half);
        parts.waiter().pause(Duration.ofNanos(Math.min(nanos, end.remainingNanos())));
        return true;
    }
}
