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
 * Sends each partition a read and a script that changes nothing, before the first command of the application. The first
 * command of a process loads some hundred classes, and a server compiles the first script. On a busy machine, that may
 * take longer than the timeout, and the application's first call would fail.
 */
record Rehearsal(Client client) {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** Many more keys than are needed to find one for each partition. */
    private static final int MOST_TRIED = 100_000;

    void run() {
        keys(client.router().slotMap())
                .forEach((partition, key) -> commands(key).forEach(command -> send(partition, command)));
    }

    private static List<Command<?>> commands(EncodedKey key) {
        return List.of(new Command.Get(key), new Command.GetAll(List.of(key)), new Command.CompareAndRemove(key, 1));
    }

    /**
     * Returns a key in the slots of each partition, as a node of a cluster does not answer for other slots. All keys
     * have the reserved entity type.
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
