// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of a simulation, which answers late, and sometimes not at all; and how its clients hear of it: each after a time
 * of its own. Used by one thread at a time, as all of virtual time is.
 */
final class SimulatedMaps implements MapStore {
    private final Random chance;
    private final Map<Integer, Client> clients = new LinkedHashMap<>();
    private final int lossesInAHundred;
    private @Nullable PartitionMap now;
    private @Nullable MoveTime time;
    private BiConsumer<Duration, Runnable> after = (delay, task) -> {};
    private static final Duration AT_ONCE = Duration.ofNanos(200_000);
    private static final Duration LOOK = Duration.ofMillis(3);

    private Duration slowest = Duration.ofMillis(50);
    private boolean isSilent;
    private @Nullable Duration silence;
    boolean isPlainAtSettle;
    IntConsumer frozen = process -> {};

    SimulatedMaps(long seed, int lossesInAHundred) {
        this.chance = new Random(seed);
        this.lossesInAHundred = lossesInAHundred;
    }

    /** One process, as it hears of maps. */
    private final class Client implements TopologySource {
        private final int process;
        private final ClientOptions options;
        private Consumer<Layout> listener = layout -> {};
        Duration slowestOfIt = slowest;

        Client(int process, ClientOptions options) {
            this.process = process;
            this.options = options;
        }

        @Override
        public Layout first() {
            return layout();
        }

        Layout layout() {
            PartitionMap map = now();
            Map<Integer, PartitionId> others = new HashMap<>();
            for (Move move : map.moves()) {
                move.fenced().stream().forEach(slot -> {
                    boolean isCommitted = move.committed().contains(slot);
                    if (!isCommitted || !isPlainAtSettle) {
                        others.put(slot, isCommitted ? move.from() : move.to());
                    }
                });
            }
            List<PartitionOptions> asked = options.partitions().stream()
                    .filter(partition ->
                            map.partition(partition.name()).stream().anyMatch(MappedPartition::isAsked))
                    .toList();
            return new Layout(
                    map.slotMap(), asked, others, map.content().placements().forRouting(), false, MapLayouts.cold(map));
        }

        @Override
        public void listen(Consumer<Layout> newListener) {
            listener = newListener;
        }

        /** Often soon, often much later. */
        void hear() {
            hear(chance.nextInt(3) == 0 && slowestOfIt.equals(slowest) ? AT_ONCE : slowestOfIt);
        }

        private void hear(Duration slowest) {
            long nanos = (long) (chance.nextDouble() * slowest.toNanos());
            after.accept(Duration.ofNanos(nanos), () -> listener.accept(layout()));
        }

        /** It looks at once, however slowly it hears what nobody tells it. */
        @Override
        public boolean isSought(long version, PartitionId partition) {
            hear(LOOK);
            return true;
        }

        @Override
        public void refusedFrozen() {
            frozen.accept(process);
        }

        @Override
        public void close() {
            listener = layout -> {};
        }
    }

    void begin(PartitionMap first, MoveTime ofSimulation, BiConsumer<Duration, Runnable> later) {
        now = first;
        time = ofSimulation;
        after = later;
    }

    /** Returns where a process hears of maps. */
    TopologySource source(int process, ClientOptions options) {
        return clients.computeIfAbsent(process, number -> new Client(number, options));
    }

    /** The operator changes something. */
    void change(UnaryOperator<MapContent> change) {
        PartitionMap map = now();
        now = map.next(new MapCommit("operator-" + map.version(), "operator", "", Instant.EPOCH), change);
        clients.values().forEach(Client::hear);
    }

    /** From now on a process hears late. */
    void delay(int process, Duration most) {
        Client client = clients.get(process);
        if (client != null) {
            client.slowestOfIt = most;
        }
    }

    PartitionMap now() {
        if (now == null) {
            throw new IllegalStateException("the simulation has not begun");
        }
        return now;
    }

    private void takeTime() {
        if (time != null) {
            time.waiter().pause(aMoment());
        }
    }

    private Duration aMoment() {
        return Duration.ofNanos(chance.nextInt(2_000_000));
    }

    private boolean isLost() {
        return isSilent || chance.nextInt(100) < lossesInAHundred;
    }

    /** When slots are to get their new owner, it answers nobody for so long. */
    void fallSilentAtACommit(Duration length) {
        silence = length;
    }

    private void fallSilent(PartitionMap next) {
        Duration length = silence;
        if (length != null && next.commit().reason().contains(": commit ") && chance.nextInt(3) == 0) {
            silence = null;
            isSilent = true;
            after.accept(length, () -> isSilent = false);
        }
    }

    @Override
    public PartitionMap read() throws UnavailableException {
        takeTime();
        if (isLost()) {
            throw new UnavailableException("by chance");
        }
        return now();
    }

    /** What nobody has heard of may be done later, or never. */
    private void storeLate(PartitionMap before, PartitionMap next) {
        if (chance.nextBoolean() && now().stamp().equals(before.stamp())) {
            now = next;
            clients.values().forEach(Client::hear);
        }
    }

    @Override
    public Stored compareAndSet(PartitionMap before, PartitionMap next) {
        takeTime();
        Stored stored = store(before, next);
        if (stored != Stored.DONE) {
            return stored;
        }
        takeTime();
        return isLost() ? Stored.UNKNOWN : Stored.DONE;
    }

    /** What was prepared is sent while whoever sends it does something else. */
    @Override
    public Prepared prepare(PartitionMap before, PartitionMap next) {
        takeTime();
        takeTime();
        return () -> {
            CompletableFuture<Stored> answer = new CompletableFuture<>();
            after.accept(aMoment(), () -> {
                Stored stored = store(before, next);
                after.accept(
                        aMoment(), () -> answer.complete(stored == Stored.DONE && isLost() ? Stored.UNKNOWN : stored));
            });
            return answer;
        };
    }

    /** Answers late, and not always. */
    CompletableFuture<CatalogueAnswer> answer(Supplier<CatalogueAnswer> question) {
        CompletableFuture<CatalogueAnswer> answer = new CompletableFuture<>();
        after.accept(
                aMoment(),
                () -> answer.complete(isLost() ? new CatalogueAnswer.Unavailable("it was not asked") : question.get()));
        return answer;
    }

    /** Stores a map if it follows from the newest one. */
    CatalogueAnswer answered(PartitionMap next) {
        PartitionMap present = now();
        if (present.version() != next.parent()) {
            return new CatalogueAnswer.Conflict(present);
        }
        return store(present, next) == Stored.DONE && !isLost()
                ? new CatalogueAnswer.Ok(next)
                : new CatalogueAnswer.Unknown("no answer");
    }

    private Stored store(PartitionMap before, PartitionMap next) {
        fallSilent(next);
        if (isLost()) {
            after.accept(Duration.ofNanos(chance.nextInt(200_000_000)), () -> storeLate(before, next));
            return Stored.UNKNOWN;
        }
        if (!now().stamp().equals(before.stamp())) {
            return Stored.CONFLICT;
        }
        now = next;
        clients.values().forEach(Client::hear);
        return Stored.DONE;
    }
}
