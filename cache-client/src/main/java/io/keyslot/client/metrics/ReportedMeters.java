// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics;

import io.keyslot.cache.MissCause;
import io.keyslot.client.call.GroupObserver;
import io.keyslot.client.entry.EntryObserver;
import io.keyslot.client.entry.ForgivingObserver;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.routing.CommandObserver;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.statistics.CacheCounts;
import io.keyslot.client.statistics.CacheTallies;
import io.keyslot.client.statistics.FollowerObserver;
import io.keyslot.client.statistics.HotCounts;
import io.keyslot.client.statistics.LoadObserver;
import io.keyslot.client.statistics.NearCounts;
import io.keyslot.client.statistics.NearObserver;
import io.keyslot.client.statistics.RemoteObserver;
import io.keyslot.client.statistics.ReplicaObserver;
import io.keyslot.client.statistics.WriteBehindCounts;
import io.keyslot.client.stored.Lookup;
import javax.cache.Cache;

/**
 * Meters of a client that reports what its caches find: the reports look at what the meters are shown.
 *
 * @param meters what is measured besides, be it nothing
 */
public record ReportedMeters(Meters meters, CacheTallies tallies) implements Meters {
    @Override
    public CommandObserver commands() {
        return meters.commands();
    }

    @Override
    public PartitionObserver partitions() {
        return meters.partitions();
    }

    @Override
    public void watch(PartitionRouter router) {
        meters.watch(router);
    }

    @Override
    public EntryObserver entries(String cacheName) {
        EntryObserver next = meters.entries(cacheName);
        CacheTallies.MissCounter misses = tallies.misses(cacheName);
        return new EntryObserver() {
            @Override
            public void onMissed(MissCause cause) {
                misses.missed(cause);
                next.onMissed(cause);
            }

            @Override
            public void onUnreadable(Lookup.Outcome outcome) {
                next.onUnreadable(outcome);
            }

            @Override
            public void onUndecodable(String codec) {
                next.onUndecodable(codec);
            }
        };
    }

    @Override
    public ForgivingObserver forgiving(String cacheName) {
        return meters.forgiving(cacheName);
    }

    @Override
    public RemoteObserver events(String cacheName) {
        return meters.events(cacheName);
    }

    @Override
    public LoadObserver loads(String cacheName) {
        return tallies.loads(cacheName, meters.loads(cacheName));
    }

    @Override
    public GroupObserver groups() {
        return meters.groups();
    }

    @Override
    public NearObserver near(String cacheName) {
        return meters.near(cacheName);
    }

    @Override
    public ReplicaObserver replicas(String cacheName) {
        return meters.replicas(cacheName);
    }

    @Override
    public FollowerObserver followers() {
        return meters.followers();
    }

    @Override
    public void open(Cache<?, ?> cache, CacheCounts counts) {
        tallies.show(cache.getName(), counts);
        meters.open(cache, counts);
    }

    @Override
    public void open(String cacheName, WriteBehindCounts counts) {
        meters.open(cacheName, counts);
    }

    @Override
    public void open(String cacheName, NearCounts counts) {
        tallies.show(cacheName, counts);
        meters.open(cacheName, counts);
    }

    @Override
    public void open(String cacheName, HotCounts counts) {
        meters.open(cacheName, counts);
    }

    @Override
    public void close(String cacheName) {
        tallies.remove(cacheName);
        meters.close(cacheName);
    }

    @Override
    public void close() {
        meters.close();
    }
}
