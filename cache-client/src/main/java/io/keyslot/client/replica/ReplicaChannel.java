// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends reads that may be stale to replicas, and to the next channel if no replica has a valid answer in time, as {@link ReplicaJudge}
 * decides. All other commands go to the next channel.
 */
public record ReplicaChannel(
        Channel next, Replicas replicas, ReplicaReads bounds, ReplicaJudge judge, CacheTelemetry telemetry)
        implements Channel {
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

    /** Who is asked for some keys, by which slot map; a partition without replicas is none. */
    private record Way(
            FollowedPartition.Choice choice, @Nullable FollowedPartition partition, Topology now) {
        private ReplicaJudge.@Nullable Attempt attempt() {
            ReplicaLink link = choice.link();
            return partition == null || link == null ? null : new ReplicaJudge.Attempt(partition, link, now);
        }
    }

    private Way way(EncodedKey key, Topology now) {
        Topology.Place place = now.placeOf(key);
        return place == null || place.route().isFenced()
                ? new Way(FollowedPartition.Choice.primary(ReplicaAnswer.MOVING), null, now)
                : way(place.id(), now);
    }

    private Way way(PartitionId id, Topology now) {
        FollowedPartition followed = replicas.followed(id, now);
        return followed == null
                ? new Way(FollowedPartition.Choice.primary(ReplicaAnswer.NO_REPLICA), null, now)
                : new Way(
                        followed.choose(
                                bounds.preference(), bounds.maxStaleness().toNanos()),
                        followed,
                        now);
    }

    private CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        Way way = way(key, replicas.topology());
        ReplicaJudge.Attempt attempt = way.attempt();
        if (attempt == null) {
            return orPrimary(key, ReplicaJudge.Judgement.not(way.choice().why()), patience);
        }
        CompletableFuture<Reply<ReplicaLink.Read>> sent = attempt.read(List.of(key), patience);
        Reply<ReplicaLink.Read> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenCompose(late -> orPrimary(key, judged(key, late, attempt), patience.withoutWaiter()))
                : orPrimary(key, judged(key, known, attempt), patience);
    }

    private ReplicaJudge.Judgement judged(EncodedKey key, Reply<ReplicaLink.Read> reply, ReplicaJudge.Attempt attempt) {
        return judge.judge(List.of(key), reply, attempt, bounds.maxStaleness()).get(0);
    }

    private CompletableFuture<Reply<Lookup>> orPrimary(
            EncodedKey key, ReplicaJudge.Judgement judgement, Patience patience) {
        telemetry.onReplicaRead(judgement.answer(), 1);
        Lookup found = judgement.found();
        return found == null
                ? next.send(Call.read(key, patience))
                : CompletableFuture.completedFuture(Reply.done(found));
    }

    private CompletableFuture<Reply<List<Reply<Lookup>>>> readAll(List<EncodedKey> keys, Patience patience) {
        Topology now = replicas.topology();
        GatheredReads gathered = new GatheredReads(keys);
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
            Way way = way(id, now);
            ReplicaJudge.Attempt attempt = way.attempt();
            if (attempt == null) {
                count(way.choice().why(), indexes.size());
                return;
            }
            List<EncodedKey> asked = indexes.stream().map(keys::get).toList();
            parts.add(attempt.read(asked, patience.withoutWaiter()).thenAccept(reply -> {
                List<ReplicaJudge.Judgement> judged = judge.judge(asked, reply, attempt, bounds.maxStaleness());
                judged.forEach(judgement -> telemetry.onReplicaRead(judgement.answer(), 1));
                gathered.put(indexes, judged);
            }));
        });
        return parts.isEmpty()
                ? next.send(Call.readAll(keys, patience))
                : CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                        .thenCompose(all -> gathered.andOthers(next, patience.withoutWaiter()));
    }

    private void count(ReplicaAnswer answer, int entries) {
        if (entries > 0) {
            telemetry.onReplicaRead(answer, entries);
        }
    }

    /** Says who answers the reads of an entry at present, by asking a replica for it if one would be asked. */
    public CompletableFuture<ReplicaState> explain(EncodedKey key, Patience patience) {
        Way way = way(key, replicas.topology());
        ReplicaJudge.Attempt attempt = way.attempt();
        if (attempt == null) {
            return CompletableFuture.completedFuture(
                    new ReplicaState(way.choice().why(), null, null));
        }
        return attempt.read(List.of(key), patience.withoutWaiter())
                .thenApply(reply -> judged(key, reply, attempt).state(attempt.link()));
    }

    /** Collects the replies of several servers to a read of several keys. Thread-safe. */
    private static final class GatheredReads {
        private final List<EncodedKey> keys;
        private final List<@Nullable Reply<Lookup>> replies; // guarded by this

        GatheredReads(List<EncodedKey> keys) {
            this.keys = List.copyOf(keys);
            this.replies = new ArrayList<>(Collections.nCopies(keys.size(), null));
        }

        synchronized void put(List<Integer> indexes, List<ReplicaJudge.Judgement> judged) {
            for (int i = 0; i < judged.size(); i++) {
                Lookup found = judged.get(i).found();
                if (found != null) {
                    replies.set(indexes.get(i), Reply.done(found));
                }
            }
        }

        /** Reads the missing entries over another channel, and returns all replies in the order of the keys. */
        CompletableFuture<Reply<List<Reply<Lookup>>>> andOthers(Channel others, Patience patience) {
            List<EncodedKey> missing = missing();
            return missing.isEmpty()
                    ? CompletableFuture.completedFuture(Reply.done(filled(List.of())))
                    : others.send(Call.readAll(missing, patience))
                            .thenApply(reply -> Reply.done(filled(Call.each(reply, missing.size()))));
        }

        private synchronized List<EncodedKey> missing() {
            List<EncodedKey> missing = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                if (replies.get(i) == null) {
                    missing.add(keys.get(i));
                }
            }
            return missing;
        }

        private synchronized List<Reply<Lookup>> filled(List<Reply<Lookup>> others) {
            List<Reply<Lookup>> all = new ArrayList<>(replies.size());
            int next = 0;
            for (Reply<Lookup> reply : replies) {
                all.add(reply == null ? others.get(next++) : reply);
            }
            return all;
        }
    }
}
