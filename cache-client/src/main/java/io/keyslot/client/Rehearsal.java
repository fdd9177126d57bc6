// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;

/**
 * Sends each partition a read and a script that changes nothing, before the first command of the application.
 *
 * <p>The first command of a process loads some hundred classes, and the first script of a server is compiled. On a busy
 * machine that takes longer than a command may take, and the application's first call would fail for no reason.
 */
record Rehearsal(Client client) {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** A key of the entity type that no cache may have. */
    private static final EncodedKey KEY = EncodedKey.of("keyslot:rehearsal");

    private static final List<Command<?>> COMMANDS =
            List.of(new Command.Get(KEY), new Command.GetAll(List.of(KEY)), new Command.CompareAndRemove(KEY, 1));

    /** Waits for the answers, whatever they are: a partition that cannot be asked is none of its business. */
    void run() {
        for (PartitionId partition : client.router().slotMap().partitions()) {
            COMMANDS.forEach(command -> send(partition, command));
        }
    }

    private <R> void send(PartitionId partition, Command<R> command) {
        Deadline deadline = Deadline.after(client.ticker(), LONGEST);
        Reply<R> unused = client.waiter()
                .await(
                        client.router().sendTo(partition, command, Patience.until(deadline)),
                        deadline,
                        () -> Reply.unknown("the rehearsal took too long", null));
    }
}
