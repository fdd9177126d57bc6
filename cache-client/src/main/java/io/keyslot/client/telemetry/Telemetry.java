// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.client.concurrent.CallerContext;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives what happens in one client, for meters and observations. By default, nothing is done with it, and contexts
 * are not carried.
 *
 * <p>Any thread may call these methods, also I/O threads: they must be short and must not block or throw. Thread-safe.
 */
public interface Telemetry extends CallerContext, AutoCloseable {
    Telemetry NONE = new Telemetry() {};

    /** The manager property with a {@code MeterRegistry}; without it, Micrometer's global registry is used. */
    String METER_REGISTRY = "keyslot.meterRegistry";

    /** The manager property with an {@code ObservationRegistry}; without it, nothing is observed. */
    String OBSERVATION_REGISTRY = "keyslot.observationRegistry";

    /**
     * Returns the telemetry of one client: meters if Micrometer is on the class path, and observations if the
     * application supplies a registry.
     *
     * @param wantsMeters whether the configuration enables meters
     * @param manager the name of the client's manager, for a tag
     * @param properties the manager's
     * @throws IllegalArgumentException if a property has a value that is not a registry
     */
    static Telemetry of(boolean wantsMeters, String manager, Properties properties, Ticker ticker) {
        Object observations = properties.get(OBSERVATION_REGISTRY);
        // Spring alone has the classes for observations, but not those for meters, on the class path.
        if (wantsMeters && isPresent("io.micrometer.core.instrument.MeterRegistry")) {
            return Meters.of(manager, properties.get(METER_REGISTRY), observations, ticker);
        }
        return observations == null ? NONE : Observations.of(manager, observations, ticker);
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Telemetry.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns the telemetry of a new cache, which has to close it. */
    default CacheTelemetry cache(String name) {
        return CacheTelemetry.NONE;
    }

    /** Returns the group with observed calls, also of its handles and transactions, if calls are observed. */
    default CacheGroup around(CacheGroup group) {
        return group;
    }

    /** Returns the queue with observed calls, also of its messages, if calls are observed. */
    default <E> PartitionedQueue<E> around(PartitionedQueue<E> queue) {
        return queue;
    }

    /** Returns whether routers are to report commands. */
    default boolean receivesCommands() {
        return false;
    }

    /** Returns whether the calling thread is within an observed call, whose commands are observed. */
    default boolean isWithinCall() {
        return false;
    }

    /**
     * Called within an observed call by the thread that sends a command. Returns the receiver of its reply, or null; it
     * is called once, by the thread that has the reply, which is null only after a bug. A newer slot map may send the
     * command to another partition than the current owner of the slot.
     */
    default @Nullable Consumer<@Nullable Reply<?>> onSend(PartitionOptions partition, Command<?> command) {
        return null;
    }

    /**
     * Called once for each command, before its caller receives the reply. The partition is the owner of the slot when
     * the command was sent. The time is what the caller waited, including all attempts and pauses.
     */
    default void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos) {}

    /**
     * Called when a partition's state changes. Events of different threads may arrive in any order; the partition's
     * status is authoritative.
     */
    default void onTransition(PartitionId partition, PartitionState from, PartitionState to, String cause) {}

    /** The partition is healthy again after this absence. */
    default void onReturn(PartitionId partition, Duration absence) {}

    default void onReplayed(PartitionId partition, int deletions) {}

    /** There were too many pending deletes: everything that the partition has stored is invalidated. */
    default void onOverflow(PartitionId partition) {}

    /** Shows the slot map and the state of its partitions. Called again after the partitions change. */
    default void show(Supplier<SlotMap> slotMap, Supplier<List<PartitionStatus>> statuses) {}

    /** What happens to a message of a queue. */
    enum QueueEvent {
        SENT,
        RECEIVED,
        COMPLETED,
        DEAD,
        LOST
    }

    default void onMessages(String queue, QueueEvent event, long count) {}

    /** Shows the number of messages of a queue, as the fragments last answered it. */
    default void showQueue(String queue, LongSupplier depth) {}

    default void onGroupTooLarge(String rootType) {}

    /**
     * A replica that is opened for reads, with the highest possible age of its data and the average time of its last
     * replies, in nanoseconds; negative if they are not known. Thread-safe.
     */
    record Replica(PartitionId partition, String address, LongSupplier ageNanos, LongSupplier roundTripNanos) {}

    default void onReplicaOpened(Replica replica) {}

    default void onReplicaClosed(Replica replica) {}

    @Override
    default void close() {}
}
