// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something about servers that follow a partition's. A partition writes a <em>beat</em> now and then; a follower has it when it has
 * everything that was written before.
 *
 * @param <R> what is answered
 */
public sealed interface ReplicaCommand<R> extends Command<R> {
    /** Of a partition that has one beat, whatever slots it owns. */
    int NO_SLOT = -1;

    /**
     * A beat: of two of one life, the one with the larger number was written later.
     *
     * @param incarnation the id of the life in which it was written; only the primary of that life writes such
     */
    record Heartbeat(String incarnation, long number) {}

    /**
     * Has the partition write another beat, unless the last one is younger than the pace: so however many ask, there is about one in
     * each pace. Refused if the connection is in no life, or in one that is over.
     *
     * @param slot one that the partition owns, if servers may move its slots: the beat of that slot; else {@link #NO_SLOT}
     */
    record KeepHeartbeat(Duration pace, int slot) implements ReplicaCommand<Kept> {
        @Override
        public CommandKind<Kept> kind() {
            return CommandKind.KEEP_HEARTBEAT;
        }
    }

    /**
     * The newest beat of a partition.
     *
     * @param epoch that of the entries of the beat's life
     * @param isNew whether it was written for who asked. If not, it was written before; one with a larger number was not
     */
    record Kept(Heartbeat heartbeat, int epoch, boolean isNew) {}

    /**
     * Answers the newest beat that a follower has, and behind it, in this order, the entries.
     *
     * @param slot that of the beat, as in {@link KeepHeartbeat}
     */
    record ReadBehind(List<EncodedKey> wanted, int slot) implements ReplicaCommand<Behind> {
        public ReadBehind {
            wanted = List.copyOf(wanted);
        }

        @Override
        public CommandKind<Behind> kind() {
            return CommandKind.READ_BEHIND;
        }
    }

    /**
     * What a follower has.
     *
     * @param heartbeat empty if it has none
     * @param lookups in the order of the keys
     */
    record Behind(Optional<Heartbeat> heartbeat, List<Lookup> lookups) {}

    /** What an engine does about it. They neither throw nor block. */
    interface Operations {
        CompletableFuture<Reply<Kept>> keep(KeepHeartbeat command);

        CompletableFuture<Reply<Behind>> read(ReadBehind command);
    }
}
