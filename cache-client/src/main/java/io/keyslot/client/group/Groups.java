// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.client.Client;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.pool.AsyncCalls;

/** The groups of one manager: puts the parts of their handles together. Safe for use by several threads. */
public final class Groups implements AutoCloseable {
    private final Client client;
    private final GroupedCaches caches;
    private final ElementCodecs codecs;
    private final Takers takers;
    private final AsyncCalls calling;
    private final RunningTransactions transactions = new RunningTransactions();
    private final HeldLocks locks;

    /** @param classLoader loads the classes of elements that are not scalars */
    public Groups(Client client, ClassLoader classLoader, GroupedCaches caches) {
        this.client = client;
        this.caches = caches;
        this.codecs = new ElementCodecs(client, classLoader);
        this.takers = new Takers(client.timing(), client.waiter());
        this.calling = new AsyncCalls(client.pool());
        this.locks = new HeldLocks(client.waiter());
    }

    /**
     * Returns the group of a root.
     *
     * @throws IllegalArgumentException if it is a member of a group itself
     */
    public CacheGroup of(EntityKey root) {
        caches.checkOpen();
        GroupKeys keys = new GroupKeys(
                client.options().namespace(), root, client.options().limits().keyBytes());
        GroupParts parts = new GroupParts(
                keys,
                new GroupCalls(client.router(), client.waiter(), keys, client.watch()),
                caches,
                codecs,
                takers,
                client.queues(),
                client.stamps(),
                client.options().limits(),
                client.options().groups(),
                client.options().deadlines(),
                client.timing(),
                client.waiter(),
                calling,
                transactions,
                locks);
        return new GroupHandle(parts, client.router());
    }

    /** Gives back the locks that the groups hold. */
    @Override
    public void close() {
        locks.close();
    }

    /**
     * Returns the group to which an entry belongs.
     *
     * @throws IllegalArgumentException if its root is not the text of an entity key: a key of several parts that is alone
     */
    public CacheGroup of(EncodedKey key) {
        return of(GroupKeys.rootOf(key, client.options().namespace()));
    }
}
