// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.EntityKey;
import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.simulation.RandomFaults;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Runs a program once, as a seed interleaves it, and looks whether all that was told to its callers can be. */
final class ProgramRun {
    static final int PARTITIONS = 2;

    /** A call may wait for others that change the same entry, each of which may lose against others for five seconds. */
    static final Duration LONGEST_CALL = Duration.ofSeconds(30);

    private static final Duration LOAD_THAT_MAY_BE_INTERRUPTED = Duration.ofMillis(3);

    /** In which leases lapse, journals are worked off, and what waits to be written is. */
    private static final Duration RECOVERY = Duration.ofSeconds(30);

    /** How many commands a busy partition refuses at most: each call repeats as many within its deadline. */
    private static final int MOST_REFUSED = 4;

    /** Of several that run at the same time, each has a cache of its own name, under which its statistics are shown. */
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Program program;
    private final Scenario scenario;
    private final EmbeddedKeyslot keyslot;
    private final Recorder recorder;
    private final TestDatabase database;
    private final List<OneProcess> processes = new ArrayList<>();
    private final Random ofFaults = new Random(0);
    private final List<RandomFaults> faults = new ArrayList<>();

    private ProgramRun(Program program, long seed, EmbeddedKeyslot keyslot) {
        this.program = program;
        this.scenario = program.scenario();
        this.keyslot = keyslot;
        this.recorder = new Recorder(keyslot::elapsed);
        // A load that takes no time is never interrupted.
        Runnable whileLoading =
                scenario.interrupts() ? () -> keyslot.advance(LOAD_THAT_MAY_BE_INTERRUPTED) : keyslot::yieldTurn;
        this.database = new TestDatabase(keyslot::yieldTurn, whileLoading, new Random(seed), scenario.writerFails());
    }

