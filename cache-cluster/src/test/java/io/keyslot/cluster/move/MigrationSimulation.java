// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.StuckSlotRecovery;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.register.Generation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.PlacementEdit;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotInside;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Slots move from one partition to another while processes read and write, in virtual time, and something goes wrong. It throws
 * when a reader finds what it must not, when a change was counted twice or not at all, or when something of the move is left.
 */
final class MigrationSimulation {
    /** What goes wrong. */
    enum Fault {
        NOTHING,
        /** The coordinator dies at some step, and another one takes over. */
        COORDINATOR_DIES,
        /** The coordinator stands still at some step, another one takes over, and then the first one goes on. */
        TWO_COORDINATORS,
        /** The coordinator does not reach the source for a while, or not the target; all clients do. */
        COORDINATOR_CUT,
        /** What another coordinator has sent before arrives at the worst moment. */
        LATE_COMMANDS,
        /** The source begins again with nothing. */
        SOURCE_LOST,
        /** The target begins again with nothing. */
        TARGET_LOST,
        /** The source is gone for good; the operator says so. */
        SOURCE_DEAD,
        /** The target is gone for good; the operator says so. */
        TARGET_DEAD,
        /** The operator says that the source is gone for good; later it is there again, with all that it had. */
        SOURCE_RETURNS,
        /** The operator says that the target is gone for good; later it is there again, with all that it had. */
        TARGET_RETURNS,
        /** The source evicts what was noted of writes. */
        NOTES_LOST,
        /** A process hears of maps ten seconds late. */
        CLIENT_SLEEPS,
        /** The catalogue does not answer, or not in time. */
        CATALOGUE_FAILS,
        /**
         * There is something large that is written all the time. To copy it takes from a moment to longer than writes ever wait; then
         * whoever writes it stops when the coordinator says so.
         */
        LARGE_AND_BUSY,
        /** The catalogue answers nobody for a while, when a change is made. */
        CATALOGUE_SILENT,
        /** Of what is on its way to the target, what was sent last may arrive first; and the coordinator may die meanwhile. */
        IMPORTS_OVERTAKE,
        /** The coordinator dies while slots are frozen, and nobody takes over for a long time. */
        DIES_FROZEN,
        /** The coordinator stands still while slots are frozen, for so long that clients go on without it. */
        SLEEPS_FROZEN
    }

    private static final PartitionId SOURCE = new PartitionId("p1");
    private static final PartitionId TARGET = new PartitionId("p2");
    private static final List<PartitionId> PARTITIONS = List.of(SOURCE, TARGET, new PartitionId("p3"));
    private static final String MOVE = "m-1";

    /** A second move to the target, from the third partition, in every third run. */
    private static final String SECOND_MOVE = "m-9";

    private static final PartitionId THIRD = PARTITIONS.get(2);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** So many keys have places of their own. */
    private static final int PLACED = 3;

    private static final int WRITERS = 3;
    private static final int KEYS = 6;
    /** So long the catalogue is silent: about as long as a call may take. */
    static final Duration SILENCE = Duration.ofMillis(700);

    /** So long it takes at most to copy what is large. */
    private static final int LARGEST_MILLIS = 1_500;

    /** What is large is written so often in the time that it takes to copy it, or more often. */
    private static final int WRITES_OF_LARGE = 12;

    /** Something large is tried often before it is given up for a while. */
    private static final Duration LONGEST_OF_LARGE = Duration.ofMinutes(30);

    private static final Duration LONGEST_REST = Duration.ofNanos(4_200_000);

    private static final int MOST_LOOKS_BEFORE_LOSS = 4;

    /** The steps of a freeze. */
    private static final int STEPS_FROZEN = 4;

    /** So long writes to a slot wait at most for a coordinator that is dead, and wrote nothing down before. */
    private static final Duration LONGEST_FROZEN = Duration.ofSeconds(3);

    private static final Set<SlotFence.State> AFTER_A_FREEZE =
            Set.of(SlotFence.State.CLOSED, SlotFence.State.MOVED, SlotFence.State.OWNED);

    private static final int ENTRIES_AT_REST = 120;
    private static final int SLOTS_AT_REST = 250;

    /** Each connector of a coordinator is a process of its own to the partitions; so is each of a client that helps. */
    private static final int FIRST_COORDINATOR = 100;

    private static final int MOST_CONNECTORS = 200;

    /** A run has about as many commands of its coordinator. */
    private static final int STEPS = 120;

    private final Random random;
    private final Fault fault;
    private final Mutant mutant;
    private static final int RACES = 100;
    private static final Duration SLOW_FOR_ONE = Duration.ofMillis(3);

