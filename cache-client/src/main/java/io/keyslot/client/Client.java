// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.concurrent.WorkPool;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.GroupWatch;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.near.NearCaches;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.replica.Replicas;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that all caches of one manager share, created by {@link ClientAssembly}. The pools run code of the
 * application, and do not wait for each other.
 *
 * @param async runs asynchronous operations and listeners
 * @param loaders runs loaders with a timeout
 * @param refreshes runs loads in the background
 * @param writers runs the cache writers of write-behind
 * @param feeds runs the handlers of feeds
 * @param changes receives the changes of entries by this process
 */
public record Client(
        ClientOptions options,
        TopologySource source,
        PartitionRouter router,
        Optional<EmbeddedPartitions> embedded,
        Waiter waiter,
        Timing timing,
        WorkPool async,
        ExecutorService loaders,
        ExecutorService refreshes,
        ExecutorService writers,
        ExecutorService feeds,
        Telemetry telemetry,
        List<EntryChanges> changes,
        ReadHistory history,
        RecentWrites recentWrites,
        KeyedQueues queues,
        StampSource stamps,
        GroupWatch groupWatch,
        NearCaches near,
        Replicas replicas,
        AllowedClasses allowed,
        List<Runnable> closing)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Client.class);

    private static final Duration LONGEST_REHEARSAL = Duration.ofSeconds(1);

    /** Many more keys than are needed to find one for each partition. */
    private static final int MOST_TRIED = 100_000;

    /** Adopts a layout, unless a newer one is known, and updates meters. Does not throw or block. */
    void follow(Layout layout) {
        Futures.whenOver(router.offer(layout), (adopted, failure) -> {
            if (Boolean.TRUE.equals(adopted)) {
                LOG.debug("The slot map is another now: {}", layout.slotMap());
                showPartitions();
            }
        });
    }

    void showPartitions() {
        telemetry.show(router::slotMap, router::statuses);
    }

    /**
     * Sends each partition a read and a script that changes nothing, before the first command of the application. The
     * first command of a process loads some hundred classes, and a server compiles the first script. On a busy machine,
     * that may take longer than the timeout, and the application's first call would fail.
     */
    void rehearse() {
        rehearsalKeys(router.slotMap()).forEach((partition, key) -> {
            rehearse(partition, new Command.Get(key));
            rehearse(partition, new Command.GetAll(List.of(key)));
            rehearse(partition, new Command.CompareAndRemove(key, 1));
        });
    }

    private <R> void rehearse(PartitionId partition, Command<R> command) {
        Reply<R> unused = ask(partition, command, LONGEST_REHEARSAL);
    }

    /** Sends a command to a partition, whatever slots it owns, and waits for its reply. Does not throw. */
    public <R> Reply<R> ask(PartitionId partition, Command<R> command, Duration atMost) {
        Deadline deadline = Deadline.after(timing.ticker(), atMost);
        return waiter.await(
                router.sendTo(partition, command, new Patience(deadline, waiter)),
                deadline,
                () -> Reply.unknown("no answer in time", null));
    }

    /**
     * Returns a key in the slots of each partition, as a node of a cluster does not answer for other slots. All keys
     * have the reserved entity type.
     */
    static Map<PartitionId, EncodedKey> rehearsalKeys(SlotMap map) {
        long wanted =
                map.partitions().stream().filter(id -> map.slotsOf(id) > 0).count();
        Map<PartitionId, EncodedKey> keys = new LinkedHashMap<>();
        for (int tried = 0; keys.size() < wanted && tried < MOST_TRIED; tried++) {
            EncodedKey key = EncodedKey.of("keyslot:rehearsal-" + tried);
            map.ownerOf(key.slot()).ifPresent(owner -> keys.putIfAbsent(owner, key));
        }
        return keys;
    }

    /** Closes all parts; the first failure has the others as suppressed. Call this once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}
