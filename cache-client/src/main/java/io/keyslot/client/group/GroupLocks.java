// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The lock of one group: polls until it is free, with pauses, and renews its lease while it is held. */
final class GroupLocks implements GroupLock {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final GroupedCaches caches;
    private final GroupCalls calls;
    private final GroupTransactions transactions;
    private final HeldLocks locks;
    private final StampSource stamps;

    GroupLocks(
            GroupedCaches caches,
            GroupCalls calls,
            GroupTransactions transactions,
            HeldLocks locks,
            StampSource stamps) {
        this.caches = caches;
        this.calls = calls;
        this.transactions = transactions;
        this.locks = locks;
        this.stamps = stamps;
    }

    @Override
    public Optional<Held> tryLock(Duration wait, Duration lease) {
        String root = calls.keys().root().text();
        checkLease(root, lease);
        transactions.requireNone("the lock");
        locks.requirePlace(root);
        Deadline end = calls.budgets().after(Objects.requireNonNull(wait, "wait"));
        long holder = stamps.next();
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            caches.checkOpen();
            long asked = calls.budgets().ticker().nanos();
            long token = ask(holder, lease);
            if (token != 0) {
                HeldLock.Taken taken = new HeldLock.Taken(holder, token, lease, asked);
                HeldLock lock = new HeldLock(calls, transactions, locks, taken);
                locks.hold(lock);
                return Optional.of(lock);
            }
            if (!locks.pause(end, pause)) {
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
        LockCommand.Lock command = new LockCommand.Lock(calls.keys().home(), holder, Expiry.after(lease));
        Reply<Long> reply = calls.ask(command, calls.budgets().of("tryLock"));
        if (reply instanceof Reply.Done<Long> done) {
            return done.value();
        }
        if (reply instanceof Reply.Refused<Long> refused) {
            throw calls.failures().refused("tryLock", refused);
        }
        // The lock may have been taken: it would not be renewed, and would block others until its lease ends.
        CompletableFuture<Reply<Boolean>> unused =
                calls.send(new LockCommand.Unlock(calls.keys().home(), holder), locks.releaseDeadline());
        throw calls.failures().unknown("tryLock", true, (Reply.Unknown<Long>) reply);
    }
}