    private final Kind kind;
    private final List<String> races = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();
    private final boolean isCold;
    private final Duration staleness;
    private final SimulatedMaps maps;
    private final EmbeddedKeyslot keyslot;
    private final List<WrittenKey> keys = new ArrayList<>();
    private final MoveTime time;
    private SlotSet moving = SlotSet.none();
    private SlotSet used = SlotSet.none();
    private int failed;
    private int calls;
    private int checkedReads;
    private long counted;
    private long perhapsCounted;
    private boolean isOver;
    private boolean isStill;
    private boolean isLossy;
    private boolean isDead;
    private boolean isDeclared;
    private final int looksBeforeLoss;
    private final Duration hesitation;
    private final Duration large;
    private boolean isLargeAtRest;
    private final boolean hasPlaces;
    private final boolean hasSecondMove;
    private String move = MOVE;
    private MoveProgress progress;
    private Supplier<MoveProgress> live = () -> progress;

    MigrationSimulation(long seed, Fault fault, Mutant mutant) {
        this(seed, fault, mutant, Kind.PLAIN);
    }

    /** What the cache is that all processes use. */
    enum Kind {
        PLAIN,
        /** Each process has near copies. */
        NEAR,
        /** Writes that a partition cannot be asked for are deletions that are owed; and one process is cut from the source for a while. */
        JOURNALED,
        /** The first move is cold, as is that of every other run with journals. */
        COLD
    }

    /** Each key that is written is read or written in this time. */
    private static final Duration SHORTEST_DRAIN = Duration.ofMillis(400);

    /** Near copies are no older than this, which is less than most of a move takes. */
    private static final Duration STALENESS = Duration.ofMillis(40);

    /** What owed deletions take at most. */
    private static final Duration REPAIRED_WITHIN = Duration.ofSeconds(15);

    MigrationSimulation(long seed, Fault fault, Mutant mutant, Kind kind) {
        this.kind = kind;
        this.isCold = kind == Kind.COLD || (kind == Kind.JOURNALED && seed % 2 == 0);
        this.staleness = kind == Kind.NEAR ? STALENESS : Duration.ZERO;
        this.random = new Random(seed);
        this.fault = fault;
        this.mutant = mutant;
        this.hasPlaces = seed % 2 == 0;
        this.hasSecondMove = Math.floorMod(seed, 3) == 1 && !isForGood() && fault != Fault.LARGE_AND_BUSY;
        this.looksBeforeLoss = new Random(~seed).nextInt(MOST_LOOKS_BEFORE_LOSS);
        this.hesitation = Duration.ofMillis(new Random(seed).nextInt(200));
        this.large = fault == Fault.LARGE_AND_BUSY
                ? Duration.ofMillis(1 + new Random(~seed).nextInt(LARGEST_MILLIS))
                : Duration.ZERO;
        this.maps = new SimulatedMaps(seed, fault == Fault.CATALOGUE_FAILS ? 10 : 0);
        maps.isPlainAtSettle = mutant == Mutant.PLAIN_AT_SETTLE;
        KeyslotSettings settings =
                KeyslotSettings.defaults().withPartitions(PARTITIONS.size()).withSeed(seed);
        this.keyslot = KeyslotInside.start(settings, maps::source);
        this.time = new MoveTime(
                KeyslotInside.clockwork(keyslot).ticker(),
                KeyslotInside.clockwork(keyslot).waiter());
        this.progress = new MoveLog(MOVE, time).now();
    }

    /**
     * What was seen, so that a test can see that a run shows something.
     *
     * @param large how long it took to copy what was large; zero if nothing was
     * @param isLargeAtRest whether the coordinator has asked whoever writes it to stop
     */
    record Seen(
            int calls, int failed, int checkedReads, MoveProgress progress, Duration large, boolean isLargeAtRest) {}

