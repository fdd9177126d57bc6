// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.GroupSize;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.near.NearState;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.GroupWatch;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing.GroupWeight;
import io.keyslot.client.replica.ReplicaChannel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes where an entry is stored and what is known of it.
 *
 * @param replicas null if the cache does not read from replicas
 */
record Explaining<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        PartitionRouter router,
        GroupWatch watch,
        Waiter waiter,
        ReadHistory history,
        @Nullable NearCache<K, V> near,
        @Nullable ReplicaChannel replicas) {

    EntryExplanation explain(K key) {
        EncodedKey encoded = calls.encode(key);
        NearState copy =
                near == null ? null : near.explain(key); // first, as the partition's reply may carry invalidations
        CallBudget budget = calls.budget("explain");
        Optional<Description> description = store.describe(encoded, budget);
        PartitionStatus owner = statusOf(ownerOf(encoded));
        Optional<ReplicaState> reads = readsOf(encoded, budget);
        Optional<ReadHistory.Miss> lastMiss = history.lastMiss(encoded);
        Optional<GroupWeight> weight = budget.spend(
                deadline -> waiter.await(watch.weigh(GroupHome.of(encoded), deadline), deadline, Optional::empty));
        Lookup lookup = description.map(Description::lookup).orElse(Lookup.absent());
        return new EntryExplanation(
                encoded.text(),
                router.slotOf(encoded),
                description.map(Description::epoch).orElseGet(() -> router.epochOf(owner.id())),
                owner.id(),
                owner.address(),
                owner.state(),
                description.isPresent() ? presence(lookup) : Presence.UNKNOWN,
                description.map(Explaining::timeToLive).orElse(null),
                description.map(Description::sizeBytes).orElse(0L),
                lookup.stamp(),
                lastMiss.map(ReadHistory.Miss::cause).orElse(null),
                lastMiss.map(ReadHistory.Miss::ago).orElse(null),
                weight.map(all -> new GroupSize(all.entries(), all.aggregates(), all.bytes()))
                        .orElse(null),
                weight.filter(watch::isTooLarge).isPresent(),
                copy,
                reads.orElse(null));
    }

    private Optional<ReplicaState> readsOf(EncodedKey key, CallBudget budget) {
        ReplicaChannel channel = replicas;
        return channel == null
                ? Optional.empty()
                : budget.spend(deadline -> waiter.await(
                        channel.explain(key, Patience.until(deadline)).thenApply(Optional::of),
                        deadline,
                        Optional::empty));
    }

    private PartitionId ownerOf(EncodedKey key) {
        return router.ownerOf(key)
                .orElseThrow(() -> new PartitionUnavailableException("Cache %s: no partition has the entry: %s"
                        .formatted(calls.name(), router.whyUnavailable(key))));
    }

    private PartitionStatus statusOf(PartitionId id) {
        return router.statuses().stream()
                .filter(status -> status.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Presence presence(Lookup lookup) {
        return switch (lookup.outcome()) {
            case FOUND -> Presence.PRESENT;
            case ABSENT, LEASED, RESERVED, NEGATIVE, OUTDATED, BEING_DELETED -> Presence.ABSENT;
            case OTHER_EPOCH, OTHER_KEY, NEWER_FORMAT, OTHER_LAYOUT, MALFORMED -> Presence.UNREADABLE;
        };
    }

    private static @Nullable Duration timeToLive(Description description) {
        return description.expiresInMillis() < 0 ? null : Duration.ofMillis(description.expiresInMillis());
    }
}
