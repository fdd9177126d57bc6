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

/** The measurements of one client. Keys and slots are never tags. Methods do not throw. Thread-safe. */
public interface Meters extends AutoCloseable {
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

    CommandObserver commands();

    PartitionObserver partitions();

    /** Registers the state of partitions and the version of the slot map. Call it again after partitions change. */
    void watch(PartitionRouter router);

    /** Returns the observer of stored bytes that are not readable. */
    EntryObserver entries(String cacheName);

    /** Returns the observer of failures that callers do not see. */
    FailSafeObserver failSafe(String cacheName);

    /** Returns the observer of other processes' changes that listeners receive. */
    RemoteObserver events(String cacheName);

    LoadObserver loads(String cacheName);

    GroupObserver groups();

    NearObserver near(String cacheName);

    /** Returns the observer of reads that may go to replicas. */
    ReplicaObserver replicas(String cacheName);

    /** Returns the observer of the replicas that are read. */
    FollowerObserver followers();

    void open(Cache<?, ?> cache, CacheCounts counts);

    void open(String cacheName, WriteBehindCounts counts);

    /** Registers the counts of a near cache, in addition to those of {@link #near}. */
    void open(String cacheName, NearCounts counts);

    void close(String cacheName);

    @Override
    void close();
}
