// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.call.ReadSender;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.statistics.ReplicaObserver;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Futures;
import io.keyslot.client.time.Patience;
import io.keyslot.client.topology.Place;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has the replica that is the furthest answer where the primary is missing, with what may be older than else. Where it has nothing that
 * counts, the primary's reply stays what it was. Safe for use by several threads.
 */
final class ReadsWhileMissing implements ReadSender {
    private final Replicas replicas;
    private final BoundedReads reads;
    private final Duration bound;
    private final ReplicaJudge judge;
    private final ReplicaObserver observer;

    /** @param reads who is asked first, up to the primary */
    ReadsWhileMissing(
            Replicas replicas, BoundedReads reads, Duration bound, ReplicaJudge judge, ReplicaObserver observer) {
        this.replicas = replicas;
        this.reads = reads;
        this.bound = bound;
        this.judge = judge;
        this.observer = observer;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        CompletableFuture<Reply<Lookup>> sent = reads.read(key, patience);
        Reply<Lookup> known = Futures.valueOf(sent);
        if (known == null) {
            return sent.thenCompose(late -> orReplica(key, late, patience.withoutWaiter()));
        }
        return known instanceof Reply.Done ? sent : orReplica(key, known, patience);
    }

    private CompletableFuture<Reply<Lookup>> orReplica(EncodedKey key, Reply<Lookup> reply, Patience patience) {
        Topology now = replicas.topology();
        Place place = isUnanswered(reply) && patience.remainingNanos() > 0 ? now.placeOf(key) : null;
        ReplicaJudge.Attempt attempt = place == null || place.route().isFenced() ? null : attempt(place.id(), now);
        if (attempt == null) {
            return CompletableFuture.completedFuture(reply);
        }
        List<EncodedKey> keys = List.of(key);
        return attempt.readWithStanding(keys, patience)
                .thenApply(read -> judged(keys, List.of(reply), read, attempt).get(0));
    }

    /** Returns whether the reply may be that of a partition that is missing. */
    private static boolean isUnanswered(Reply<Lookup> reply) {
        return reply instanceof Reply.Unknown
                || (reply instanceof Reply.Refused<Lookup> refused
                        && (refused.refusal() == Refusal.UNAVAILABLE || refused.refusal() == Refusal.RECONNECTING));
    }

    /** Returns how a replica is asked for entries of a partition; null if the partition is not missing, or none is fresh enough. */
    private ReplicaJudge.@Nullable Attempt attempt(PartitionId id, Topology now) {
        FollowedPartition partition = replicas.followed(id, now);
        Partition primary = partition == null ? null : partition.primary();
        if (partition == null || primary == null || primary.isAsked()) {
            return null;
        }
        ReplicaLink link = partition.freshest(bound.toNanos());
        return link == null ? null : new ReplicaJudge.Attempt(partition, link, now);
    }

    private List<Reply<Lookup>> judged(
            List<EncodedKey> keys,
            List<Reply<Lookup>> replies,
            Reply<ReplicaLink.Read> read,
            ReplicaJudge.Attempt attempt) {
        List<ReplicaJudge.Judgement> judged = judge.judgeWhileMissing(keys, read, attempt, bound);
        List<Reply<Lookup>> all = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Lookup found = judged.get(i).found();
            if (found != null) {
                observer.onRead(ReplicaAnswer.REPLICA_WHILE_MISSING, 1);
                observer.onReadWhileMissing(judged.get(i).ageNanos());
            }
            all.add(found == null ? replies.get(i) : Reply.done(found));
        }
        return all;
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        return reads.readAll(keys, patience)
                .thenCompose(replies -> orReplicas(keys, replies, patience.withoutWaiter()));
    }

    private CompletableFuture<List<Reply<Lookup>>> orReplicas(
            List<EncodedKey> keys, List<Reply<Lookup>> replies, Patience patience) {
        Topology now = replicas.topology();
        Map<PartitionId, List<Integer>> unanswered = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Place place = isUnanswered(replies.get(i)) ? now.placeOf(keys.get(i)) : null;
            if (place != null && !place.route().isFenced()) {
                unanswered.computeIfAbsent(place.id(), id -> new ArrayList<>()).add(i);
            }
        }
        CompletableFuture<List<Reply<Lookup>>> all = CompletableFuture.completedFuture(new ArrayList<>(replies));
        if (unanswered.isEmpty() || patience.remainingNanos() <= 0) {
            return all;
        }
        for (Map.Entry<PartitionId, List<Integer>> part : unanswered.entrySet()) {
            ReplicaJudge.Attempt attempt = attempt(part.getKey(), now);
            if (attempt != null) {
                List<EncodedKey> asked = part.getValue().stream().map(keys::get).toList();
                List<Reply<Lookup>> before =
                        part.getValue().stream().map(replies::get).toList();
                all = all.thenCombine(
                        attempt.readWithStanding(asked, patience)
                                .thenApply(read -> judged(asked, before, read, attempt)),
                        (gathered, judged) -> replaced(gathered, part.getValue(), judged));
            }
        }
        return all;
    }

    private static List<Reply<Lookup>> replaced(
            List<Reply<Lookup>> all, List<Integer> indexes, List<Reply<Lookup>> others) {
        List<Reply<Lookup>> replaced = new ArrayList<>(all);
        for (int i = 0; i < indexes.size(); i++) {
            replaced.set(indexes.get(i), others.get(i));
        }
        return replaced;
    }

    /** As {@link BoundedReads#explain}. */
    CompletableFuture<ReplicaState> explain(EncodedKey key, Patience patience) {
        return reads.explain(key, patience).thenCompose(state -> {
            Topology now = replicas.topology();
            Place place = state.answer().isByReplica() ? null : now.placeOf(key);
            ReplicaJudge.Attempt attempt = place == null || place.route().isFenced() ? null : attempt(place.id(), now);
            if (attempt == null) {
                return CompletableFuture.completedFuture(state);
            }
            List<EncodedKey> keys = List.of(key);
            return attempt.readWithStanding(keys, patience.withoutWaiter()).thenApply(read -> {
                ReplicaJudge.Judgement judged =
                        judge.judgeWhileMissing(keys, read, attempt, bound).get(0);
                return judged.found() == null
                        ? judged.state(attempt.link())
                        : new ReplicaJudge.Judgement(
                                        ReplicaAnswer.REPLICA_WHILE_MISSING, judged.found(), judged.ageNanos())
                                .state(attempt.link());
            });
        });
    }
}
