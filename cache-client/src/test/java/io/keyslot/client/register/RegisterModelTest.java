// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.register.RegisterModel.Append;
import io.keyslot.client.register.RegisterModel.Budget;
import io.keyslot.client.register.RegisterModel.Faults;
import io.keyslot.client.register.RegisterModel.Node;
import io.keyslot.client.register.RegisterModel.Outcome;
import io.keyslot.client.register.RegisterModel.ServerRun;
import io.keyslot.client.register.RegisterModel.Setting;
import io.keyslot.client.register.RegisterModel.State;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The register never decides twice, never forgets what it answered, and goes on while a majority lives: searched in {@link
 * RegisterModel}, and each rule that is taken away is missed.
 *
 * <p>In the build it walks through what takes seconds. {@code -Dtests.register.states=3000000} and {@code
 * -Dtests.register.walks=1000000} make it longer.
 */
class RegisterModelTest {
    private static final int STATES = Integer.getInteger("tests.register.states", 1_500);
    private static final int WALKS = Integer.getInteger("tests.register.walks", 30);
    private static final int MOST_STATES_OF_A_FAULT = 70_000;
    private static final int MOST_WALKS_OF_A_FAULT = 200_000;
    private static final int STEPS = 90;

    private static final Update A = new Append("a");
    private static final Update B = new Append("b");
    private static final Update REPLACE_C_BY_D = new RegisterModel.Swap("swap", Set.of(id("C")), Map.of(id("D"), "D0"));
    private static final Update REPLACE_B_BY_E =
            new RegisterModel.Swap("swap2", Set.of(id("B")), Map.of(id("E"), "E0"));
    private static final Update ADD_D_AND_E =
            new RegisterModel.Swap("add", Set.of(), Map.of(id("D"), "D0", id("E"), "E0"));

    private static PartitionId id(String name) {
        return new PartitionId(name);
    }

    private static Update replacing(String operation) {
        return new Update.Replace(operation, "", 1, operation, Set.of(), Map.of(), present -> Optional.empty());
    }

    private static List<List<Update>> by(Update... one) {
        return List.of(List.of(one));
    }

    private static List<List<Update>> each(Update... writers) {
        return Stream.of(writers).map(List::of).toList();
    }

