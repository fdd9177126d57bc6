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
 * A lock that was taken, whose lease is renewed at each third of it. A renewal that is not answered is followed by the
 * next one; one that is refused because another has the lock, or none that comes in time, ends it. Safe for use by several
 * threads.
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

    /**
     * What the partition has granted.
     *
     * @param holder who the partition takes the holder for
     * @param askedNanos when it was asked: the lease began no earlier
     */
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

    /** Asks the partition at once: what was found lost may be another lock, under which the work was done too. */
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

    /** Whether the lock is still held is for the partition to say; what is known to be lost needs no question. */
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

    /** Renews the lease at each third of it, from now on. */
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
        locks.remove(this);
        return calls.send(new LockCommand.Unlock(calls.keys().home(), taken.holder()), locks.releaseDeadline());
    }
}
