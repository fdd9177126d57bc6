// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends each partition a read and a script that changes nothing, before the first command of the application.
 *
 * <p>The first command of a process loads some hundred classes, and the first script of a server is compiled. On a busy
 * machine that takes longer than a command may take, and the application's first call would fail for no reason.
 */
record Rehearsal(Client client) {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** Many more than it takes to find a key for each of as many partitions as there may be. */
    private static final int MOST_TRIED = 100_000;

    /** Waits for the answers, whatever they are: a partition that cannot be asked is none of its business. */
    void run() {
        keys(client.router().slotMap())
                .forEach((partition, key) -> commands(key).forEach(command -> send(partition, command)));
    }

    private static List<Command<?>> commands(EncodedKey key) {
        return List.of(new Command.Get(key), new Command.GetAll(List.of(key)), new Command.CompareAndRemove(key, 1));
    }

    /**
     * Returns a key for each partition that owns slots, in one of these: a node of a cluster answers about no others. All are of
     * the entity type that no cache may have.
     */
    static Map<PartitionId, EncodedKey> keys(SlotMap map) {
        long wanted =
                map.partitions().stream().filter(id -> map.slotsOf(id) > 0).count();
        Map<PartitionId, EncodedKey> keys = new LinkedHashMap<>();
        for (int tried = 0; keys.size() < wanted && tried < MOST_TRIED; tried++) {
            EncodedKey key = EncodedKey.of("keyslot:rehearsal-" + tried);
            map.ownerOf(key.slot()).ifPresent(owner -> keys.putIfAbsent(owner, key));
        }
        return keys;
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