    static Stream<Setting> settings() {
        Budget none = Budget.NONE;
        return Stream.of(
                new Setting(
                        "one writer, a loss, the vote given back",
                        3,
                        each(A),
                        List.of(3),
                        none.losses(1).votes(1)),
                new Setting(
                        "two writers, a loss",
                        3,
                        each(A, B),
                        List.of(2, 1),
                        none.losses(1).votes(1)),
                new Setting(
                        "two losses",
                        3,
                        List.of(List.of(A), List.of()),
                        List.of(1, 2),
                        none.losses(2).votes(2)),
                new Setting(
                        "two losses with two writers",
                        3,
                        each(A, B),
                        List.of(2, 2),
                        none.losses(2).votes(2)),
                new Setting("crashes of proposers", 3, each(A, B), List.of(2, 1), none.crashes(2)),
                new Setting(
                        "both kinds of crash",
                        3,
                        each(A),
                        List.of(3),
                        none.crashes(1).losses(1).votes(1)),
                new Setting("a replica that lags, and back", 3, each(A, B), List.of(1, 1), none.failovers(2, 2)),
                new Setting(
                        "a replica that lags, the vote given back",
                        3,
                        each(A),
                        List.of(3),
                        none.failovers(1, 1).votes(1)),
                new Setting("one instance for another", 3, each(A, REPLACE_C_BY_D), List.of(1, 1), none.losses(1))
                        .of(4),
                new Setting("two more electors", 3, each(A, ADD_D_AND_E), List.of(1, 1), none).of(5),
                new Setting("rivals change the electors", 3, each(REPLACE_C_BY_D, REPLACE_B_BY_E), List.of(2, 2), none)
                        .of(5),
                new Setting(
                                "a loss after a change of electors",
                                3,
                                by(REPLACE_C_BY_D, A),
                                List.of(4),
                                none.losses(1).votes(1))
                        .of(4),
                new Setting(
                        "conflicts, and what is not known",
                        3,
                        each(replacing("a"), replacing("b")),
                        List.of(3, 2),
                        none.unknowns(2)),
                new Setting("looks", 3, each(A), List.of(2), none.reads(1).losses(1)),
                new Setting("looks while two change something", 3, each(A, B), List.of(2, 1), none.reads(2)),
                new Setting("looks while the electors change", 3, each(A, REPLACE_C_BY_D), List.of(1, 1), none.reads(2))
                        .of(4),
                new Setting(
                        "looks while a vote is given back",
                        3,
                        each(A, B),
                        List.of(2, 1),
                        none.reads(2).losses(1).votes(1)),
                new Setting(
                        "looks at a replica that lags",
                        3,
                        each(A, B),
                        List.of(1, 1),
                        none.failovers(1, 1).reads(1)),
                new Setting(
                        "one elector",
                        1,
                        each(A, B),
                        List.of(3, 3),
                        none.losses(1).crashes(1).unknowns(1)),
                new Setting("prepared, and sent later", 3, each(A, B), List.of(2, 2), none.losses(1)).held(),
                new Setting(
                                "prepared conflicts, and what is not known",
                                3,
                                each(replacing("a"), replacing("b")),
                                List.of(2, 2),
                                none.unknowns(2).crashes(1))
                        .held(),
                new Setting("prepared while the electors change", 3, each(A, REPLACE_C_BY_D), List.of(2, 1), none)
                        .of(4)
                        .held(),
                new Setting("two electors", 2, each(A, B), List.of(2, 2), none.losses(1)),
                new Setting("five electors", 5, each(A, B), List.of(1, 1), none),
                new Setting(
                        "five electors, two losses",
                        5,
                        each(A),
                        List.of(2),
                        none.losses(2).votes(1)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everyOrder_keepsThePromises(Setting setting) {
        RegisterModel model = new RegisterModel(setting);

        Outcome outcome = model.explore(STATES);

        assertThat(outcome.violation()).as(setting.name()).isEmpty();
        assertThat(model.progressed()).as("states from which one alone goes on").isPositive();
        if (Boolean.getBoolean("tests.register.report")) {
            System.out.printf(
                    "%-45s %,9d states%s%n",
                    setting.name(), outcome.states(), outcome.isComplete() ? ", complete" : "");
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void randomOrders_withLateAndLostAnswers_keepThePromises(Setting setting) {
        RegisterModel model = new RegisterModel(setting.loose());

        for (int seed = 1; seed <= WALKS; seed++) {
            Optional<String> violation = model.walk(new Random(seed), STEPS);
            assertThat(violation).as("%s, seed %d", setting.name(), seed).isEmpty();
        }
    }

    static Stream<Setting> withoutARule() {
        Budget none = Budget.NONE;
        Function<State, Function<Integer, Node>> asIfNothingHappened = state -> at -> {
            AcceptorState before = state.nodes().get(at).state();
            return state.nodes()
                    .get(at)
                    .with(new AcceptorState(
                            before.generation(),
                            before.incarnation(),
                            before.serverRun(),
                            Ballot.NONE,
                            Ballot.NONE,
                            null,
                            null));
        };
        Function<State, Function<Integer, Node>> fromOneOther = state -> at -> {
            AcceptorState before = state.nodes().get(at).state();
            AcceptorState other = state.nodes().get((at + 2) % 3).state();
            return state.nodes()
                    .get(at)
                    .with(new AcceptorState(
                            before.generation(),
                            before.incarnation(),
                            before.serverRun(),
                            other.promise(),
                            other.ballot(),
                            other.value(),
                            null));
        };
        Function<State, Function<Integer, Node>> fromAMajority = state -> at -> {
            AcceptorState before = state.nodes().get(at).state();
            AcceptorState one = state.nodes().get((at + 1) % 3).state();
            AcceptorState other = state.nodes().get((at + 2) % 3).state();
            AcceptorState higher = one.ballot().compareTo(other.ballot()) > 0 ? one : other;
            Ballot promise = one.promise().compareTo(other.promise()) > 0 ? one.promise() : other.promise();
            return state.nodes()
                    .get(at)
                    .with(new AcceptorState(
                            before.generation(),
                            before.incarnation(),
                            before.serverRun(),
                            promise,
                            higher.ballot(),
                            higher.value(),
                            null));
        };
        RoundRules votersOnly = new RoundRules() {
            @Override
            public boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value, boolean isFormed) {
                return value.voters().isMajority(accepting);
            }

            @Override
            public boolean isBelieved(
                    Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
                return true;
            }
        };
        RoundRules previousOnly = new RoundRules() {
            @Override
            public boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value, boolean isFormed) {
                return (value.isFirst() ? value.voters() : value.previous()).isMajority(accepting);
            }

            @Override
            public boolean isBelieved(
                    Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
                return true;
            }
        };
        RoundRules derivesFromAnything = new RoundRules() {
            @Override
            public boolean isDecided(Set<Voters.Voter> acceptedTogether, RegisterValue value, boolean isFormed) {
                return true;
            }

            @Override
            public boolean isBelieved(
                    Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
                return true;
            }
        };
        RoundRules asksOneOnly = new RoundRules() {
            @Override
            public boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value, boolean isFormed) {
                return true;
            }

            @Override
            public boolean isBelieved(
                    Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
                return true;
            }
        };
        RoundRules believesAnything = new RoundRules() {
            @Override
            public boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value, boolean isFormed) {
                return true;
            }

            @Override
            public boolean isDecided(Set<Voters.Voter> acceptedTogether, RegisterValue value, boolean isFormed) {
                return true;
            }

            @Override
            public boolean isBelieved(
                    Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
                return true;
            }
        };
        List<Setting> all = new ArrayList<>();
        all.add(new Setting("who has forgotten votes on", 3, each(A, B), List.of(1, 1), none.losses(1))
                .with(Faults.NONE.loss(asIfNothingHappened)));
        all.add(new Setting("who has forgotten copies one", 3, each(A, B), List.of(1, 1), none.losses(1))
                .with(Faults.NONE.loss(fromOneOther)));
        all.add(new Setting("who has forgotten copies a majority", 3, each(A, B), List.of(1, 1), none.losses(1))
                .with(Faults.NONE.loss(fromAMajority)));
        all.add(new Setting("a replica is taken for its primary", 3, each(A, B), List.of(1, 1), none.failovers(1, 1))
                .with(Faults.NONE.serverRun(ServerRun.NOTHING)));
        all.add(new Setting("a process is taken for a reign", 3, each(A, B), List.of(1, 1), none.failovers(2, 2))
                .with(Faults.NONE.serverRun(ServerRun.PROCESS)));
        all.add(new Setting("one answer is enough", 3, each(A, B), List.of(1, 1), none)
                .with(Faults.NONE.rules(asksOneOnly)));
        all.add(new Setting("who looks believes the highest of a majority", 3, each(A), List.of(1), none.reads(1))
                .with(Faults.NONE.checks(derivesFromAnything)));
        all.add(new Setting("who looks believes the highest of a few", 3, each(A), List.of(1), none.reads(1))
                .with(Faults.NONE.checks(believesAnything)));
        all.add(new Setting("who looks asks one only", 3, each(A), List.of(1), none.reads(1))
                .with(Faults.NONE.checks(asksOneOnly)));
        all.add(new Setting("who looks asks the new electors", 3, each(A, REPLACE_C_BY_D), List.of(1, 1), none.reads(1))
                .of(4)
                .with(Faults.NONE.checks(votersOnly)));
        all.add(new Setting("the new electors are enough", 3, each(REPLACE_C_BY_D, A), List.of(1, 1), none)
                .of(4)
                .with(Faults.NONE.rules(votersOnly)));
        all.add(new Setting(
                        "the old electors are enough",
                        3,
                        List.of(List.of(REPLACE_C_BY_D, B), List.of(A)),
                        List.of(2, 1),
                        none)
                .of(4)
                .with(Faults.NONE.rules(previousOnly)));
        all.add(new Setting("derives before it finishes", 3, each(A), List.of(2), none.losses(1))
                .with(Faults.NONE.rules(derivesFromAnything)));
        all.add(new Setting("a ballot is used twice", 3, by(A, B), List.of(2), none.crashes(1))
                .with(Faults.NONE.reusingBallots()));
        all.add(new Setting("what is ready is sent under another ballot", 3, each(A, B), List.of(1, 1), none)
                .held()
                .with(Faults.NONE.outbiddingUnheard()));
        return all.stream();
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("withoutARule")
    void withoutARule_aPromiseIsBroken(Setting setting) {
        Outcome outcome = new RegisterModel(setting).explore(MOST_STATES_OF_A_FAULT);
        Optional<String> violation = outcome.violation();
        for (int seed = 1; violation.isEmpty() && seed <= MOST_WALKS_OF_A_FAULT; seed++) {
            violation = new RegisterModel(setting).walk(new Random(seed), STEPS);
        }

        assertThat(violation)
                .as("%s: %d states", setting.name(), outcome.states())
                .isPresent();
        if (Boolean.getBoolean("tests.register.report")) {
            System.out.printf("%-45s %,9d states%n%s%n%n", setting.name(), outcome.states(), violation.orElse(""));
        }
    }
}
