// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Deadlines;
import io.keyslot.history.CallTimes;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.history.Period;
import io.keyslot.history.Staleness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One run of two loaded processes through one fault, and what may be said of it afterwards.
 *
 * @param stalls when the machine had other things to do
 * @param journals when a process may have written changes down in its journal
 * @param began the moment before the fault
 * @param ended the moment after it
 * @param usedAgain for each process, the time from the end of the fault to its first change of the partition's entries
 */
record FaultRun(
        String fault,
        long seed,
        List<Operation> history,
        List<Period> stalls,
        List<Period> journals,
        long began,
        long ended,
        Map<String, Duration> usedAgain) {
    /** The deadline of a call, and what threads may wait for a processor on a machine that does other things as well. */
    private static final Duration BOUND = Deadlines.defaults().call().plusMillis(250);

    /** A call may learn before or after the partition's state has changed that it can only write down. */
    private static final long PENDING_DELETES_MARGIN = BOUND.toNanos();

    /** How long before the end of the load the journals must be empty: longer than {@link PendingDeletesWatch} pauses. */
    private static final Duration PENDING_DELETES_END = Duration.ofMillis(100);

    private static final Duration BEFORE = Duration.ofMillis(1_500);
    private static final Duration AFTERWARDS = Duration.ofMillis(3_500);

    private static final String FAILURES =
            "(PartitionUnavailable|OutcomeUnknown|CacheOverloaded)Exception: .*|CacheLoaderException: .*";

    /** What is done to servers, networks, the database or a process. Returns when the fault is over. */
    @FunctionalInterface
    interface Fault {
        void on(LoadedServers load) throws Exception;
    }

    static FaultRun of(String name, Map<String, String> settings, Fault fault) throws Exception {
        long seed = new Random().nextLong();
        try (LoadedServers load = LoadedServers.withDatabase(seed, settings)) {
            load.goOn(BEFORE);
            long began = load.now();
            fault.on(load);
            long ended = load.now();
            load.goOn(AFTERWARDS);
            List<Operation> history = load.stop();
            FaultRun run = new FaultRun(
                    name, seed, history, load.stalls(), load.journals(), began, ended, usedAgain(load, history, ended));
            run.print();
            return run;
        }
    }

    private static Map<String, Duration> usedAgain(LoadedServers load, List<Operation> history, long ended) {
        Map<String, Duration> used = new TreeMap<>();
        for (Operation operation : history) {
            if (operation.start() > ended
                    && operation.action() == LoadedServers.NEVER_WITHOUT_PARTITION
                    && operation.outcome() == Outcome.OK
                    && !used.containsKey(operation.process())
                    && load.isOfPartition(operation.key())) {
                used.put(operation.process(), Duration.ofNanos(operation.end() - ended));
            }
        }
        return used;
    }

    private void print() {
        FaultReport.print(
                fault,
                seed,
                "used again after %s; stalled after the fault: left %s, right %s"
                        .formatted(usedAgain, stalled(LoadedServers.LEFT), stalled(LoadedServers.RIGHT)));
        print("before", operation -> operation.start() < began);
        print("during", operation -> operation.start() >= began && operation.start() < ended);
        print("after", operation -> operation.start() >= ended);
    }

    private Duration stalled(String process) {
        return Duration.ofNanos(lastCall() - ended).minus(runningBetween(process, ended, lastCall()));
    }

    private void print(String phase, Predicate<Operation> isOfPhase) {
        CallTimes times = new CallTimes(history.stream().filter(isOfPhase).toList());
        FaultReport.print(fault + ", " + phase + ", reads", seed, times.reads());
        FaultReport.print(fault + ", " + phase + ", changes", seed, times.changes());
    }

    /** Returns the calls since the beginning of the fault: those before it also warm up. */
    CallTimes times() {
        return new CallTimes(history).between(began, Long.MAX_VALUE);
    }

    FaultRun assertNoReadFailed() {
        assertThat(times().reads().failures()).as(this::toString).isEmpty();
        return this;
    }

    FaultRun assertDeadlinesHold() {
        assertThat(times().slowerThan(BOUND, stalls)).as(this::toString).isEmpty();
        return this;
    }

    /** Nothing older than what was acknowledged was read, and all failures are of the kinds that are promised. */
    FaultRun assertAnswersAreRight() {
        return assertAnswersAreRight(new Staleness());
    }

    /**
     * As {@link #assertAnswersAreRight()}, but what a process could only write down in its journal may be seen late by the
     * other: when the journal was worked off.
     */
    FaultRun assertAnswersAreRightButForJournals() {
        Staleness staleness = new Staleness();
        journals.forEach(period -> staleness.exceptForOthersBetween(
                period.process(), period.start() - PENDING_DELETES_MARGIN, period.end() + PENDING_DELETES_MARGIN));
        return assertAnswersAreRight(staleness);
    }

    private FaultRun assertAnswersAreRight(Staleness staleness) {
        assertThat(staleness.check(history)).as(this::toString).isEmpty();
        assertThat(times().failures())
                .as(this::toString)
                .allSatisfy(operation -> assertThat(operation.note()).matches(FAILURES));
        return this;
    }

    FaultRun assertUsedAgainWithin(Duration limit) {
        assertThat(List.of(LoadedServers.LEFT, LoadedServers.RIGHT))
                .allSatisfy(process -> assertThat(away(process))
                        .as("%s does not use the partition, %s", process, this)
                        .isLessThan(limit));
        return this;
    }

    /** Returns for how long the process did not use the partition after the fault, while the machine let it. */
    private Duration away(String process) {
        Duration again = usedAgain.get(process);
        return runningBetween(process, ended, again == null ? lastCall() : ended + again.toNanos());
    }

    private long lastCall() {
        return history.get(history.size() - 1).start();
    }

    private Duration runningBetween(String process, long from, long to) {
        long stalled = stalls.stream()
                .filter(stall -> stall.process().equals(process))
                .mapToLong(stall -> stall.nanosWithin(from, to))
                .sum();
        return Duration.ofNanos(to - from - stalled);
    }

    /** No journal is in use when the load ends: otherwise late changes would be excused for ever. */
    FaultRun assertJournalsAreWorkedOff() {
        long end = lastCall() - PENDING_DELETES_END.toNanos();
        assertThat(journals).as(this::toString).noneMatch(period -> period.end() > end);
        return this;
    }

    /** The process whose network was in order has seen nothing of all this. */
    FaultRun assertOthersNeverNotice() {
        assertThat(times().ofProcess(LoadedServers.RIGHT).failures())
                .as(this::toString)
                .isEmpty();
        return this;
    }

    @Override
    public String toString() {
        return "%s, seed %d".formatted(fault, seed);
    }
}
