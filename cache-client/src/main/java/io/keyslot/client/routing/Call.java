// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Patience;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Waiter;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way: where it goes and how long it may take.
 *
 * <p>The thread of a synchronous call has nothing to do but to wait for the reply. It waits in the innermost layer, so that
 * the others find the reply there already and go on without another thread.
 *
 * <p>{@link #over} is the only way from here to a connection, and leads nowhere once the caller has given up.
 *
 * @param waiter how the calling thread waits, null if it does not
 */
record Call<R>(
        Target target,
        Command<R> command,
        Deadline deadline,
        @Nullable Waiter waiter) {
    /** Creates a call that no thread waits for. */
    Call(Target target, Command<R> command, Deadline deadline) {
        this(target, command, deadline, null);
    }

    /** Returns the same call as another thread continues it, which must not wait. */
    Call<R> withoutWaiter() {
        return waiter == null ? this : new Call<>(target, command, deadline);
    }

    /**
     * Sends the command, unless the caller has given up; waits for its reply, within the deadline, if the caller would.
     */
    CompletableFuture<Reply<R>> over(PartitionConnection connection, long mapVersion) {
        if (waiter != null) {
            // This is the caller's thread: it cannot have given up at the same time.
            return connection.exchange(command, mapVersion, new WaiterPatience(waiter, deadline));
        }
        return deadline.begin(() -> connection.send(command, mapVersion), this::givenUp);
    }

    private CompletableFuture<Reply<R>> givenUp() {
        return CompletableFuture.completedFuture(Reply.refused(
                Refusal.UNAVAILABLE,
                "the caller had given up before %s was sent to %s".formatted(command.name(), target.describe())));
    }

    /** A thread that waits until a deadline. */
    private record WaiterPatience(Waiter waiter, Deadline deadline) implements Patience {
        @Override
        public long remainingNanos() {
            return deadline.remainingNanos();
        }

        @Override
        public void await(CompletableFuture<?> reply) {
            waiter.awaitDone(reply, deadline);
        }
    }
}
