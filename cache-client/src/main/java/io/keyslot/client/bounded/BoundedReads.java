// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import io.keyslot.client.call.ReadSender;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Futures;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Ticker;
import io.keyslot.client.topology.Place;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads from replicas, and from the primary what no replica has, or has not in time. What a replica answers counts if all of this is
 * so:
 *
 * <ul>
 *   <li>It has a beat of the life in which the primary is read, and the entry is of that life.
 *   <li>The beat was written, by the clock of this process, no longer ago than the bound when the answer is here.
 *   <li>It was written after the last write of this process under the key was answered.
 *   <li>The partition owned the slot then, by the same slot map as now, and the slot is not on its way.
 *   <li>There is an entry. That there is none, the primary says.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class BoundedReads implements ReadSender {
    private final Replicas replicas;
    private final ReadSender primary;
    private final long stalestNanos;
    private final Ticker ticker;

    BoundedReads(Replicas replicas, ReadSender primary, Duration maxStaleness, Ticker ticker) {
        this.replicas = replicas;
        this.primary = primary;
        this.stalestNanos = maxStaleness.toNanos();
        this.ticker = ticker;
    }

    /** Where some keys are read, by which slot map. */
    private record Attempt(FollowedPartition partition, ReplicaLink link, long mapVersion) {}

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        Topology now = replicas.topology();
        Attempt attempt = attempt(followed(key, now), now);
        if (attempt == null) {
            return primary.read(key, patience);
        }
        CompletableFuture<Reply<ReplicaLink.Read>> sent = attempt.link().read(List.of(key), patience);
        Reply<ReplicaLink.Read> known = Futures.valueOf(sent);
        if (known == null) {
            return sent.thenCompose(
                    late -> orPrimary(key, accepted(List.of(key), late, attempt).get(0), patience.withoutWaiter()));
        }
        return orPrimary(key, accepted(List.of(key), known, attempt).get(0), patience);
    }

    private CompletableFuture<Reply<Lookup>> orPrimary(EncodedKey key, @Nullable Lookup found, Patience patience) {
        return found == null ? primary.read(key, patience) : CompletableFuture.completedFuture(Reply.done(found));
    }

    private @Nullable FollowedPartition followed(EncodedKey key, Topology now) {
        Place place = now.placeOf(key);
        return place == null || place.route().isFenced() ? null : replicas.followed(place.id(), now);
    }

    private @Nullable Attempt attempt(@Nullable FollowedPartition partition, Topology now) {
        ReplicaLink link = partition == null ? null : partition.fresh(stalestNanos);
        return partition == null || link == null ? null : new Attempt(partition, link, now.version());
    }

    /** Returns what counts of an answer, in the order of the keys; null where the primary is to be asked. */
    private List<@Nullable Lookup> accepted(List<EncodedKey> keys, Reply<ReplicaLink.Read> reply, Attempt attempt) {
        List<@Nullable Lookup> accepted = new ArrayList<>(keys.size());
        OptionalLong time = timeOf(reply, attempt);
        for (int i = 0; i < keys.size(); i++) {
            Lookup found = time.isPresent() && replicas.writes().areBefore(time.getAsLong(), keys.get(i))
                    ? ((Reply.Done<ReplicaLink.Read>) reply)
                            .value()
                            .behind()
                            .lookups()
                            .get(i)
                    : null;
            accepted.add(found != null && found.isFound() ? found : null);
        }
        return accepted;
    }

    /** Returns since when at the latest everything is in an answer; empty if that is too long ago, or not known. */
    private OptionalLong timeOf(Reply<ReplicaLink.Read> reply, Attempt attempt) {
        if (!(reply instanceof Reply.Done<ReplicaLink.Read> done)
                || replicas.topology().version() != attempt.mapVersion()) {
            return OptionalLong.empty();
        }
        ReplicaCommand.Beat beat = done.value().behind().beat().orElse(null);
        OptionalLong time = beat == null
                ? OptionalLong.empty()
                : attempt.partition().notBefore(beat, done.value().epoch(), attempt.mapVersion());
        return time.isPresent() && ticker.nanos() - time.getAsLong() <= stalestNanos ? time : OptionalLong.empty();
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        Topology now = replicas.topology();
        Map<PartitionId, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Place place = now.placeOf(keys.get(i));
            if (place != null && !place.route().isFenced()) {
                places.computeIfAbsent(place.id(), id -> new ArrayList<>()).add(i);
            }
        }
        List<CompletableFuture<Part>> parts = new ArrayList<>();
        places.forEach((id, indexes) -> {
            Attempt attempt = attempt(replicas.followed(id, now), now);
            if (attempt != null) {
                List<EncodedKey> asked = indexes.stream().map(keys::get).toList();
                parts.add(attempt.link()
                        .read(asked, patience.withoutWaiter())
                        .thenApply(reply -> new Part(indexes, accepted(asked, reply, attempt))));
            }
        });
        return parts.isEmpty()
                ? primary.readAll(keys, patience)
                : CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                        .thenCompose(all -> together(
                                keys,
                                parts.stream()
                                        .map(Futures::valueOf)
                                        .filter(Objects::nonNull)
                                        .toList(),
                                patience.withoutWaiter()));
    }

    /** What one replica has answered. */
    private record Part(List<Integer> indexes, List<@Nullable Lookup> found) {}

    private CompletableFuture<List<Reply<Lookup>>> together(
            List<EncodedKey> keys, List<Part> parts, Patience patience) {
        List<@Nullable Reply<Lookup>> replies = new ArrayList<>(Collections.nCopies(keys.size(), null));
        for (Part part : parts) {
            for (int i = 0; i < part.indexes().size(); i++) {
                Lookup found = part.found().get(i);
                if (found != null) {
                    replies.set(part.indexes().get(i), Reply.done(found));
                }
            }
        }
        List<EncodedKey> others = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (replies.get(i) == null) {
                others.add(keys.get(i));
            }
        }
        return others.isEmpty()
                ? CompletableFuture.completedFuture(filled(replies, List.of()))
                : primary.readAll(others, patience).thenApply(asked -> filled(replies, asked));
    }

    private static List<Reply<Lookup>> filled(List<@Nullable Reply<Lookup>> replies, List<Reply<Lookup>> others) {
        List<Reply<Lookup>> all = new ArrayList<>(replies.size());
        int next = 0;
        for (Reply<Lookup> reply : replies) {
            all.add(reply == null ? others.get(next++) : reply);
        }
        return all;
    }
}
