// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.Sign;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.move.Answers;
import io.keyslot.cluster.move.Asked;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sends commands over connections that are made on demand. Never marks an instance as ours. For one thread. */
public final class Instances implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int MOST_ATTEMPTS = 50;
    private static final String NO_ANSWER = "no answer in time";

    private final OpenCatalogue catalogue;
    private final MoveTime time;
    private final Map<PartitionId, PartitionConnection> connections = new HashMap<>();

    public Instances(OpenCatalogue catalogue) {
        this.catalogue = catalogue;
        this.time = catalogue.time();
    }

    /** Asks all partitions. If one does not answer, nothing is known, because the rest would pass for the whole. */
    public static PlanFacts usedMemory(OpenCatalogue catalogue, PartitionMap map) {
        Map<PartitionId, PlanFacts.Memory> memory = new HashMap<>();
        try (Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : map.askedPartitions()) {
                SlotTransfer.MemoryUse used = instances.ask(partition, new SlotTransfer.Memory());
                memory.put(partition.name(), new PlanFacts.Memory(used.usedBytes(), used.mostBytes()));
            }
            return new PlanFacts(memory, Map.of());
        } catch (SilentException silent) {
            return PlanFacts.NONE;
        }
    }

    /** Returns why a partition would not accept us, or empty if it would. Changes nothing. */
    Optional<String> objection(MappedPartition partition, Adoption adoption) {
        try (PartitionConnector connector = catalogue.connector(partition, adoption)) {
            return await(
                    connector
                            .look()
                            .handle((done, failure) ->
                                    failure == null ? Optional.empty() : Optional.of(Answers.reasonOf(failure))),
                    () -> Optional.of(NO_ANSWER));
        }
    }

    /** Performs a step with a sign and reads it, whatever application uses the instance. */
    Sign.Sighting look(MappedPartition partition, Sign sign) {
        try (PartitionConnector connector = catalogue.connector(partition, Adoption.NEVER)) {
            return done(partition, reply(connector.look(sign)));
        }
    }

    private <T> Reply<T> reply(CompletableFuture<T> answer) {
        return await(Answers.reply(answer), () -> Reply.unknown(NO_ANSWER, null));
    }

    private static <T> T done(MappedPartition partition, Reply<T> reply) {
        if (reply instanceof Reply.Done<T> done) {
            return done.value();
        }
        throw new SilentException(partition.name() + ": " + ((Reply.Unknown<T>) reply).detail());
    }

    /** Removes keys that no move has, and returns how many had a value. */
    public long remove(MappedPartition partition, Predicate<EncodedKey> wanted) {
        long removed = 0;
        String cursor = ScanPage.START;
        do {
            ScanPage page = ask(partition, new SlotTransfer.Keys(cursor, wanted, SlotTransfer.MOST_KEYS));
            for (List<EncodedKey> keys : Slices.of(page.keys(), SlotTransfer.MOST_KEYS)) {
                removed += ask(partition, new Command.RemoveAll(keys));
            }
            cursor = page.next();
        } while (!cursor.equals(ScanPage.START));
        return removed;
    }

    Asked at(MappedPartition partition) {
        return new Asked() {
            @Override
            public <R> R ask(Command<R> command) {
                return Instances.this.ask(partition, command);
            }
        };
    }

    /** Returns the answer, with retries where they may help; throws {@link SilentException} without one. */
    public <R> R ask(MappedPartition partition, Command<R> command) {
        Reply<R> reply = send(partition, command);
        for (int attempt = 1; isWorthAnotherAttempt(reply) && attempt < MOST_ATTEMPTS; attempt++) {
            time.waiter().pause(PAUSE);
            reply = send(partition, command);
        }
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        String why = reply instanceof Reply.Refused<R> refused ? refused.detail() : "no answer to " + command.name();
        throw new SilentException(partition.name() + ": " + why);
    }

    private static boolean isWorthAnotherAttempt(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isWorthAnotherAttempt();
    }

    private <R> Reply<R> send(MappedPartition partition, Command<R> command) {
        PartitionConnection connection = connection(partition);
        return await(
                connection.send(command, Route.ANY, Patience.UNLIMITED),
                () -> Reply.refused(Refusal.UNAVAILABLE, NO_ANSWER));
    }

    private PartitionConnection connection(MappedPartition partition) {
        PartitionConnection known = connections.get(partition.name());
        if (known != null && !known.lost().isDone()) {
            return known;
        }
        PartitionConnector connector = catalogue.connector(partition, Adoption.NEVER);
        Reply<PartitionConnection> connected = reply(connector.connect());
        if (!(connected instanceof Reply.Done)) {
            connector.close();
        }
        PartitionConnection made = done(partition, connected);
        connections.put(partition.name(), made);
        return made;
    }

    private <T> T await(CompletableFuture<T> answer, Supplier<T> onTimeout) {
        return time.await(answer, LONGEST, onTimeout);
    }

    @Override
    public void close() {
        connections.values().forEach(PartitionConnection::close);
    }
}