    /** Returns what is wrong with the run, and all that happened; null if nothing is. */
    static @Nullable String problemOf(Program program, long seed) {
        KeyslotSettings settings = KeyslotSettings.defaults()
                .withPartitions(PARTITIONS)
                .withProperty("keyslot.metrics", "false")
                .withSeed(seed);
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(settings)) {
            return new ProgramRun(program, seed, keyslot).problem();
        }
    }

    static List<String> keysOf(Scenario scenario) {
        return IntStream.range(0, scenario.keys()).mapToObj(Call::key).toList();
    }

    /** Returns what a database that is only read has for a key. */
    static long loadedFor(String key) {
        return 1_000_000L + key.charAt(1);
    }

    private @Nullable String problem() {
        String problem;
        try {
            open();
            Duration delay = Duration.ofMillis(scenario.delayMillis());
            keyslot.partitions().forEach(partition -> partition.slow(delay));
            keyslot.interleave(tasks());
            settle();
            problem = judgement();
        } catch (RuntimeException | AssertionError e) {
            problem = e.toString();
        }
        return problem == null ? null : problem + "\n" + String.join("\n", recorder.log());
    }

    private @Nullable String judgement() {
        List<Told> told =
                scenario.listener() ? processes.stream().map(OneProcess::told).toList() : List.of();
        String problem = new Judgement(scenario, program.has(Call.Kind.CLEAR), recorder.operations(), told).problem();
        if (problem == null && scenario.isCalm()) {
            problem = processes.stream()
                    .map(OneProcess::miscounted)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        return problem;
    }

    private void open() {
        if (scenario.database() == Scenario.Backing.READ_THROUGH) {
            keysOf(scenario).forEach(key -> database.setRow(key, loadedFor(key)));
        }
        String cacheName = "numbers-" + NUMBERS.incrementAndGet();
        for (int i = 0; i < scenario.processes(); i++) {
            OneProcess process = new OneProcess(scenario, i, cacheName, keyslot, database);
            process.open();
            processes.add(process);
        }
        keyslot.partitions()
                .forEach(partition -> faults.add(
                        new RandomFaults(partition, scenario.processes(), ofFaults, lost -> {}).withRefusedWrites()));
    }

    private List<Runnable> tasks() {
        List<Caller> callers = new ArrayList<>();
        for (OneProcess process : processes) {
            for (int i = 0; i < scenario.threads(); i++) {
                callers.add(new Caller(process.number() + "-" + i, program, callers.size(), process, recorder));
            }
        }
        List<Runnable> tasks = new ArrayList<>(callers);
        tasks.add(() -> disturb(callers));
        return tasks;
    }

    private void disturb(List<Caller> callers) {
        for (Disturbance each : program.disturbances()) {
            keyslot.advance(Duration.ofMillis(each.pauseMillis()));
            if (each.isInterrupt()) {
                recorder.note("interrupt of thread " + each.target());
                callers.get(each.target()).interrupt();
            } else {
                trouble(each);
                recorder.note("trouble: " + keyslot.partitions());
            }
        }
    }

    private void trouble(Disturbance each) {
        ofFaults.setSeed(each.seed());
        PartitionFaults partition = keyslot.partitions().get(each.target());
        switch (scenario.trouble()) {
            case NONE -> throw new IllegalStateException("There is none");
            case RESETS -> partition.resetConnections();
            case BUSY -> partition.refuseNow(1 + ofFaults.nextInt(MOST_REFUSED));
            case REFUSALS -> {
                WriteRefusal[] all = WriteRefusal.values();
                int which = ofFaults.nextInt(2 * all.length);
                if (which < all.length) {
                    partition.refuseWrites(all[which]);
                } else {
                    partition.acceptWrites();
                }
            }
            case FAULTS -> faults.get(each.target()).next();
        }
    }

    /** When nothing fails any more, and nothing is under way, what is left is what the calls have led to. */
    private void settle() {
        faults.forEach(RandomFaults::heal);
        keyslot.advance(RECOVERY);
        processes.forEach(this::requireCache);
        List<String> keys = keysOf(scenario);
        for (OneProcess process : processes) {
            Map<String, Long> found = new LinkedHashMap<>();
            long start = recorder.moment();
            for (Cache.Entry<Object, Date> entry : process.cache()) {
                process.counted().lookup(true);
                found.put(Form.nameOf(entry.getKey()), Values.taken(entry.getValue()));
            }
            recorder.note("at the end process %d has %s".formatted(process.number(), found));
            requireMembers(process, found.keySet());
            for (String key : keys) {
                recorder.add(process.number() + "-end", Action.GET, key, null, null, Outcome.OK, found.get(key), start);
                requireAgreement(key, found.get(key));
            }
        }
        if (scenario.database().isWritten()) {
            requireNoTraceOfWhatWasNotDone();
            for (String key : keys) {
                Long row = database.row(key);
                recorder.note("at the end the database has %s=%s".formatted(key, row));
                recorder.add("database-end", Action.READ_THROUGH, key, null, null, Outcome.OK, row, recorder.moment());
            }
        }
    }

    /** A call that says that it was not done has changed nothing in the database, then or later. */
    private void requireNoTraceOfWhatWasNotDone() {
        for (Operation operation : recorder.operations()) {
            Long stored = operation.action().isRead() ? null : operation.argument();
            boolean isTraced = stored == null
                    ? Judgement.removes(operation) && isDeletedByNoOther(operation.key())
                    : database.written().contains(stored);
            if (operation.outcome() == Outcome.FAILED && isTraced) {
                throw new AssertionError("the database was changed by " + operation);
            }
        }
    }

    private boolean isDeletedByNoOther(String key) {
        return database.deleted().contains(key)
                && recorder.operations().stream()
                        .noneMatch(other -> other.key().equals(key)
                                && Judgement.removes(other)
                                && other.outcome() != Outcome.FAILED);
    }

    /** One that was destroyed and not made again can be made now, and has nothing of what was before. */
    private void requireCache(OneProcess process) {
        if (!process.hasCache()) {
            long start = recorder.moment();
            process.open();
            if (!scenario.database().isWritten()) {
                keysOf(scenario)
                        .forEach(key -> recorder.add(
                                process.number() + "-end", Action.DELETE, key, null, null, Outcome.OK, null, start));
            }
        }
    }

    /** The index of a group lists what is in it. */
    private void requireMembers(OneProcess process, Set<String> names) {
        if (scenario.form() == Form.GROUPED) {
            Set<String> members = process.manager().group(Form.ROOT).getAll().keySet().stream()
                    .map(EntityKey::id)
                    .collect(Collectors.toSet());
            if (!members.equals(names)) {
                throw new AssertionError("the group lists %s of %s".formatted(members, names));
            }
        }
    }

    private void requireAgreement(String key, @Nullable Long cached) {
        if (scenario.database().isWritten() && cached != null && !cached.equals(database.row(key))) {
            throw new AssertionError(
                    "cache and database differ: %s is %s and %s".formatted(key, cached, database.row(key)));
        }
    }
}
