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
 * Says what counts of what a replica has answered. It does if all of this is so:
 *
 * <ul>
 *   <li>It has a beat of the life in which the primary is read, and the entry is of that life.
 *   <li>The beat was written, by the clock of this process, no longer ago than the bound when the answer is here.
 *   <li>It was written after the last write of this process under the key was answered, and after all that this process has to
 *       delete at the partition was deleted.
 *   <li>The partition owned the slot then, by the same slot map as now, and the slot is not on its way.
 *   <li>There is an entry. That there is none, the primary says.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class ReplicaJudge {
    private final Replicas replicas;
    private final Ticker ticker;

    ReplicaJudge(Replicas replicas, Ticker ticker) {
        this.replicas = replicas;
        this.ticker = ticker;
    }

    /** Where some keys are read, by which slot map. */
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
     * What counts of an answer.
     *
     * @param found the entry; null if the primary is to be asked
     * @param ageNanos how old it is at most, negative if that is not known
     */
    record Judgement(ReplicaAnswer answer, @Nullable Lookup found, long ageNanos) {
        static Judgement not(ReplicaAnswer why) {
            return new Judgement(why, null, -1);
        }

        ReplicaState state(ReplicaLink link) {
            return new ReplicaState(answer, link.address(), ageNanos < 0 ? null : Duration.ofNanos(ageNanos));
        }
    }

    /** Returns what counts, in the order of the keys. */
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
