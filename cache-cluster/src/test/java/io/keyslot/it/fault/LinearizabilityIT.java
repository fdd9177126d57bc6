// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.history.Action;
import io.keyslot.history.CallTimes;
import io.keyslot.history.Linearizability;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sixteen threads of two JVMs change twelve entries: there is an order in which one register each would answer the same. */
class LinearizabilityIT {
    /** So many even on a machine that does other things as well: fewer would prove little. */
    private static final int FEWEST_OPERATIONS = 500;

    /** A read of a partition that only this process misses would be a wrong answer here: it is no register's. */
    private static final Map<String, String> FAIL = Map.of("keyslot.caches.things.missingPartition", "fail");

    private long seed;

    /** A run whose answers must be right, and that must have had enough of them: on a machine that is busy it is repeated. */
    private void check(UpToThreeRuns.Run<List<Operation>> run, Consumer<List<Operation>> hasEnough) throws Exception {
        UpToThreeRuns.of(
                () -> {
                    seed = new Random().nextLong();
                    return run.run();
                },
                history -> {
                    assertThat(history).hasSizeGreaterThan(FEWEST_OPERATIONS);
                    hasEnough.accept(history);
                });
    }

    private void assertLinearizable(Model model, List<Operation> history) {
        assertThat(new Linearizability(model).check(history))
                .as("seed %d", seed)
                .isEmpty();
    }

    @Tag("thorough")
    @Test
    void callsWithoutFaults_areLinearizable() throws Exception {
        check(
                () -> {
                    try (LoadedServers load = LoadedServers.withRegisters(seed, FAIL)) {
                        load.goOn(Duration.ofSeconds(4));
                        List<Operation> history = load.stop();

                        FaultReport.print("none, registers", seed, new CallTimes(history));
                        assertLinearizable(Model.STRICT, history);
                        return history;
                    }
                },
                history -> {});
    }

    @Tag("thorough")
    @Test
    void callsThatAreInterrupted_areLinearizable() throws Exception {
        check(
                () -> {
                    try (LoadedServers load = LoadedServers.withRegisters(seed, FAIL, Extra.INTERRUPTIONS)) {
                        load.goOn(Duration.ofSeconds(4));
                        List<Operation> history = load.stop();

                        FaultReport.print("interruptions, registers", seed, new CallTimes(history));
                        assertLinearizable(Model.STRICT, history);
                        return history;
                    }
                },
                history -> assertThat(history)
                        .as("interrupted reads and changes")
                        .anyMatch(operation -> operation.action().isRead() && isInterrupted(operation))
                        .anyMatch(operation -> !operation.action().isRead() && isInterrupted(operation)));
    }

    private static boolean isInterrupted(Operation operation) {
        return operation.note().startsWith(CallInterruptedException.class.getSimpleName());
    }

    @Tag("thorough")
    @Test
    void callsThatAreListenedTo_areLinearizableAndHeardOnceInOrder() throws Exception {
        List<Heard> heard = new ArrayList<>();
        check(
                () -> {
                    try (LoadedServers load = LoadedServers.withRegisters(seed, FAIL, Extra.LISTENERS)) {
                        load.goOn(Duration.ofSeconds(4));
                        List<Operation> history = load.stop();
                        heard.clear();
                        heard.addAll(load.heard());

                        FaultReport.print("listeners, registers", seed, new CallTimes(history));
                        assertThat(Hearing.check(history, heard))
                                .as("seed %d", seed)
                                .isEmpty();
                        assertLinearizable(Model.STRICT, history);
                        return history;
                    }
                },
                history ->
                        assertThat(heard).extracting(Heard::process).contains(LoadedServers.LEFT, LoadedServers.RIGHT));
    }

