// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.register.AcceptorAnswer.Accepted;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.client.register.AcceptorRequest.Accept;
import io.keyslot.client.register.AcceptorRequest.Begin;
import io.keyslot.client.register.Round.Sending;
import io.keyslot.slot.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * How a register begins, by the product's own {@link Formation}, in every order: of two operators at most one succeeds,
 * whatever is forgotten meanwhile; and after an operator has begun again because a majority was lost, nothing of the generation
 * before is decided any more.
 */
class FormationModelTest {
    private static final int INSTANCES = 3;
    private static final int MOST_STATES = 400_000;
    private static final Generation OLD = new Generation(1, "old");
    private static final RegisterValue NOTHING = new RegisterValue(0, 0, "map", Voters.NONE, Voters.NONE, List.of());

    private enum Fault {
        NONE,
        MAJORITY_IS_ENOUGH,
        BEGINS_WHATEVER_IS_THERE
    }

    /** An operator who looks, and then forms. */
    private record Operator(
            Map<PartitionId, Viewed> report, @Nullable Formation formation) {}

    private record Vote(Generation generation, Ballot ballot, RegisterValue value, Voters.Voter voter) {}

    private record State(
            List<AcceptorState> nodes,
            List<Operator> operators,
            Set<Sending> sent,
            Set<Vote> votes,
            Set<Object> decided,
            int losses) {}

    private Fault fault = Fault.NONE;
    private boolean isRecovery;

    @Test
    void twoOperators_aLoss_atMostOneRegisterBegins() {
        assertThat(search(new State(blank(), twoOperators(), Set.of(), Set.of(), Set.of(), 1)))
                .isEmpty();
    }

    @Test
    void anOperatorWhoBeginsAgain_endsTheGenerationBefore() {
        isRecovery = true;

        assertThat(search(majorityLost())).isEmpty();
    }

    @Test
    void aMajorityThatBegins_isNotEnough() {
        fault = Fault.MAJORITY_IS_ENOUGH;

        assertThat(search(new State(blank(), twoOperators(), Set.of(), Set.of(), Set.of(), 1)))
                .isPresent();
    }

    @Test
    void anIncarnationThatBeginsWhateverIsThere_isOneTooMany() {
        fault = Fault.BEGINS_WHATEVER_IS_THERE;

        assertThat(search(new State(blank(), twoOperators(), Set.of(), Set.of(), Set.of(), 0)))
                .isPresent();
    }

    private static List<AcceptorState> blank() {
        return List.of(AcceptorState.BLANK, AcceptorState.BLANK, AcceptorState.BLANK);
    }

    private static List<Operator> twoOperators() {
        return List.of(new Operator(Map.of(), null), new Operator(Map.of(), null));
    }

    /** Two of three have forgotten; what a proposer of the generation before has sent is still under way. */
    private static State majorityLost() {
        Voters voters = new Voters(Map.of(name(0), "A0", name(1), "B0", name(2), "C0"));
        RegisterValue first = RegisterValue.first(1, 1, "map", voters, new RegisterChange("init", 1));
        RegisterValue next = first.withText("late", "", "late", voters);
        Ballot lowest = Ballot.of(0, "old");
        Ballot late = Ballot.of(1, "old");
        AcceptorState left = new AcceptorState(OLD, "A0", "", late, lowest, first, new DecidedValue(OLD, first));
        Set<Sending> underWay = new HashSet<>();
        for (int at = 0; at < INSTANCES; at++) {
            underWay.add(new Sending(name(at), Accept.at(name(at), OLD, late, next)));
        }
        return new State(
                List.of(left, AcceptorState.BLANK, AcceptorState.BLANK),
                List.of(new Operator(Map.of(), null)),
                underWay,
                Set.of(),
                Set.of(),
                0);
    }

    private static PartitionId name(int at) {
        return new PartitionId(String.valueOf((char) ('A' + at)));
    }

    private Optional<String> search(State first) {
        Set<State> seen = new HashSet<>(Set.of(first));
        Deque<State> open = new ArrayDeque<>(List.of(first));
        while (!open.isEmpty() && seen.size() < MOST_STATES) {
            for (State next : followers(open.poll())) {
                if (next.decided().size() > 1) {
                    return Optional.of("two registers: " + next.decided());
                }
                if (seen.add(next)) {
                    open.add(next);
                }
            }
        }
        assertThat(seen.size()).as("states").isLessThan(MOST_STATES).isGreaterThan(50);
        return Optional.empty();
    }

