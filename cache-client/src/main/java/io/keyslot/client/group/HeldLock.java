// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was taken, whose lease is renewed at each third of it. A renewal that is not answered is followed by the
 * next one; one that is refused because another has the lock, or none that comes in time, ends it. Safe for use by several
 * threads.
 */
final class HeldLock implements GroupLock.Held {
    /** How long to wait for the partition to take a lock back. */
    static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    private final GroupParts parts;
    private final GroupTransactions transactions;
    private final long holder;
    private final long token;
    private final Duration lease;
    private long heldUntilNanos; // guarded by this
    private boolean lost; // guarded by this
    private boolean closed; // guarded by this
    private @Nullable Future<?> next; // guarded by this

    private HeldLock(
            GroupParts parts, GroupTransactions transactions, long holder, long token, Duration lease, long asked) {
        this.parts = parts;
        this.transactions = transactions;
        this.holder = holder;
        this.token = token;
        this.lease = lease;
        this.heldUntilNanos = asked + lease.toNanos();
    }

    /** @param asked when the partition was asked for the lock: its lease began no earlier */
    static HeldLock hold(
            GroupParts parts, GroupTransactions transactions, long holder, long token, Duration lease, long asked) {
        HeldLock lock = new HeldLock(parts, transactions, holder, token, lease, asked);
        parts.locks().add(lock);
        lock.renewLater();
        return lock;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public synchronized boolean isHeld() {
        return !closed && !lost && parts.timing().ticker().nanos() - heldUntilNanos < 0;
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        Objects.requireNonNull(work, "work");
        parts.checkOpen();
        requireTaken();
        try {
            return transactions.transact("transact", work, token);
        } catch (LockLostException e) {
            confirm();
            throw e;
        }
    }

    /** Asks the partition at once: what was found lost may be another lock, under which the work was done too. */
    private void confirm() {
        long asked = parts.timing().ticker().nanos();
        Deadline deadline = Deadline.after(parts.timing().ticker(), LONGEST_RELEASE);
        CompletableFuture<Reply<Boolean>> renewed = parts.calls().send(renewal(), deadline);
        renewed(parts.waiter().await(renewed, deadline, () -> Reply.unknown("no answer in time", null)), asked);
    }

    private Command.RenewLock renewal() {
        return new Command.RenewLock(parts.keys().home(), token, Expiry.after(lease));
    }

    @Override
    public void transactWithoutResult(Consumer<GroupTransaction> work) {
        Objects.requireNonNull(work, "work");
        transact(transaction -> {
            work.accept(transaction);
            return true;
        });
    }

    /** Whether the lock is still held is for the partition to say; what is known to be lost needs no question. */
    private synchronized void requireTaken() {
        String root = parts.keys().root().text();
        if (closed) {
            throw new IllegalStateException("Group %s: the lock was given back; take it again".formatted(root));
        }
        if (lost) {
            throw new LockLostException(
                    "Group %s: the lock was lost, nothing was done; take it again, and read again what was read under it"
                            .formatted(root));
        }
    }

    private synchronized void renewLater() {
        if (!closed && !lost) {
            parts.timing().schedule(this::renew, lease.dividedBy(3).toNanos()).ifPresent(timer -> next = timer);
        }
    }

    private void renew() {
        long asked = parts.timing().ticker().nanos();
        CompletableFuture<Void> unused = parts.calls()
                .send(renewal(), Deadline.after(parts.timing().ticker(), lease.dividedBy(3)))
                .thenAccept(reply -> renewed(reply, asked));
        renewLater();
    }

    private synchronized void renewed(Reply<Boolean> reply, long asked) {
        if (reply instanceof Reply.Done<Boolean> done) {
            lost = lost || !done.value();
            heldUntilNanos = asked + lease.toNanos();
        }
    }

    @Override
    public void close() {
        CompletableFuture<Reply<Boolean>> released = release();
        Deadline deadline = Deadline.after(parts.timing().ticker(), LONGEST_RELEASE);
        Reply<Boolean> unused =
                parts.waiter().await(released, deadline, () -> Reply.unknown("no answer in time", null));
    }

    /**
     * Gives the lock back, unless that was done before, without waiting for it. If it does not succeed, the lease ends by
     * itself.
     */
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
        parts.locks().remove(this);
        return release(parts, holder);
    }

    static CompletableFuture<Reply<Boolean>> release(GroupParts parts, long holder) {
        Deadline deadline = Deadline.after(parts.timing().ticker(), LONGEST_RELEASE);
        return parts.calls().send(new Command.Unlock(parts.keys().home(), holder), deadline);
    }
}
