// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.replica.FollowedPartition.Attempt;
import io.keyslot.client.replica.FollowedPartition.Choice;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends reads that may be stale to replicas, and to the next channel if no replica has a usable answer in time. All other
 * commands go to the next channel. An answer of a replica is used if all of this holds:
 *
 * <ul>
 *   <li>The replica has a heartbeat of the incarnation that is read at the primary, and the entry belongs to it.
 *   <li>By this process's clock, the heartbeat was written no longer ago than the bound when the answer arrives.
 *   <li>It was written after this process's last write of the key was answered, and after all its pending deletes at
 *       the partition were done.
 *   <li>The partition owned the slot at that time by the present slot map, and the slot is not moving.
 *   <li>There is an entry; only the primary can report that there is none.
 * </ul>
 */
public record ReplicaChannel(
        Channel next, Replicas replicas, ReplicaReads bounds, Ticker ticker, CacheTelemetry telemetry)
        implements Channel {
    /** The result for one key; {@code found} is null if the primary must be read; {@code ageNanos} is negative if unknown. */
    private record Judgement(ReplicaAnswer answer, @Nullable Lookup found, long ageNanos) {
        static Judgement not(ReplicaAnswer why) {
            return new Judgement(why, null, -1);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the type of the answer follows from the command's
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        if (call.mayBeStale() && call.command() instanceof Command.Get get) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) read(get.key(), call.patience());
        }
        if (call.mayBeStale() && call.command() instanceof BulkCommand.Get get) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) readAll(get.items(), call.patience());
        }
        return next.send(call);
    }

    private Choice choose(EncodedKey key, Topology now) {
        Topology.Place place = now.placeOf(key);
        return place == null || place.route().isFenced()
                ? Choice.primary(ReplicaAnswer.MOVING)
                : choose(place.id(), now);
    }

    private Choice choose(PartitionId id, Topology now) {
        FollowedPartition followed = replicas.followed(id, now);
        return followed == null
                ? Choice.primary(ReplicaAnswer.NO_REPLICA)
                : followed.choose(bounds.preference(), bounds.maxStaleness().toNanos(), now);
    }

    private CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        Choice choice = choose(key, replicas.topology());
        Attempt attempt = choice.attempt();
        if (attempt == null) {
            return orPrimary(key, Judgement.not(choice.why()), patience);
        }
        CompletableFuture<Reply<ReplicaLink.Read>> sent = attempt.read(List.of(key), patience);
        Reply<ReplicaLink.Read> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenCompose(late -> orPrimary(key, judged(key, late, attempt), patience.withoutWaiter()))
                : orPrimary(key, judged(key, known, attempt), patience);
    }

    private Judgement judged(EncodedKey key, Reply<ReplicaLink.Read> reply, Attempt attempt) {
        return judge(List.of(key), reply, attempt).get(0);
    }

    private List<Judgement> judge(List<EncodedKey> keys, Reply<ReplicaLink.Read> reply, Attempt attempt) {
        if (!(reply instanceof Reply.Done<ReplicaLink.Read> done)) {
            return Collections.nCopies(keys.size(), Judgement.not(ReplicaAnswer.NO_ANSWER));
        }
        ReplicaLink.Read read = done.value();
        ReplicaCommand.Heartbeat heartbeat = read.behind().heartbeat().orElse(null);
        if (heartbeat == null) {
            return Collections.nCopies(keys.size(), Judgement.not(ReplicaAnswer.OTHER_LIFE));
        }
        long version = attempt.now().version();
        OptionalLong time = replicas.topology().version() == version
                ? attempt.partition().times.notBefore(heartbeat, read.epoch(), version)
                : OptionalLong.empty();
        if (time.isEmpty()) {
            ReplicaAnswer why = attempt.partition().unknown(heartbeat, read.epoch());
            return Collections.nCopies(keys.size(), Judgement.not(why));
        }
        long age = ticker.nanos() - time.getAsLong();
        if (age > bounds.maxStaleness().toNanos()) {
            return Collections.nCopies(keys.size(), new Judgement(ReplicaAnswer.TOO_OLD, null, age));
        }
        List<Judgement> judged = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Lookup found = read.behind().lookups().get(i);
            ReplicaAnswer answer = answer(keys.get(i), found, attempt, time.getAsLong());
            judged.add(new Judgement(answer, answer == ReplicaAnswer.REPLICA ? found : null, age));
        }
        return judged;
    }

    private ReplicaAnswer answer(EncodedKey key, Lookup found, Attempt attempt, long time) {
        if (!replicas.writes().areBefore(time, key) || attempt.partition().hasPending(key, time)) {
            return ReplicaAnswer.OWN_WRITE;
        }
        return found.isFound() ? ReplicaAnswer.REPLICA : ReplicaAnswer.ABSENT;
    }

    private CompletableFuture<Reply<Lookup>> orPrimary(EncodedKey key, Judgement judgement, Patience patience) {
        telemetry.onReplicaRead(judgement.answer(), 1);
        Lookup found = judgement.found();
        return found == null
                ? next.send(Call.read(key, patience))
                : CompletableFuture.completedFuture(Reply.done(found));
    }

    private CompletableFuture<Reply<List<Reply<Lookup>>>> readAll(List<EncodedKey> keys, Patience patience) {
        Topology now = replicas.topology();
        List<@Nullable Reply<Lookup>> replies =
                Collections.synchronizedList(new ArrayList<>(Collections.nCopies(keys.size(), null)));
        Map<PartitionId, List<Integer>> places = new LinkedHashMap<>();
        int moving = 0;
        for (int i = 0; i < keys.size(); i++) {
            Topology.Place place = now.placeOf(keys.get(i));
            if (place != null && !place.route().isFenced()) {
                places.computeIfAbsent(place.id(), id -> new ArrayList<>()).add(i);
            } else {
                moving++;
            }
        }
        count(ReplicaAnswer.MOVING, moving);
        List<CompletableFuture<?>> parts = new ArrayList<>();
        places.forEach((id, indexes) -> {
            Choice choice = choose(id, now);
            Attempt attempt = choice.attempt();
            if (attempt == null) {
                count(choice.why(), indexes.size());
                return;
            }
            List<EncodedKey> asked = indexes.stream().map(keys::get).toList();
            parts.add(attempt.read(asked, patience.withoutWaiter()).thenAccept(reply -> {
                List<Judgement> judged = judge(asked, reply, attempt);
                for (int i = 0; i < judged.size(); i++) {
                    telemetry.onReplicaRead(judged.get(i).answer(), 1);
                    Lookup found = judged.get(i).found();
                    replies.set(indexes.get(i), found == null ? null : Reply.done(found));
                }
            }));
        });
        return parts.isEmpty()
                ? next.send(Call.readAll(keys, patience))
                : CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                        .thenCompose(all -> Call.readOthers(keys, replies, next, patience.withoutWaiter()));
    }

    private void count(ReplicaAnswer answer, int entries) {
        if (entries > 0) {
            telemetry.onReplicaRead(answer, entries);
        }
    }

    /** Says who answers the reads of an entry at present, by asking a replica for it if one would be asked. */
    public CompletableFuture<ReplicaState> explain(EncodedKey key, Patience patience) {
        Choice choice = choose(key, replicas.topology());
        Attempt attempt = choice.attempt();
        if (attempt == null) {
            return CompletableFuture.completedFuture(new ReplicaState(choice.why(), null, null));
        }
        return attempt.read(List.of(key), patience.withoutWaiter()).thenApply(reply -> {
            Judgement judged = judged(key, reply, attempt);
            Duration age = judged.ageNanos() < 0 ? null : Duration.ofNanos(judged.ageNanos());
            return new ReplicaState(judged.answer(), attempt.link().connector.address(), age);
        });
    }
}
