// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides which answers of a replica are usable. All of this must hold:
 *
 * <ul>
 *   <li>The replica has a heartbeat of the incarnation that is read at the primary, and the entry belongs to it.
 *   <li>By this process's clock, the heartbeat was written no longer ago than the bound when the answer arrives.
 *   <li>It was written after this process's last write of the key was answered, and after all its pending deletes at
 *       the partition were done.
 *   <li>The partition owned the slot at that time by the present slot map, and the slot is not moving.
 *   <li>There is an entry; only the primary can report that there is none.
 * </ul>
 *
 * <p>Thread-safe.
 */
record ReplicaJudge(Replicas replicas, Ticker ticker) {
    record Attempt(FollowedPartition partition, ReplicaLink link, Topology now) {
        long mapVersion() {
            return now.version();
        }

        private int heartbeatSlot() {
            return partition.heartbeatSlot(now);
        }

        CompletableFuture<Reply<ReplicaLink.Read>> read(List<EncodedKey> keys, Patience patience) {
            return link.read(keys, heartbeatSlot(), patience);
        }
    }

    /**
     * The result for one key; {@code found} is null if the primary must be read; {@code ageNanos} is negative if
     * unknown.
     */
    record Judgement(ReplicaAnswer answer, @Nullable Lookup found, long ageNanos) {
        static Judgement not(ReplicaAnswer why) {
            return new Judgement(why, null, -1);
        }

        ReplicaState state(ReplicaLink link) {
            return new ReplicaState(answer, link.address(), ageNanos < 0 ? null : Duration.ofNanos(ageNanos));
        }
    }

    List<Judgement> judge(List<EncodedKey> keys, Reply<ReplicaLink.Read> reply, Attempt attempt, Duration bound) {
        return reply instanceof Reply.Done<ReplicaLink.Read> done
                ? judge(keys, done.value(), attempt, bound)
                : all(keys, Judgement.not(ReplicaAnswer.NO_ANSWER));
    }

    private List<Judgement> judge(List<EncodedKey> keys, ReplicaLink.Read read, Attempt attempt, Duration bound) {
        ReplicaCommand.Heartbeat heartbeat = read.behind().heartbeat().orElse(null);
        if (heartbeat == null) {
            return all(keys, Judgement.not(ReplicaAnswer.OTHER_LIFE));
        }
        OptionalLong time = replicas.topology().version() == attempt.mapVersion()
                ? attempt.partition().notBefore(heartbeat, read.epoch(), attempt.mapVersion())
                : OptionalLong.empty();
        if (time.isEmpty()) {
            return all(keys, Judgement.not(attempt.partition().unknown(heartbeat, read.epoch())));
        }
        long age = ticker.nanos() - time.getAsLong();
        if (age > bound.toNanos()) {
            return all(keys, new Judgement(ReplicaAnswer.TOO_OLD, null, age));
        }
        List<Judgement> judged = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            judged.add(judge(attempt, keys.get(i), read.behind().lookups().get(i), time.getAsLong(), age));
        }
        return judged;
    }

    private Judgement judge(Attempt attempt, EncodedKey key, Lookup found, long time, long age) {
        if (!replicas.writes().areBefore(time, key) || attempt.partition().hasPending(key, time)) {
            return new Judgement(ReplicaAnswer.OWN_WRITE, null, age);
        }
        return found.isFound()
                ? new Judgement(ReplicaAnswer.REPLICA, found, age)
                : new Judgement(ReplicaAnswer.ABSENT, null, age);
    }

    private static List<Judgement> all(List<EncodedKey> keys, Judgement judgement) {
        return keys.stream().map(key -> judgement).toList();
    }
}
