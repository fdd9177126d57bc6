// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one group: polls until it is free, with pauses, and renews its lease while it is held. {@code held} has the
 * locks that all groups of the manager hold.
 */
record GroupLocks(
        GroupedCaches caches,
        GroupCalls calls,
        GroupTransactions transactions,
        Set<HeldLock> held,
        Polling polling,
        StampSource stamps)
        implements GroupLock {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    /** The most locks that a manager holds. Each is renewed several times in its lease. */
    private static final int MOST = 10_000;

    @Override
    public Optional<Held> tryLock(Duration wait, Duration lease) {
        String root = calls.keys().root().text();
        checkLease(root, lease);
        transactions.requireNone("the lock");
        requirePlace(root);
        long holder = stamps.next();
        return Optional.ofNullable(polling.await(Objects.requireNonNull(wait, "wait"), () -> taken(holder, lease)));
    }

    private @Nullable HeldLock taken(long holder, Duration lease) {
        caches.checkOpen();
        long asked = calls.ticker().nanos();
        long token = ask(holder, lease);
        if (token == 0) {
            return null;
        }
        HeldLock lock = new HeldLock(holder, token, lease, asked);
        held.add(lock);
        lock.renewLater();
        return lock;
    }

    private static void checkLease(String root, Duration lease) {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("Group %s: the lease of a lock is %s, must be from %s to %s"
                    .formatted(root, lease, SHORTEST_LEASE, LONGEST_LEASE));
        }
    }

    private long ask(long holder, Duration lease) {
        LockCommand.Lock command = new LockCommand.Lock(calls.keys().home(), holder, Expiry.after(lease));
        Reply<Long> reply = calls.ask(command, calls.budget("tryLock"));
        if (reply instanceof Reply.Done<Long> done) {
            return done.value();
        }
        if (reply instanceof Reply.Unknown) {
            // The lock may have been taken: it would not be renewed, and would block others until its lease ends.
            CompletableFuture<Reply<Boolean>> unused =
                    calls.send(new LockCommand.Unlock(calls.keys().home(), holder), releaseDeadline());
        }
        throw calls.failures().ofRead("tryLock", reply);
    }

    private void requirePlace(String root) {
        if (held.size() >= MOST) {
            throw new CacheOverloadedException(
                    "Group %s: the lock was not taken: this manager holds %d locks, which is the most; close some"
                            .formatted(root, MOST));
        }
    }

    private Deadline releaseDeadline() {
        return calls.after(LONGEST_RELEASE);
    }

    private Reply<Boolean> await(CompletableFuture<Reply<Boolean>> answer) {
        return polling.waiter().await(answer, releaseDeadline(), () -> Reply.unknown("no answer in time", null));
    }

    /** Releases all of these locks concurrently, and waits as long as for a single one. */
    static void release(Set<HeldLock> held, Waiter waiter) {
        CompletableFuture<?>[] released =
                List.copyOf(held).stream().map(HeldLock::release).toArray(CompletableFuture<?>[]::new);
        waiter.awaitClose(CompletableFuture.allOf(released).thenApply(done -> true), LONGEST_RELEASE, () -> false);
    }

    /**
     * A held lock, whose lease is renewed after each third of it. A lost renewal is followed by the next one. The lock ends
     * if another client has it, or no renewal succeeds in time. Safe for use by several threads.
     */
    final class HeldLock implements GroupLock.Held {
        private final long holder;
        private final long token;
        private final Duration lease;
        private long heldUntilNanos; // guarded by this
        private boolean lost; // guarded by this
        private boolean closed; // guarded by this
        private @Nullable Future<?> next; // guarded by this

        /** Creates a lock that the partition has granted; the lease began at {@code askedNanos} or later. */
        HeldLock(long holder, long token, Duration lease, long askedNanos) {
            this.holder = holder;
            this.token = token;
            this.lease = lease;
            this.heldUntilNanos = askedNanos + lease.toNanos();
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public synchronized boolean isHeld() {
            return !closed && !lost && calls.ticker().nanos() - heldUntilNanos < 0;
        }

        @Override
        public <T extends @Nullable Object> T transact(GroupWork<T> work) {
            Objects.requireNonNull(work, "work");
            requireTaken();
            try {
                return transactions.transact("transact", work, token);
            } catch (LockLostException e) {
                confirm();
                throw e;
            }
        }

        /** Checks with the partition: the exception may come from another lock that the work used. */
        private void confirm() {
            long asked = calls.ticker().nanos();
            renewed(await(calls.send(renewal(), releaseDeadline())), asked);
        }

        private LockCommand.RenewLock renewal() {
            return new LockCommand.RenewLock(calls.keys().home(), token, Expiry.after(lease));
        }

        /** Only the partition knows whether the lock is still held; a known loss needs no command. */
        private synchronized void requireTaken() {
            String root = calls.keys().root().text();
            if (closed) {
                throw new IllegalStateException("Group %s: the lock was given back; take it again".formatted(root));
            }
            if (lost) {
                throw new LockLostException(
                        "Group %s: the lock was lost, nothing was done; take it again, and read again what was read under it"
                                .formatted(root));
            }
        }

        synchronized void renewLater() {
            if (!closed && !lost) {
                polling.timing().schedule(this::renew, third().toNanos()).ifPresent(timer -> next = timer);
            }
        }

        private void renew() {
            long asked = calls.ticker().nanos();
            CompletableFuture<Void> unused =
                    calls.send(renewal(), calls.after(third())).thenAccept(reply -> renewed(reply, asked));
            renewLater();
        }

        private Duration third() {
            return lease.dividedBy(3);
        }

        private synchronized void renewed(Reply<Boolean> reply, long asked) {
            if (reply instanceof Reply.Done<Boolean> done) {
                lost = lost || !done.value();
                heldUntilNanos = asked + lease.toNanos();
            }
        }

        @Override
        public void close() {
            Reply<Boolean> unused = await(release());
        }

        /** Releases the lock once, without waiting. If that fails, its lease expires. */
        CompletableFuture<Reply<Boolean>> release() {
            synchronized (this) {
                if (closed) {
                    return CompletableFuture.completedFuture(Reply.done(false));
                }
                closed = true;
                if (next != null) {
                    next.cancel(false);
                }
            }
            held.remove(this);
            return calls.send(new LockCommand.Unlock(calls.keys().home(), holder), releaseDeadline());
        }
    }
}
