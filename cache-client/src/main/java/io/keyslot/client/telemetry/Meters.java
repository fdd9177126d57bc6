// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.CacheCounts;
import io.keyslot.client.entry.EntryObserver;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.FollowerObserver;
import io.keyslot.client.entry.GroupObserver;
import io.keyslot.client.entry.LoadObserver;
import io.keyslot.client.entry.NearCounts;
import io.keyslot.client.entry.NearObserver;
import io.keyslot.client.entry.RemoteObserver;
import io.keyslot.client.entry.ReplicaObserver;
import io.keyslot.client.entry.WriteBehindCounts;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.routing.CommandObserver;
import io.keyslot.client.routing.PartitionRouter;
import javax.cache.Cache;

/**
 * Where one client's measurements go. No key and no slot is ever a tag. Safe for use by several threads; nothing here
 * throws.
 */
public interface Meters extends AutoCloseable {
    /** Measures nothing. */
    Meters NONE = new Meters() {
        @Override
        public CommandObserver commands() {
            return CommandObserver.NONE;
        }

        @Override
        public PartitionObserver partitions() {
            return PartitionObserver.NONE;
        }

        @Override
        public void watch(PartitionRouter router) {}

        @Override
        public EntryObserver entries(String cacheName) {
            return EntryObserver.NONE;
        }

        @Override
        public FailSafeObserver failSafe(String cacheName) {
            return FailSafeObserver.NONE;
        }

        @Override
        public RemoteObserver events(String cacheName) {
            return RemoteObserver.NONE;
        }

        @Override
        public LoadObserver loads(String cacheName) {
            return LoadObserver.NONE;
        }

        @Override
        public GroupObserver groups() {
            return GroupObserver.NONE;
        }

        @Override
        public NearObserver near(String cacheName) {
            return NearObserver.NONE;
        }

        @Override
        public ReplicaObserver replicas(String cacheName) {
            return ReplicaObserver.NONE;
        }

        @Override
        public FollowerObserver followers() {
            return FollowerObserver.NONE;
        }

        @Override
        public void open(Cache<?, ?> cache, CacheCounts counts) {}

        @Override
        public void open(String cacheName, WriteBehindCounts counts) {}

        @Override
        public void open(String cacheName, NearCounts counts) {}

        @Override
        public void close(String cacheName) {}

        @Override
        public void close() {}
    };

    /** Returns who hears of every command's reply. */
    CommandObserver commands();

    /** Returns who hears of every transition of a partition's state. */
    PartitionObserver partitions();

    /**
     * Shows the state of the router's partitions and the version of its slot map. To be called again when there are other
     * partitions.
     */
    void watch(PartitionRouter router);

    /** Returns who hears of stored bytes of a cache that could not be served. */
    EntryObserver entries(String cacheName);

    /** Returns who hears of what a cache could not do, and did not tell. */
    FailSafeObserver failSafe(String cacheName);

    /** Returns who hears what the listeners of a cache are told of the changes of others. */
    RemoteObserver events(String cacheName);

    /** Returns who hears of the loads of a cache. */
    LoadObserver loads(String cacheName);

    /** Returns who hears of groups that are too large. */
    GroupObserver groups();

    /** Returns who hears of the copies that the near cache of a cache serves and loses. */
    NearObserver near(String cacheName);

    /** Returns who hears who answers the reads of a cache that is read from replicas. */
    ReplicaObserver replicas(String cacheName);

    /** Returns who hears which replicas are read. */
    FollowerObserver followers();

    /** Shows the counts of a cache that was opened. */
    void open(Cache<?, ?> cache, CacheCounts counts);

    /** Shows the counts of a cache's queue of changes that are written behind. */
    void open(String cacheName, WriteBehindCounts counts);

    /** Shows the counts of a near cache, of which {@link #near} hears already. */
    void open(String cacheName, NearCounts counts);

    /** Removes the meters of a cache that was closed. */
    void close(String cacheName);

    /** Removes all meters. */
    @Override
    void close();
}