    @Test
    void callsWhileAServerIsKilledAndComesBackEmpty_areLinearizableButForItsLoss() throws Exception {
        check(
                () -> {
                    try (LoadedServers load = LoadedServers.withRegisters(seed, FAIL)) {
                        load.goOn(Duration.ofSeconds(2));
                        load.server().kill();
                        load.goOn(Duration.ofSeconds(1));
                        load.server().restart();
                        load.goOn(Duration.ofSeconds(2));
                        load.server().suspend();
                        load.goOn(Duration.ofSeconds(1));
                        load.server().resume();
                        load.goOn(Duration.ofSeconds(2));
                        List<Operation> history = load.stop();

                        FaultReport.print("kill -9, SIGSTOP, registers", seed, new CallTimes(history));
                        assertLinearizable(Model.LOSSY, history);
                        return history;
                    }
                },
                history ->
                        assertThat(history).extracting(Operation::outcome).contains(Outcome.UNKNOWN, Outcome.FAILED));
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    void callsWhileAServerRefusesWrites_areLinearizableButForItsLoss(Refusal refusal) throws Exception {
        AtomicLong takenAgain = new AtomicLong();
        check(
                () -> {
                    try (LoadedServers load = LoadedServers.withRegisters(seed, FAIL)) {
                        load.goOn(Duration.ofSeconds(2));
                        load.refuseWrites(refusal, Duration.ofMillis(1_500));
                        long ended = load.now();
                        load.goOn(Duration.ofSeconds(2));
                        List<Operation> history = load.stop();

                        FaultReport.print(refusal + ", registers", seed, new CallTimes(history));
                        assertLinearizable(Model.LOSSY, history);
                        takenAgain.set(history.stream()
                                .filter(operation -> operation.start() > ended
                                        && operation.action() == LoadedServers.NEVER_WITHOUT_PARTITION
                                        && operation.outcome() == Outcome.OK
                                        && load.isOfPartition(operation.key()))
                                .count());
                        return history;
                    }
                },
                history -> {
                    assertThat(history)
                            .as("refused")
                            .anyMatch(
                                    operation -> !operation.action().isRead() && operation.outcome() == Outcome.FAILED);
                    assertThat(takenAgain).as("taken again").hasPositiveValue();
                });
    }

    /**
     * Compares what the listeners of processes heard with what their threads did: each acknowledged change of a process was
     * heard by it once, before the call returned; nothing else was, unless a call of unknown outcome explains it; and what was
     * heard of a key is in the order of its changes.
     *
     * <p>For histories of {@link RegisterScript}, in which nothing is stored twice under one key. So a value names the change
     * that stored it, and there is at most one change that replaces or removes it: the changes of a key are a chain.
     */
    private static final class Hearing {
        private final List<String> findings = new ArrayList<>();

        private Hearing() {}

        private record Place(String process, String key) {}

        /**
         * Returns a sentence for each finding.
         *
         * @param heard the events of each process in the order in which it heard them
         */
        static List<String> check(List<Operation> history, List<Heard> heard) {
            Hearing invalidation = new Hearing();
            Map<Place, List<Heard>> events =
                    heard.stream().collect(Collectors.groupingBy(event -> new Place(event.process(), event.key())));
            Map<Place, List<Operation>> changes = history.stream()
                    .filter(Hearing::mayBeHeard)
                    .collect(Collectors.groupingBy(change -> new Place(change.process(), change.key())));
            events.keySet().forEach(place -> changes.putIfAbsent(place, List.of()));
            changes.forEach((place, ofPlace) -> {
                List<Heard> here = events.getOrDefault(place, List.of());
                invalidation.match(ofPlace, new ArrayList<>(here));
                invalidation.checkOrder(here);
            });
            heard.stream()
                    .collect(Collectors.groupingBy(Heard::key, TreeMap::new, Collectors.toList()))
                    .values()
                    .forEach(invalidation::checkChain);
            return invalidation.findings;
        }

        private static boolean mayBeHeard(Operation operation) {
            return switch (operation.outcome()) {
                case FAILED -> false;
                case UNKNOWN -> !operation.action().isRead();
                case OK -> hasChanged(operation);
            };
        }

        private static boolean hasChanged(Operation operation) {
            return switch (operation.action()) {
                case PUT, GET_AND_PUT, EXCHANGE, INCREMENT -> true;
                case PUT_IF_ABSENT, REPLACE, REPLACE_EXPECTED, REMOVE, REMOVE_EXPECTED ->
                    Boolean.TRUE.equals(operation.result());
                case GET_AND_REPLACE, GET_AND_REMOVE, TAKE -> operation.result() != null;
                case GET, READ_THROUGH, CONTAINS -> false;
                case GET_OR_LOAD, DELETE, DELETE_PRESENT ->
                    throw new IllegalArgumentException("Whether it was a change is not known: " + operation);
            };
        }

        /** Those that say what they changed choose first, then those that ended first. */
        private void match(List<Operation> changes, List<Heard> left) {
            Predicate<Operation> isVague = change -> change.action() == Action.REMOVE;
            List<Operation> acknowledged = changes.stream()
                    .filter(change -> change.outcome() == Outcome.OK)
                    .sorted(Comparator.comparing(isVague::test).thenComparingLong(Operation::end))
                    .toList();
            for (Operation change : acknowledged) {
                if (!takeOne(left, event -> isOf(change, event))) {
                    findings.add("not heard before it returned: %s".formatted(change));
                }
            }
            for (Operation change : changes) {
                if (change.outcome() == Outcome.UNKNOWN) {
                    takeOne(left, event -> isOf(change, event));
                }
            }
            left.forEach(event -> findings.add("heard, and not done, or heard before: %s".formatted(event)));
        }

        private static boolean takeOne(List<Heard> left, Predicate<Heard> choice) {
            for (Heard event : left) {
                if (choice.test(event)) {
                    return left.remove(event);
                }
            }
            return false;
        }

        private static boolean isOf(Operation change, Heard event) {
            boolean isKnown = change.outcome() == Outcome.OK;
            if (event.at() < change.start() || (isKnown && event.at() > change.end())) {
                return false;
            }
            return switch (change.action()) {
                case REMOVE -> event.after() == null;
                case REMOVE_EXPECTED -> event.after() == null && isSame(change.expected(), event.before());
                case GET_AND_REMOVE, TAKE ->
                    event.after() == null && (!isKnown || isSame(change.result(), event.before()));
                case INCREMENT -> event.after() != null && (!isKnown || isSame(change.result(), event.after()));
                case GET_AND_PUT, EXCHANGE, GET_AND_REPLACE ->
                    isSame(change.argument(), event.after()) && (!isKnown || isSame(change.result(), event.before()));
                case REPLACE_EXPECTED ->
                    isSame(change.argument(), event.after()) && isSame(change.expected(), event.before());
                case PUT_IF_ABSENT -> isSame(change.argument(), event.after()) && event.before() == null;
                default -> isSame(change.argument(), event.after());
            };
        }

        private static boolean isSame(@Nullable Object one, @Nullable Object other) {
            return Objects.equals(one, other);
        }

        /** What replaced a value is not heard before what stored it. */
        private void checkOrder(List<Heard> ofPlace) {
            Set<Long> replaced = new HashSet<>();
            for (Heard event : ofPlace) {
                if (event.after() != null && replaced.contains(event.after())) {
                    findings.add("heard after what replaced it: %s".formatted(event));
                }
                if (event.before() != null) {
                    replaced.add(event.before());
                }
            }
        }

        /** Nothing is replaced twice, by whatever processes. */
        private void checkChain(List<Heard> ofKey) {
            Set<Long> replaced = new HashSet<>();
            for (Heard event : ofKey) {
                if (event.before() != null && !replaced.add(event.before())) {
                    findings.add("replaces what another change had replaced: %s".formatted(event));
                }
            }
        }
    }
}