    private List<State> followers(State state) {
        List<State> next = new ArrayList<>();
        for (int by = 0; by < state.operators().size(); by++) {
            checks(state, by, next);
        }
        for (Sending sending : state.sent()) {
            next.add(arrived(state, sending));
        }
        if (state.losses() > 0) {
            for (int at = 0; at < INSTANCES; at++) {
                next.add(new State(
                        replaced(state.nodes(), at, AcceptorState.BLANK),
                        state.operators(),
                        state.sent(),
                        state.votes(),
                        state.decided(),
                        state.losses() - 1));
            }
        }
        return next;
    }

    private void checks(State state, int by, List<State> next) {
        Operator operator = state.operators().get(by);
        if (operator.formation() != null) {
            return;
        }
        for (int at = 0; at < INSTANCES; at++) {
            Viewed view = (Viewed)
                    state.nodes().get(at).on(new AcceptorRequest.Read(), "", "").answer();
            if (operator.report().containsKey(name(at)) || (view.value() != null && !isRecovery)) {
                continue; // where there is a value there is a register
            }
            if (operator.report().size() != (at + by) % INSTANCES) {
                continue; // each looks at one after the other, and begins with another one
            }
            Map<PartitionId, Viewed> report = new TreeMap<>(operator.report());
            report.put(name(at), view);
            int enough = fault == Fault.MAJORITY_IS_ENOUGH ? 2 : INSTANCES;
            next.add(
                    report.size() < enough
                            ? with(state, by, new Operator(report, null), List.of())
                            : forming(state, by, report));
        }
    }

    private State forming(State state, int by, Map<PartitionId, Viewed> report) {
        Generation generation = isRecovery ? OLD.next("new") : new Generation(1, "o" + by);
        Formation.Step step =
                Formation.begin(new Formation.Terms(generation, "o" + by, "n" + by, "init" + by, ""), NOTHING, report);
        return with(state, by, new Operator(Map.of(), step.formation()), step.sendings());
    }

    private State with(State state, int by, Operator operator, List<Sending> sendings) {
        Set<Sending> sent = new HashSet<>(state.sent());
        sent.addAll(sendings);
        return new State(
                state.nodes(),
                replaced(state.operators(), by, operator),
                sent,
                state.votes(),
                state.decided(),
                state.losses());
    }

    /** A begin arrives once, as a second one would begin a life that nobody knows of; an accept as often as it likes. */
    private State arrived(State state, Sending sending) {
        int at = sending.to().name().charAt(0) - 'A';
        AcceptorState node = state.nodes().get(at);
        AcceptorRequest request = sending.request();
        if (request instanceof Begin begin && fault == Fault.BEGINS_WHATEVER_IS_THERE) {
            request = new Begin(
                    begin.generation(),
                    begin.nonce(),
                    node.incarnation() + "/" + node.ballot().text());
        }
        AcceptorState.Applied applied = node.on(request, "", "");
        Set<Sending> sent = new HashSet<>(state.sent());
        if (request instanceof Begin) {
            sent.remove(sending);
        }
        State next = new State(
                replaced(state.nodes(), at, applied.state()),
                state.operators(),
                sent,
                state.votes(),
                state.decided(),
                state.losses());
        if (request instanceof Accept accept && applied.answer() instanceof Accepted accepted) {
            next = voted(next, accept, new Voters.Voter(sending.to(), accepted.incarnation()));
        }
        for (int by = 0; by < next.operators().size(); by++) {
            Formation formation = next.operators().get(by).formation();
            if (formation != null && isOf(formation, sending.request())) {
                Formation.Step step = formation.on(sending.to(), sending.request(), applied.answer());
                next = with(next, by, new Operator(Map.of(), step.formation()), step.sendings());
            }
        }
        return next;
    }

    private static boolean isOf(Formation formation, AcceptorRequest request) {
        Generation generation = request instanceof Begin begin ? begin.generation() : ((Accept) request).generation();
        return generation.equals(formation.terms().generation());
    }

    private State voted(State state, Accept accept, Voters.Voter voter) {
        Set<Vote> votes = new HashSet<>(state.votes());
        votes.add(new Vote(accept.generation(), accept.ballot(), accept.value(), voter));
        Set<Voters.Voter> together = new HashSet<>();
        for (Vote vote : votes) {
            if (vote.generation().equals(accept.generation())
                    && vote.ballot().equals(accept.ballot())
                    && vote.value().equals(accept.value())) {
                together.add(vote.voter());
            }
        }
        Set<Object> decided = new HashSet<>(state.decided());
        boolean isNow = accept.value().isFirst()
                ? accept.value().voters().isAll(together)
                : RoundRules.ALL.isQuorum(together, accept.value(), true);
        if (isNow) {
            decided.add(accept.value().voters());
        }
        return new State(state.nodes(), state.operators(), state.sent(), votes, decided, state.losses());
    }

    private static <T> List<T> replaced(List<T> list, int index, T value) {
        return IntStream.range(0, list.size())
                .mapToObj(at -> at == index ? value : list.get(at))
                .toList();
    }
}