    Seen run() {
        try (keyslot) {
            begin();
            List<Runnable> tasks = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                long seed = random.nextLong();
                tasks.add(() -> write(number, new Random(seed)));
                tasks.add(() -> read(number, new Random(seed + 1)));
            }
            if (fault == Fault.TWO_COORDINATORS) {
                tasks.add(this::zombie);
            }
            if (isForGood()) {
                tasks.add(this::operate);
            }
            if (isCold) {
                Random chance = new Random(random.nextLong());
                tasks.add(() -> race(chance, key -> cache(0).get(key)));
                tasks.add(() -> race(chance, key -> {
                    cache(1).removeAll(Set.of(key));
                    removed.add(key);
                }));
            }
            if (hasSecondMove) {
                Random chance = new Random(random.nextLong());
                tasks.add(() -> coordinateSecondMove(chance));
            }
            tasks.add(this::coordinate);
            keyslot.interleave(tasks);
            check();
            return new Seen(calls, failed, checkedReads, progress, large, isLargeAtRest);
        }
    }

    private void begin() {
        SlotMap slots = SlotMap.ofEqualShares(1, PARTITIONS);
        List<MappedPartition> partitions = PARTITIONS.stream()
                .map(id -> MappedPartition.active(id, null, 1))
                .toList();
        MapContent content = new MapContent(partitions, SlotTable.of(slots), List.of());
        for (int i = 0; i < KEYS; i++) {
            keys.add(new WrittenKey(keyOf(hasSecondMove && i % 2 == 1 ? THIRD : SOURCE, slots, "k" + i)));
        }
        PartitionMap first =
                new PartitionMap(new MapStamp(Generation.CONFIGURED, 1), MapCommit.CONFIGURED, placed(content));
        maps.begin(first, time, keyslot::after);
        for (int i = 0; i < WRITERS; i++) {
            PartitionedCacheManager manager = keyslot.cacheManager(i);
            PartitionedConfiguration<String, Long> customer = new PartitionedConfiguration<>();
            customer.setMissingPartition(MissingPartitionPolicy.FAIL);
            switch (kind) {
                case NEAR -> customer.setNear(NearOptions.ofEntries(1_000).withStaleness(staleness));
                case JOURNALED -> customer.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
                case PLAIN, COLD -> {}
            }
            manager.createCache("customer", customer);
        }
        String counter = keyOf(SOURCE, slots, "counter");
        keys.add(new WrittenKey(counter));
        List<String> atRest =
                IntStream.range(0, ENTRIES_AT_REST).mapToObj(i -> "rest" + i).toList();
        atRest.forEach(key -> cache(0).put(key, 77L));
        for (int i = 0; i < (isCold ? RACES : 0); i++) {
            races.add(keyOf(SOURCE, slots, "race" + i));
        }
        races.forEach(key -> cache(0).put(key, 78L));
        keyslot.partitions().forEach(partition -> partition.slow(Duration.ofNanos(300_000)));
        moving = SlotSet.of(IntStream.concat(
                                keys.stream().mapToInt(key -> slotOf(key.key())),
                                Stream.concat(atRest.stream(), races.stream()).mapToInt(this::slotOf))
                        .filter(slot -> first.ownerOf(slot).equals(Optional.of(SOURCE))))
                .plus(SlotSet.of(IntStream.range(0, SLOTS_AT_REST)));
        used = moving.plus(SlotSet.of(atRest.stream().mapToInt(this::slotOf)))
                .plus(SlotSet.of(keys.stream().mapToInt(key -> slotOf(key.key()))));
        Move move = Move.begun(MOVE, SOURCE, TARGET, moving, "operator")
                .with(random.nextBoolean() ? MovePace.FULL : MovePace.MODEST)
                .cold(isCold ? SHORTEST_DRAIN.plusMillis(random.nextInt(1_000)) : null);
        maps.begin(
                first.next(
                        new MapCommit("op", "operator", "", Instant.EPOCH),
                        map -> hasSecondMove ? map.begin(move).begin(secondMove(first)) : map.begin(move)),
                time,
                keyslot::after);
        for (int i = 0; i < WRITERS; i++) {
            helpers.add(new SimulatedThaw(
                    maps,
                    this::connector,
                    new Timing(
                            KeyslotInside.clockwork(keyslot).ticker(),
                            KeyslotInside.clockwork(keyslot).scheduler("thaw-" + i),
                            new Random(random.nextLong())),
                    mutant == Mutant.RECOVERED_ALONE));
        }
        maps.frozen = process -> helpers.get(process).refused();
        if (fault == Fault.CLIENT_SLEEPS) {
            maps.delay(1, Duration.ofSeconds(10));
        }
    }

    /** Two processes use the same keys for the first time at about the same moment. */
    private void race(Random chance, Consumer<String> use) {
        while (!isOver
                && maps.now().move(MOVE).stream()
                        .noneMatch(move -> move.uncommitted().isEmpty())) {
            keyslot.advance(Duration.ofMillis(1));
        }
        KeyslotInside.slow(
                keyslot.partition(SOURCE.toString()), 0, SLOW_FOR_ONE); // what it has read is old when it stores it
        for (String key : races) {
            try {
                use.accept(key);
            } catch (RuntimeException e) {
                keep(e);
            }
            keyslot.advance(Duration.ofNanos(chance.nextInt(1_000_000)));
        }
    }

    private Move secondMove(PartitionMap map) {
        SlotSet slots = used.minus(moving).and(map.slots().slotsOf(THIRD));
        return Move.begun(SECOND_MOVE, THIRD, TARGET, slots, "operator");
    }

    private void coordinateSecondMove(Random chance) {
        keyslot.advance(Duration.ofMillis(chance.nextInt(200)));
        for (int run = 1; maps.now().move(SECOND_MOVE).isPresent(); run++) {
            if (keyslot.elapsed().compareTo(LONGEST) > 0) {
                throw new AssertionError("the second move does not end");
            }
            Migration.Outcome unused = new Migration(SECOND_MOVE, "second-" + run, maps, this::connector, time).run();
        }
    }

    /** Every other run has keys with places of their own, in slots above those of hashes: where they were, as ever. */
    private MapContent placed(MapContent content) {
        MapContent placed = content;
        for (int i = 0; i < (hasPlaces ? PLACED : 0); i++) {
            placed = new PlacementEdit(placed, "customer")
                    .add(new PlacedEntry.Id(keys.get(i).key()), null);
        }
        return placed;
    }

    private static String keyOf(PartitionId home, SlotMap slots, String name) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(key ->
                        slots.ownerOf(EncodedKey.of("customer:" + key).slot()).equals(Optional.of(home)))
                .findFirst()
                .orElseThrow();
    }

    private int slotOf(String key) {
        return maps.now().slotOf(EncodedKey.of("customer:" + key));
    }

    private Cache<String, Long> cache(int process) {
        return keyslot.cacheManager(process).getCache("customer");
    }

    private WrittenKey counter() {
        return keys.get(KEYS);
    }

    private void write(int number, Random chance) {
        Cache<String, Long> cache = cache(number);
        while (!isOver) {
            if (chance.nextInt(6) == 0 && !isWriterOfLarge(number)) {
                count(cache);
            } else {
                int other = chance.nextInt(KEYS / WRITERS);
                WrittenKey key = keys.get(number + (isWriterOfLarge(number) ? 0 : WRITERS * other));
                if (!isLeftAlone(key)) {
                    write(number, key, chance);
                }
            }
            rest(chance);
        }
    }

    private boolean isWriterOfLarge(int number) {
        return !large.isZero() && number == 0;
    }

    /** Whoever writes something too large for a move stops when the coordinator says so. */
    private boolean isLeftAlone(WrittenKey key) {
        isLargeAtRest |= !large.isZero() && live.get().lastTrouble().startsWith("more is written to slots");
        return isLargeAtRest && key.equals(keys.get(0));
    }

    private void count(Cache<String, Long> cache) {
        calls++;
        try {
            Long unused = cache.invoke(counter().key(), (entry, arguments) -> {
                Long before = entry.getValue();
                entry.setValue(before == null ? 1 : before + 1);
                return before;
            });
            counted++;
        } catch (RuntimeException e) {
            failed++;
            perhapsCounted++;
            keep(e);
        }
    }

    private void write(int number, WrittenKey key, Random chance) {
        Cache<String, Long> cache = cache(number);
        boolean removes = chance.nextInt(5) == 0 && !isWriterOfLarge(number);
        long value = key.begin(removes);
        calls++;
        try {
            if (removes) {
                cache.remove(key.key());
            } else if (chance.nextBoolean()) {
                cache.put(key.key(), value);
            } else {
                Long unused = cache.getAndPut(key.key(), value);
            }
            key.acknowledge(value, number, keyslot.elapsed());
        } catch (RuntimeException e) {
            failed++;
            keep(e);
        }
    }

    private static void keep(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof KeyslotException) {
                return;
            }
        }
        throw e;
    }

    private void read(int number, Random chance) {
        Cache<String, Long> cache = cache(number);
        while (!isOver) {
            WrittenKey key = keys.get(chance.nextInt(KEYS));
            boolean isChecked = !othersOweDeletions(number);
            long floor = key.floor(number, keyslot.elapsed().minus(staleness));
            calls++;
            Long value = null;
            boolean isRead = false;
            try {
                value = cache.get(key.key());
                isRead = true;
            } catch (RuntimeException e) {
                failed++;
                keep(e);
            }
            if (isRead && isChecked && !othersOweDeletions(number)) {
                checkedReads++;
                key.found(number, floor, value);
            }
            rest(chance);
        }
    }

    /** What its writer could not reach is not read by the writer until it is deleted; by others it may be. */
    private boolean othersOweDeletions(int process) {
        return kind == Kind.JOURNALED
                && IntStream.range(0, WRITERS)
                        .filter(other -> other != process)
                        .anyMatch(other -> keyslot.cacheManager(other).partitions().stream()
                                .anyMatch(partition -> partition.journal() > 0));
    }

    /** Short, but for who works beside something large: many calls in the time that this takes show no more than some. */
    private void rest(Random chance) {
        long times = 1 + large.dividedBy(WRITES_OF_LARGE).dividedBy(LONGEST_REST);
        keyslot.advance(Duration.ofNanos(times * (200_000L + chance.nextInt(4_000_000))));
    }

    // ---- coordinators

    /** The process of a coordinator has ended. */
    private static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void coordinate() {
        try {
            keyslot.advance(Duration.ofMillis(20 + random.nextInt(20)));
            int step = 1 + random.nextInt(STEPS);
            switch (fault) {
                case SOURCE_LOST -> loseAt(SOURCE, Duration.ofMillis(random.nextInt(400)));
                case TARGET_LOST -> loseAt(TARGET, Duration.ofMillis(random.nextInt(400)));
                case COORDINATOR_CUT -> cutCoordinator();
                case CATALOGUE_SILENT -> maps.fallSilentAtACommit(SILENCE);
                case SOURCE_DEAD, SOURCE_RETURNS, TARGET_DEAD, TARGET_RETURNS ->
                    killAt(victim(), Duration.ofMillis(random.nextInt(400)));
                default -> {}
            }
            if (kind == Kind.JOURNALED) {
                cutForAWhile();
            }
            if (fault == Fault.DIES_FROZEN) {
                dieFrozen();
            } else if (fault == Fault.SLEEPS_FROZEN) {
                sleepFrozen();
            } else if (fault == Fault.COORDINATOR_DIES) {
                runToDeath("first", step);
                keyslot.advance(Duration.ofMillis(random.nextInt(300)));
                runToDeath("second", 1 + random.nextInt(STEPS));
            } else if (fault == Fault.IMPORTS_OVERTAKE && random.nextBoolean()) {
                runToDeath("first", step);
            } else if (fault == Fault.TWO_COORDINATORS) {
                runTwo();
            }
            runToTheEnd("last");
            if (isForGood()) {
                goOnWithoutIt();
            }
            keyslot.advance(Duration.ofMillis(100));
        } finally {
            isOver = true;
        }
    }

    private void cutCoordinator() {
        PartitionFaults one = keyslot.partition((random.nextBoolean() ? SOURCE : TARGET).toString());
        Duration begin = Duration.ofMillis(random.nextInt(300));
        IntStream coordinators = IntStream.range(FIRST_COORDINATOR, FIRST_COORDINATOR + MOST_CONNECTORS);
        List<Integer> all = coordinators.boxed().toList();
        keyslot.after(begin, () -> all.forEach(one::cut));
        keyslot.after(begin.plusMillis(1 + random.nextInt(2_000)), () -> all.forEach(one::mend));
    }

    /** One process does not reach the source, whatever is done with its slots meanwhile. All others do. */
    private void cutForAWhile() {
        int process = random.nextInt(WRITERS);
        PartitionFaults source = keyslot.partition(SOURCE.toString());
        Duration begin = Duration.ofMillis(random.nextInt(300));
        keyslot.after(begin, () -> {
            isLossy = true; // what was not stored is not there
            keys.forEach(WrittenKey::lose);
            source.cut(process);
        });
        keyslot.after(begin.plusMillis(1 + random.nextInt(3_000)), () -> source.mend(process));
    }

    private void loseAt(PartitionId partition, Duration delay) {
        keyslot.after(delay, () -> {
            isLossy = true;
            keys.forEach(WrittenKey::lose);
            keyslot.partition(partition.toString()).restartEmpty();
        });
    }

    private boolean isForGood() {
        return switch (fault) {
            case SOURCE_DEAD, SOURCE_RETURNS, TARGET_DEAD, TARGET_RETURNS -> true;
            default -> false;
        };
    }

    private PartitionId victim() {
        return fault == Fault.SOURCE_DEAD || fault == Fault.SOURCE_RETURNS ? SOURCE : TARGET;
    }

    private void killAt(PartitionId partition, Duration delay) {
        keyslot.after(delay, () -> {
            isLossy = true;
            isDead = true;
            keys.forEach(WrittenKey::lose);
            keyslot.partition(partition.toString()).kill();
        });
    }

    /** The operator sees that a partition is dead, and says so. */
    private void operate() {
        while (!isDead) {
            keyslot.advance(Duration.ofMillis(1));
        }
        keyslot.advance(hesitation);
        try {
            PartitionLoss.Declared unused =
                    new PartitionLoss(maps, this::connector, time).declare(victim(), "lost", "operator");
        } catch (MapStore.UnavailableException e) {
            throw new AssertionError(e);
        }
        isDeclared = true;
    }

    /** What the dead partition owns is brought elsewhere. If it comes back, it gets slots as any other. */
    private void goOnWithoutIt() {
        while (!isDeclared) {
            keyslot.advance(Duration.ofMillis(1));
        }
        boolean returns = fault == Fault.SOURCE_RETURNS || fault == Fault.TARGET_RETURNS;
        PartitionId victim = victim();
        if (returns) {
            keyslot.advance(Duration.ofMillis(60 + random.nextInt(200)));
            keyslot.partition(victim.toString()).restartWithSameData();
        }
        List<PartitionId> others =
                PARTITIONS.stream().filter(id -> !id.equals(victim)).toList();
        SlotSet orphans = maps.now().slots().slotsOf(victim).and(used);
        PartitionId heir = others.get(random.nextInt(others.size()));
        play("m-2", victim, heir, orphans);
        if (returns) {
            keyslot.advance(Duration.ofMillis(random.nextInt(100)));
            maps.change(content -> content.change(victim, back -> back.withState(MappedPartition.Membership.ACTIVE)));
            for (PartitionId other : others) {
                play(
                        "m-" + other,
                        other,
                        victim,
                        maps.now().slots().slotsOf(other).and(orphans.plus(moving)));
            }
        }
    }

    private void play(String id, PartitionId from, PartitionId to, SlotSet slots) {
        if (!slots.isEmpty()) {
            move = id;
            maps.change(content -> content.begin(Move.begun(id, from, to, slots, "operator")));
            runToTheEnd("last-" + id);
        }
    }

    private void runToDeath(String name, int steps) {
        runToDeath(name, steps, command -> {});
    }

    private void runToDeath(String name, int steps, Consumer<Command<?>> beforeCommand) {
        int[] left = {steps};
        try {
            Migration.Outcome unused = run(
                            name,
                            () -> {
                                left[0]--;
                                if (left[0] < 0) {
                                    throw new Died();
                                }
                            },
                            beforeCommand)
                    .run();
        } catch (Died died) {
            // as it should
        } catch (IllegalStateException failure) {
            if (!(failure.getCause() instanceof Died)) { // while it took an answer
                throw failure;
            }
        }
    }

    /** Clients find out by themselves that nobody ends the freeze: all that is written can be written after a while. */
    private void dieFrozen() {
        int[] left = {random.nextInt(STEPS_FROZEN)};
        runToDeath("frozen", Integer.MAX_VALUE, command -> {
            if (isStepOfFreeze(command) && left[0]-- == 0) {
                throw new Died();
            }
        });
        keyslot.advance(LONGEST_FROZEN);
        List<Long> floors =
                keys.subList(0, KEYS).stream().map(WrittenKey::floor).toList();
        keyslot.advance(Duration.ofSeconds(1));
        for (int i = 0; i < KEYS; i++) {
            if (keys.get(i).floor() <= floors.get(i)) {
                throw new AssertionError(
                        "nobody writes %s any more".formatted(keys.get(i).key()));
            }
        }
    }

    /** It goes on by itself when it is awake again. */
    private void sleepFrozen() {
        int[] left = {random.nextInt(STEPS_FROZEN)};
        Duration still = Duration.ofMillis(500 + random.nextInt(5_000));
        Migration run = run("sleepy", () -> {}, command -> {
            if (isStepOfFreeze(command) && left[0]-- == 0) {
                keyslot.advance(still);
            }
        });
        Migration.Outcome outcome = run.run();
        if (outcome != Migration.Outcome.FINISHED) {
            throw new AssertionError("It did not go on: " + outcome + ", " + run.progress());
        }
    }

    /** A command that is sent behind a freeze of slots that are written. */
    private boolean isStepOfFreeze(Command<?> command) {
        if (command instanceof SlotTransfer.ReadDirty look) {
            return look.guard().state() == SlotFence.State.FROZEN && isWritten(look.slots());
        }
        SlotFence.State wanted =
                command instanceof FenceCommand.SetFence fence ? fence.to().state() : null;
        return wanted != null
                && AFTER_A_FREEZE.contains(wanted)
                && isWritten(((FenceCommand.SetFence) command).slots().keySet());
    }

    private boolean isWritten(Collection<Integer> slots) {
        return keys.stream().anyMatch(key -> slots.contains(slotOf(key.key())));
    }

    /** The first one stands still before some command, and goes on when another one is at work. The other one is slow. */
    private void zombie() {
        keyslot.advance(Duration.ofMillis(20));
        int[] left = {1 + random.nextInt(STEPS)};
        Duration still = Duration.ofMillis(20 + random.nextInt(300));
        Migration.Outcome unused = run("zombie", () -> {
                    left[0]--;
                    if (left[0] == 0) {
                        isStill = true;
                        keyslot.advance(still);
                    }
                })
                .run();
        isStill = true;
    }

    private void standStill(Random chance) {
        if (chance.nextInt(4) == 0) {
            keyslot.advance(Duration.ofMillis(chance.nextInt(20)));
        }
    }

    private void runTwo() {
        while (!isStill) {
            keyslot.advance(Duration.ofMillis(1));
        }
        Random chance = new Random(random.nextLong());
        Migration.Outcome unused = run("successor", () -> standStill(chance)).run();
    }

    private void runToTheEnd(String name) {
        Migration run = run(name, () -> {});
        live = run::progress;
        Migration.Outcome outcome = run.run();
        progress = run.progress();
        if (outcome != Migration.Outcome.FINISHED && outcome != Migration.Outcome.GIVEN_UP) {
            throw new AssertionError("The move did not end: " + outcome + ", " + run.progress());
        }
    }

    private Migration run(String name, Runnable beforeEach) {
        return run(name, beforeEach, command -> {});
    }

    private Migration run(String name, Runnable beforeEach, Consumer<Command<?>> beforeCommand) {
        MutantConnector.Held held = new MutantConnector.Held(
                keyslot::after,
                fault == Fault.NOTES_LOST ? looksBeforeLoss : -1,
                fault == Fault.LATE_COMMANDS,
                this::importTakes);
        Runnable inTime = inTime(beforeEach);
        return new Migration(
                move,
                name,
                new Watched(maps, beforeEach),
                partition -> new MutantConnector(
                        connector(partition),
                        mutant,
                        command -> {
                            inTime.run();
                            beforeCommand.accept(command);
                            takeLong(command);
                        },
                        held),
                time);
    }

    private Duration importTakes() {
        return fault == Fault.IMPORTS_OVERTAKE ? Duration.ofMillis(1 + random.nextInt(20)) : Duration.ZERO;
    }

    /** As what is large does: one key that is written takes longer than all others. */
    private void takeLong(Command<?> command) {
        boolean isLarge = !large.isZero()
                && command instanceof SlotTransfer.Export export
                && export.keys()
                        .contains(EncodedKey.of("customer:" + keys.get(0).key()));
        if (isLarge) {
            keyslot.advance(large);
        }
    }

    private Runnable inTime(Runnable beforeEach) {
        return () -> {
            if (keyslot.elapsed().compareTo(large.isZero() ? LONGEST : LONGEST_OF_LARGE) > 0) {
                throw new AssertionError("The move does not end: " + progress);
            }
            beforeEach.run();
        };
    }

    /** The catalogue as one coordinator sees it, which may die before it changes something there. */
    private record Watched(MapStore maps, Runnable beforeEach) implements MapStore {
        @Override
        public PartitionMap read() throws UnavailableException {
            return maps.read();
        }

        @Override
        public Stored compareAndSet(PartitionMap before, PartitionMap next) {
            beforeEach.run();
            return maps.compareAndSet(before, next);
        }

        @Override
        public Prepared prepare(PartitionMap before, PartitionMap next) {
            Prepared prepared = maps.prepare(before, next);
            return () -> {
                beforeEach.run();
                return prepared.store();
            };
        }
    }

    private final List<SimulatedThaw> helpers = new ArrayList<>();
    private int processes = FIRST_COORDINATOR;

    private PartitionConnector connector(PartitionId partition) {
        processes++;
        return KeyslotInside.connector(keyslot, processes, partition);
    }

    // ---- afterwards

    private void check() {
        if (kind == Kind.JOURNALED) {
            keyslot.advance(REPAIRED_WITHIN);
        }
        for (WrittenKey key : keys.subList(0, KEYS)) {
            for (int process = 0; process < WRITERS; process++) {
                key.found(key.floor(), cache(process).get(key.key()));
            }
        }
        for (String key : removed) {
            Long found = cache(2).get(key);
            if (found != null) {
                throw new AssertionError(key + " was removed, and is " + found);
            }
        }
        Long count = cache(1).get(counter().key());
        long found = count == null ? 0 : count;
        if (!isLossy && (found < counted || found > counted + perhapsCounted)) {
            throw new AssertionError(
                    "%d changes were counted, of %d and perhaps %d more".formatted(found, counted, perhapsCounted));
        }
        for (int i = 0; i < ENTRIES_AT_REST; i++) {
            Long value = cache(2).get("rest" + i);
            if (!(value == null ? isLossy || isCold : value == 77L)) {
                throw new AssertionError("an entry at rest is " + value);
            }
        }
        if (!maps.now().moves().isEmpty()) {
            throw new AssertionError("the map has a move still");
        }
        maps.now().askedPartitions().forEach(partition -> checkNothingIsLeft(partition.name()));
    }

    /** Of slots that others own. */
    private void checkNothingIsLeft(PartitionId partition) {
        SlotSet others = used.minus(maps.now().slots().slotsOf(partition));
        try (PartitionConnector connector = connector(partition)) {
            connector.announce(maps.now().slotMap());
            PartitionConnection connection = keyslot.await(connector.connect());
            Reply<ScanPage> page = keyslot.await(connection.send(
                    new SlotTransfer.Keys(
                            ScanPage.START, key -> others.contains(maps.now().slotOf(key)), 1_000_000),
                    Route.ANY,
                    Patience.UNLIMITED));
            if (!(page instanceof Reply.Done<ScanPage> done)
                    || !done.value().keys().isEmpty()) {
                throw new AssertionError("something is left at " + partition + ": " + page);
            }
            Reply<FenceCommand.Fences> fences =
                    keyslot.await(connection.send(new FenceCommand.ReadFences(), Route.ANY, Patience.UNLIMITED));
            if (!(fences instanceof Reply.Done<FenceCommand.Fences> known)
                    || !known.value().slots().isEmpty()) {
                throw new AssertionError("fences are left at " + partition + ": " + fences);
            }
        }
    }

    /**
     * What one writer has written under one key, each write with a number of its own, and whether what others read there is
     * possible: never older than what was acknowledged when they began to read, never something that was not written.
     */
    private static final class WrittenKey {
        private final String key;
        private final TreeMap<Long, Boolean> removals = new TreeMap<>(); // number of a write → whether it removes
        private final TreeMap<Long, Long> acknowledgedAt = new TreeMap<>(); // when → the newest number then
        private final Map<Integer, Long> known =
                new HashMap<>(); // process → the newest number that it has found or written
        private long begun;
        private long acknowledged;
        private boolean mayBeLost;

        WrittenKey(String key) {
            this.key = key;
        }

        String key() {
            return key;
        }

        /** A write begins; returns its number. */
        long begin(boolean removes) {
            begun++;
            removals.put(begun, removes);
            return begun;
        }

        void acknowledge(long number) {
            acknowledged = Math.max(acknowledged, number);
        }

        /** A write of this process was acknowledged. */
        void acknowledge(long number, int process, Duration at) {
            acknowledge(number);
            acknowledgedAt.put(at.toNanos(), acknowledged);
            known.merge(process, number, Math::max);
        }

        /** From now on there may be nothing: a partition has lost its memory. */
        void lose() {
            mayBeLost = true;
        }

        /** Returns what a read that begins now must find at least. */
        long floor() {
            return acknowledged;
        }

        /** Returns what a read of a process must find at least that may be answered by what was true then. */
        long floor(int process, Duration asOf) {
            Map.Entry<Long, Long> then = acknowledgedAt.floorEntry(asOf.toNanos());
            return Math.max(then == null ? 0 : then.getValue(), known.getOrDefault(process, 0L));
        }

        /** A process that began at this floor has found a value, or nothing. */
        void found(int process, long floor, @Nullable Long value) {
            found(floor, value);
            if (value != null) {
                known.merge(process, value, Math::max);
            }
        }

        /** Somebody who began at this floor has found a value, or nothing. */
        void found(long floor, @Nullable Long value) {
            boolean isPossible = value == null
                    ? floor == 0 || mayBeLost || removals.tailMap(floor, true).containsValue(true)
                    : value >= floor && value <= begun && !removals.getOrDefault(value, true);
            if (!isPossible) {
                throw new AssertionError("%s: a read found %s, and number %d was acknowledged before it; begun are %d%s"
                        .formatted(key, value, floor, begun, mayBeLost ? ", some may be lost" : ""));
            }
        }
    }

    /** What one process of a simulation does about slots that are frozen: what every client does, with a guard or without. */
    private static final class SimulatedThaw {
        private final StuckSlotRecovery recovery;

        /** @param isAlone whether it asks nobody, and thaws */
        SimulatedThaw(
                SimulatedMaps maps,
                Function<PartitionId, PartitionConnector> connectors,
                Timing timing,
                boolean isAlone) {
            this.recovery = new StuckSlotRecovery(
                    maps::now, new Agreed(maps, isAlone), new Ways(maps, connectors)::ask, timing);
        }

        void refused() {
            recovery.refused();
        }

        /** A connection for each question. */
        private record Ways(SimulatedMaps maps, Function<PartitionId, PartitionConnector> connectors) {
            <R> CompletableFuture<Reply<R>> ask(PartitionId partition, Command<R> command) {
                PartitionConnector connector = connectors.apply(partition);
                connector.announce(maps.now().slotMap());
                return connector
                        .connect()
                        .thenCompose(connection -> connection
                                .send(command, Route.ANY, Patience.UNLIMITED)
                                .whenComplete((reply, failure) -> connection.close()))
                        .exceptionally(failure -> Reply.unknown("cannot be reached", failure));
            }
        }

        /** The catalogue, as clients ask it: without waiting. */
        private record Agreed(SimulatedMaps maps, boolean isAlone) implements Catalogue {
            @Override
            public CompletableFuture<CatalogueAnswer> read() {
                return maps.answer(() -> new CatalogueAnswer.Ok(maps.now()));
            }

            @Override
            public CompletableFuture<Optional<MapStamp>> stamp() {
                return CompletableFuture.completedFuture(Optional.of(maps.now().stamp()));
            }

            @Override
            public CompletableFuture<Optional<PartitionMap>> copy() {
                return CompletableFuture.completedFuture(Optional.of(maps.now()));
            }

            @Override
            public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
                return isAlone
                        ? CompletableFuture.completedFuture(new CatalogueAnswer.Ok(next))
                        : maps.answer(() -> maps.answered(next));
            }

            @Override
            public void close() {}
        }
    }
}
