// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.history.CallTimes;
import io.keyslot.history.Linearizability;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
}
