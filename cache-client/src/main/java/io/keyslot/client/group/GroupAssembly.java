// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.client.Client;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.group.GroupLocks.HeldLock;
import io.keyslot.client.group.GroupTransactions.RunningTransactions;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Feed;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Creates the groups and queues of one manager and their shared parts. Safe for use by several threads. */
public final class GroupAssembly implements AutoCloseable {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final Client client;
    private final GroupedCaches caches;
    private final ElementCodecs codecs;
    private final EntryCalls entries;
    private final Polling polling;
    private final AsyncCalls async;
    private final RunningTransactions running;
    private final Set<HeldLock> locks = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, QueueHandle<?>> queues = new ConcurrentHashMap<>();

    public GroupAssembly(Client client, ClassLoader classLoader, GroupedCaches caches) {
        this.client = client;
        this.caches = caches;
        this.codecs = new ElementCodecs(
                client.options().codec().defaultName(),
                client.allowed(),
                classLoader,
                client.options().limits(),
                client.stamps(),
                client.options()::storedOf);
        this.entries = new EntryCalls(
                client.router(), client.groupWatch().around(client.router()), client.waiter(), client.changes());
        this.polling = new Polling(client.timing(), client.waiter(), LONGEST_PAUSE);
        this.async = new AsyncCalls(client.async(), client.telemetry());
        this.running = new RunningTransactions(client.queues(), client.stamps());
    }

    /**
     * Returns the group of a root, observed if calls of caches are.
     *
     * @throws IllegalArgumentException if the key is a member of another group
     */
    public CacheGroup of(EntityKey root) {
        return client.telemetry().around(handleOf(root));
    }

    /** Returns the stored form of a key. Throws if it is too long, or its type is reserved. */
    public EncodedKey encode(EntityKey key) {
        return keysOf(key.root(), type -> null).encode(key);
    }

    /**
     * Removes what is stored under a key, and in its group if it is a root; passes the number of removed values by content,
     * perhaps several times. {@code feeds} has the feeds of caches by entity type.
     */
    public void erase(EntityKey key, Function<String, @Nullable Feed> feeds, ObjLongConsumer<String> removed) {
        handleOf(keysOf(key.root(), feeds)).erase(key, removed);
    }

    private GroupKeys keysOf(EntityKey root, Function<String, @Nullable Feed> feeds) {
        return GroupKeys.of(
                client.options().namespace(), root, client.options().limits().keyBytes(), feeds);
    }

    private GroupHandle handleOf(EntityKey root) {
        return handleOf(
                keysOf(root, type -> caches.ofType(type).map(GroupedCache::feed).orElse(null)));
    }

    private GroupHandle handleOf(GroupKeys keys) {
        caches.checkOpen();
        EntityKey root = keys.root();
        codecs.requireReadableKeys(root.type());
        Failures failures = new Failures("Group " + root.text());
        GroupForms forms = new GroupForms(keys, caches, codecs);
        GroupCalls calls = new GroupCalls(
                keys,
                entries,
                failures,
                client.timing().ticker(),
                client.options().deadlines().call(),
                keys.home().stamps());
        DirectAccess access = new DirectAccess(caches, calls, client.stamps(), polling, async);
        GroupTransactions transactions = new GroupTransactions(
                forms,
                calls,
                running,
                new TransactionCommit(calls, client.waiter()),
                () -> new Contention(client.timing().ticker(), client.timing().random(), client.waiter(), failures));
        GroupLocks lock = new GroupLocks(caches, calls, transactions, locks, polling, client.stamps());
        return new GroupHandle(forms, access, calls, transactions, lock);
    }

    /**
     * Returns the group of an entry, without observation, which is added with that of the cache.
     *
     * @throws IllegalArgumentException if the root is not an entity key, but a composite key without a group
     */
    public CacheGroup of(EncodedKey key) {
        return handleOf(GroupKeys.rootOf(key, client.options().namespace()));
    }

    /**
     * Returns the queue of this name.
     *
     * @throws IllegalArgumentException if the name is not one of a queue, or the codec cannot hold the type
     * @throws ClassCastException if it was opened with another type
     */
    @SuppressWarnings("unchecked") // the type is that of the handle
    public <E> PartitionedQueue<E> queue(String name, Class<E> type) {
        caches.checkOpen();
        QueueHandle<?> queue = queues.computeIfAbsent(
                QueueHandle.checked(name),
                first -> new QueueHandle<>(
                        name, client, caches, entries, codecs.ofElements("Queue " + name, type, null)));
        queue.requireType(type);
        return client.telemetry().around((PartitionedQueue<E>) queue);
    }

    @Override
    public void close() {
        GroupLocks.release(locks, client.waiter());
    }
}
