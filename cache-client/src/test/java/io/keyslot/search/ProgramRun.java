// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.history.Action;
import io.keyslot.history.Outcome;
import io.keyslot.simulation.RandomFaults;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import org.jspecify.annotations.Nullable;

/** Runs a program once, as a seed interleaves it, and looks whether all that was told to its callers can be. */
final class ProgramRun {
    static final int PARTITIONS = 2;

    /** A call may wait for others that change the same entry, each of which may lose against others for five seconds. */
    static final Duration LONGEST_CALL = Duration.ofSeconds(30);

    /** In which leases lapse, journals are worked off, and what waits to be written is. */
    private static final Duration RECOVERY = Duration.ofSeconds(30);

    private static final String NAME = "numbers";

    private final Program program;
    private final Scenario scenario;
    private final EmbeddedKeyslot keyslot;
    private final Recorder recorder;
    private final TestDatabase database;
    private final List<PartitionedCache<String, Long>> caches = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final Random ofFaults = new Random(0);
    private final List<RandomFaults> faults = new ArrayList<>();

    private ProgramRun(Program program, long seed, EmbeddedKeyslot keyslot) {
        this.program = program;
        this.scenario = program.scenario();
        this.keyslot = keyslot;
        this.recorder = new Recorder(keyslot::elapsed);
        this.database = new TestDatabase(keyslot::yieldTurn, new Random(seed), scenario.writerFails());
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
            problem = new Judgement(scenario, recorder.operations(), told).problem();
        } catch (RuntimeException | AssertionError e) {
            problem = e.toString();
        }
        return problem == null ? null : problem + "\n" + String.join("\n", recorder.log());
    }

    private void open() {
        if (scenario.database() == Scenario.Backing.READ_THROUGH) {
            keysOf(scenario).forEach(key -> database.setRow(key, loadedFor(key)));
        }
        for (int process = 0; process < scenario.processes(); process++) {
            caches.add(keyslot.cacheManager(process).createCache(NAME, configuration()));
        }
        keyslot.partitions()
                .forEach(partition -> faults.add(
                        new RandomFaults(partition, scenario.processes(), ofFaults, lost -> {}).withRefusedWrites()));
    }

    private PartitionedConfiguration<String, Long> configuration() {
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setMissingPartitionPolicy(scenario.reads());
        configuration.setMissingPartitionWritePolicy(scenario.writes());
        configuration.setReplicated(scenario.replicated());
        if (scenario.database().isRead()) {
            configuration.setReadThrough(true);
            configuration.setCacheLoaderFactory(() -> database);
        }
        if (scenario.database().isWritten()) {
            configuration.setWriteThrough(true);
            configuration.setCacheWriterFactory(() -> database);
        }
        if (scenario.database() == Scenario.Backing.WRITE_BEHIND) {
            configuration.setWriteBehind(WriteBehindOptions.defaults());
        }
        if (scenario.ownExpiry()) {
            configuration.setExpiryPolicyFactory(OwnExpiry::new);
        }
        if (scenario.listener()) {
            Told listener = new Told(keyslot::yieldTurn);
            told.add(listener);
            configuration.addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true));
        }
        return configuration;
    }

    private List<Runnable> tasks() {
        List<Caller> callers = new ArrayList<>();
        for (int process = 0; process < scenario.processes(); process++) {
            for (int i = 0; i < scenario.threads(); i++) {
                callers.add(
                        new Caller(process + "-" + i, program, callers.size(), keyslot, caches.get(process), recorder));
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
        List<String> keys = keysOf(scenario);
        for (int process = 0; process < scenario.processes(); process++) {
            Map<String, Long> found = new LinkedHashMap<>();
            long start = recorder.moment();
            for (Cache.Entry<String, Long> entry : caches.get(process)) {
                found.put(entry.getKey(), entry.getValue());
            }
            recorder.note("at the end process %d has %s".formatted(process, found));
            for (String key : keys) {
                recorder.add(process + "-end", Action.GET, key, null, null, Outcome.OK, found.get(key), start);
                requireAgreement(key, found.get(key));
            }
        }
        if (scenario.database().isWritten()) {
            for (String key : keys) {
                Long row = database.row(key);
                recorder.note("at the end the database has %s=%s".formatted(key, row));
                recorder.add("database-end", Action.READ_THROUGH, key, null, null, Outcome.OK, row, recorder.moment());
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
