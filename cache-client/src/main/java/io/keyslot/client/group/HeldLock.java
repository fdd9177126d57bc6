// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A held lock, whose lease is renewed after each third of it. A lost renewal is followed by the next one. The lock ends
 * if another client has it, or no renewal succeeds in time. Safe for use by several threads.
 */
final class HeldLock implements GroupLock.Held {
    private final GroupCalls calls;
    private final GroupTransactions transactions;
    private final HeldLocks locks;
    private final Taken taken;
    private long heldUntilNanos; // guarded by this
    private boolean lost; // guarded by this
    private boolean closed; // guarded by this
    private @Nullable Future<?> next; // guarded by this

    HeldLock(GroupCalls calls, GroupTransactions transactions, HeldLocks locks, Taken taken) {
        this.calls = calls;
        this.transactions = transactions;
        this.locks = locks;
        this.taken = taken;
        this.heldUntilNanos = taken.askedNanos() + taken.lease().toNanos();
    }

    /** A lock that the partition has granted; the lease began at {@code askedNanos} or later. */
    record Taken(long holder, long token, Duration lease, long askedNanos) {}

    @Override
    public long token() {
        return taken.token();
    }

    @Override
    public synchronized boolean isHeld() {
        return !closed && !lost && calls.budgets().ticker().nanos() - heldUntilNanos < 0;
    }

    @Override
    public <T extends @Nullable Object> T transact(GroupWork<T> work) {
        Objects.requireNonNull(work, "work");
        requireTaken();
        try {
            return transactions.transact("transact", work, taken.token());
        } catch (LockLostException e) {
            confirm();
            throw e;
        }
    }

    /** Checks with the partition: the exception may come from another lock that the work used. */
    private void confirm() {
        long asked = calls.budgets().ticker().nanos();
        renewed(locks.await(calls.send(renewal(), locks.releaseDeadline())), asked);
    }

    private LockCommand.RenewLock renewal() {
        return new LockCommand.RenewLock(calls.keys().home(), taken.token(), Expiry.after(taken.lease()));
    }

    @Override
    public void transactWithoutResult(Consumer<GroupTransaction> work) {
        Objects.requireNonNull(work, "work");
        transact(transaction -> {
            work.accept(transaction);
            return true;
        });
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
            locks.later(this::renew, third()).ifPresent(timer -> next = timer);
        }
    }

    private void renew() {
        long asked = calls.budgets().ticker().nanos();
        CompletableFuture<Void> unused =
                calls.send(renewal(), calls.budgets().after(third())).thenAccept(reply -> renewed(reply, asked));
        renewLater();
    }

    private Duration third() {
        return taken.lease().dividedBy(3);
    }

    private synchronized void renewed(Reply<Boolean> reply, long asked) {
        if (reply instanceof Reply.Done<Boolean> done) {
            lost = lost || !done.value();
            heldUntilNanos = asked + taken.lease().toNanos();
        }
    }

    @Override
    public void close() {
        Reply<Boolean> unused = locks.await(release());
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
        locks.remove(this);
        return calls.send(new LockCommand.Unlock(calls.keys().home(), taken.holder()), locks.releaseDeadline());
    }
}
