// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Accepted;
import io.keyslot.client.register.AcceptorAnswer.Behind;
import io.keyslot.client.register.AcceptorAnswer.Promised;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.client.register.AcceptorRequest.Accept;
import io.keyslot.client.register.AcceptorRequest.Prepare;
import io.keyslot.client.register.Round.Sending;
import io.keyslot.slot.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All that can happen to a register: the product's own {@link Round} and {@link AcceptorState}, with everything between them
 * in any order. A request once sent may arrive at any time, repeatedly or never; a proposer may begin again, give up or die at
 * each step; an instance may forget everything, or be replaced by a replica that lags.
 *
 * <p>What is checked:
 *
 * <ul>
 *   <li>chain: of two decided values one follows from the other;
 *   <li>kept: a change that was answered with OK is in every value decided later; one that was answered with no is in none;
 *   <li>shown: what an answer or a read gives as decided is, and a read is not older than what was decided when it began;
 *   <li>progress: while those who decide are majorities, one proposer alone makes a change, and gives every vote back.
 * </ul>
 */
final class RegisterModel {
    private static final Generation GENERATION = new Generation(1, "model");

    /** Who takes part, what they do, and how much may go wrong. */
    record Setting(
            String name,
            int instances,
            int voters,
            List<List<Update>> changes,
            List<Integer> ballots,
            Budget budget,
            boolean isLoose,
            boolean isHeld,
            Faults faults) {
        Setting(String name, int voters, List<List<Update>> changes, List<Integer> ballots, Budget budget) {
            this(name, voters, voters, changes, ballots, budget, false, false, Faults.NONE);
        }

        @Override
        public String toString() {
            return name;
        }

        Setting of(int allInstances) {
            return new Setting(name, allInstances, voters, changes, ballots, budget, isLoose, isHeld, faults);
        }

        Setting with(Faults other) {
            return new Setting(name, instances, voters, changes, ballots, budget, isLoose, isHeld, other);
        }

        /** Answers may be late or lost, requests of given up rounds arrive, and no is an answer like any other. */
        Setting loose() {
            return new Setting(name, instances, voters, changes, ballots, budget, true, isHeld, faults);
        }

        /** Who changes something prepares it, and sends it at any time later. */
        Setting held() {
            return new Setting(name, instances, voters, changes, ballots, budget, isLoose, true, faults);
        }
    }

    /** How often something may still happen. */
    record Budget(int losses, int copies, int failovers, int crashes, int votes, int reads, int unknowns) {
        static final Budget NONE = new Budget(0, 0, 0, 0, 0, 0, 0);

        Budget losses(int number) {
            return new Budget(number, copies, failovers, crashes, votes, reads, unknowns);
        }

        Budget failovers(int number, int replications) {
            return new Budget(losses, replications, number, crashes, votes, reads, unknowns);
        }

        Budget crashes(int number) {
            return new Budget(losses, copies, failovers, number, votes, reads, unknowns);
        }

        Budget votes(int number) {
            return new Budget(losses, copies, failovers, crashes, number, reads, unknowns);
        }

        Budget reads(int number) {
            return new Budget(losses, copies, failovers, crashes, votes, number, unknowns);
        }

        Budget unknowns(int number) {
            return new Budget(losses, copies, failovers, crashes, votes, reads, number);
        }
    }

    /** What is wrong, of what the register stands on. */
    record Faults(
            RoundRules rules,
            ServerRun serverRun,
            @Nullable Function<State, Function<Integer, Node>> loss,
            boolean reusesBallots,
            boolean outbidsUnheard,
            @Nullable RoundRules checks) {
        static final Faults NONE = new Faults(RoundRules.ALL, ServerRun.PROMOTION, null, false, false, null);

        Faults rules(RoundRules other) {
            return new Faults(other, serverRun, loss, reusesBallots, outbidsUnheard, checks);
        }

        Faults serverRun(ServerRun other) {
            return new Faults(rules, other, loss, reusesBallots, outbidsUnheard, checks);
        }

        /** What is left of an instance that has forgotten, if it does not know that. */
        Faults loss(Function<State, Function<Integer, Node>> other) {
            return new Faults(rules, serverRun, other, reusesBallots, outbidsUnheard, checks);
        }

        Faults reusingBallots() {
            return new Faults(rules, serverRun, loss, true, outbidsUnheard, checks);
        }

        /** What is ready is sent under a ballot of which nobody has promised anything. */
        Faults outbiddingUnheard() {
            return new Faults(rules, serverRun, loss, reusesBallots, true, checks);
        }

        /** Who only looks has other rules than who changes something. */
        Faults checks(RoundRules other) {
            return new Faults(rules, serverRun, loss, reusesBallots, outbidsUnheard, other);
        }

        RoundRules rulesOfLooks() {
            return checks == null ? rules : checks;
        }
    }

    /** By what a server tells one reign from another. */
    enum ServerRun {
        PROMOTION,
        PROCESS,
        NOTHING
    }

    /** An instance: a primary and its replica. */
    record Node(AcceptorState state, AcceptorState replica, int promotions, int lives) {
        String serverRun(ServerRun by) {
            return switch (by) {
                case PROMOTION -> "reign-" + promotions;
                case PROCESS -> "process-" + promotions % 2;
                case NOTHING -> "";
            };
        }

        Node with(AcceptorState next) {
            return new Node(next, replica, promotions, lives);
        }
    }

    /** Who makes changes, one after the other. */
    record Writer(
            int incarnation,
            List<Update> todo,
            boolean wasSent,
            @Nullable Round round,
            int ballots) {
        Writer with(@Nullable Round next) {
            return new Writer(incarnation, todo, next == null ? wasSent : next.wasSent(), next, ballots);
        }

        Writer paying() {
            return new Writer(incarnation, todo, wasSent, round, ballots - 1);
        }

        Writer over() {
            return new Writer(incarnation, todo.subList(1, todo.size()), false, null, ballots);
        }

        Writer resolving() {
            List<Update> next = new ArrayList<>(todo);
            Update open = todo.get(0);
            next.set(0, new Update.Resolve(open.operation(), open.since()));
            return new Writer(incarnation, next, true, null, ballots);
        }
    }

    /** A value under one ballot. */
    record Decree(Ballot ballot, RegisterValue value) {}

    /** An answer that is on its way. */
    record Late(int writer, Sending sending, AcceptorAnswer answer) {}

    /** What somebody who looks, and writes nothing, has seen. */
    record Reader(RegisterValue decidedBefore, Map<PartitionId, Viewed> views) {}

    /** All there is at one moment. */
    record State(
            List<Node> nodes,
            List<Writer> writers,
            Set<Sending> sent,
            Set<Late> late,
            Map<Decree, Set<Voters.Voter>> votes,
            RegisterValue decided,
            Budget budget,
            Set<String> made,
            Set<String> denied,
            @Nullable Reader reader) {
        State nodes(List<Node> next) {
            return new State(next, writers, sent, late, votes, decided, budget, made, denied, reader);
        }

        State node(int index, Node next) {
            return nodes(replaced(nodes, index, next));
        }

        State writer(int index, Writer next) {
            return new State(
                    nodes, replaced(writers, index, next), sent, late, votes, decided, budget, made, denied, reader);
        }

        State sent(Set<Sending> next) {
            return new State(nodes, writers, next, late, votes, decided, budget, made, denied, reader);
        }

        State late(Set<Late> next) {
            return new State(nodes, writers, sent, next, votes, decided, budget, made, denied, reader);
        }

        State votes(Map<Decree, Set<Voters.Voter>> next, RegisterValue newest) {
            return new State(nodes, writers, sent, late, next, newest, budget, made, denied, reader);
        }

        State budget(Budget next) {
            return new State(nodes, writers, sent, late, votes, decided, next, made, denied, reader);
        }

        State answered(Set<String> nowMade, Set<String> nowDenied) {
            return new State(nodes, writers, sent, late, votes, decided, budget, nowMade, nowDenied, reader);
        }

        State reader(@Nullable Reader next) {
            return new State(nodes, writers, sent, late, votes, decided, budget, made, denied, next);
        }
    }

    /** Something that can happen. */
    record Move(String label, Supplier<State> next) {}

    /** A promise that was broken, with what led there. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what, null, true, false);
        }
    }

    /** How a search has ended. */
    record Outcome(int states, boolean isComplete, Optional<String> violation) {}

    private final Setting setting;
    private final List<PartitionId> names;
    private final Map<List<Node>, Boolean> progress = new HashMap<>();
    private int progressed;

    RegisterModel(Setting setting) {
        this.setting = setting;
        this.names = IntStream.range(0, setting.instances())
                .mapToObj(index -> new PartitionId(String.valueOf((char) ('A' + index))))
                .toList();
    }

    int progressed() {
        return progressed;
    }

    State initial() {
        Map<PartitionId, String> lives = new TreeMap<>();
        names.subList(0, setting.voters()).forEach(name -> lives.put(name, name + "0"));
        RegisterValue first = RegisterValue.first(1, 1, "map", new Voters(lives), new RegisterChange("init", 1));
        Ballot lowest = Ballot.of(0, "init");
        List<Node> nodes = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            AcceptorState blank =
                    living(names.get(index) + "0", new Node(AcceptorState.BLANK, AcceptorState.BLANK, 0, 1));
            nodes.add(new Node(
                    index < setting.voters()
                            ? new AcceptorState(
                                    GENERATION, blank.incarnation(), blank.serverRun(), lowest, lowest, first, null)
                            : blank,
                    blank,
                    0,
                    1));
        }
        List<Writer> writers = new ArrayList<>();
        for (int index = 0; index < setting.changes().size(); index++) {
            writers.add(new Writer(
                    0,
                    setting.changes().get(index),
                    false,
                    null,
                    setting.ballots().get(index)));
        }
        return new State(
                nodes, writers, Set.of(), Set.of(), Map.of(), first, setting.budget(), Set.of(), Set.of(), null);
    }

    private AcceptorState living(String incarnation, Node on) {
        return new AcceptorState(
                GENERATION,
                incarnation,
                on.serverRun(setting.faults().serverRun()),
                Ballot.NONE,
                Ballot.NONE,
                null,
                null);
    }

    /** Walks through all states, shortest ways first, up to a number of them. */
    Outcome explore(int most) {
        State first = initial();
        Map<State, State> from = new HashMap<>();
        Map<State, String> labels = new HashMap<>();
        from.put(first, first);
        Deque<State> open = new ArrayDeque<>(List.of(first));
        while (!open.isEmpty()) {
            State state = open.poll();
            try {
                checkProgress(state);
                for (Move move : moves(state)) {
                    State next = move.next().get();
                    if (from.putIfAbsent(next, state) == null) {
                        labels.put(next, move.label());
                        open.add(next);
                    }
                }
            } catch (Violation violation) {
                return new Outcome(from.size(), true, Optional.of(story(state, from, labels, violation)));
            }
            if (from.size() > most) {
                return new Outcome(from.size(), false, Optional.empty());
            }
        }
        return new Outcome(from.size(), true, Optional.empty());
    }

    private static String story(State end, Map<State, State> from, Map<State, String> labels, Violation violation) {
        Deque<String> lines = new ArrayDeque<>(List.of(String.valueOf(violation.getMessage())));
        for (State at = end; labels.containsKey(at); at = from.get(at)) {
            lines.push(labels.get(at));
        }
        return String.join(System.lineSeparator(), lines);
    }

    /** Walks at random. Returns what was violated, with the way there. */
    Optional<String> walk(Random random, int steps) {
        State state = initial();
        List<String> lines = new ArrayList<>();
        try {
            for (int step = 0; step < steps; step++) {
                List<Move> moves = moves(state);
                if (moves.isEmpty()) {
                    break;
                }
                Move move = moves.get(random.nextInt(moves.size()));
                lines.add(move.label());
                state = move.next().get();
            }
            checkProgress(state);
            return Optional.empty();
        } catch (Violation violation) {
            lines.add(violation.getMessage());
            return Optional.of(String.join(System.lineSeparator(), lines));
        }
    }

    // ------------------------------------------------------------------ what can happen

    List<Move> moves(State state) {
        List<Move> moves = new ArrayList<>();
        for (int index = 0; index < state.writers().size(); index++) {
            ofWriter(state, index, moves);
        }
        for (Sending sending : state.sent()) {
            arrivals(state, sending, moves);
        }
        for (Late late : state.late()) {
            moves.add(new Move("late answer " + late.answer(), () -> deliver(without(state, late), late)));
        }
        for (int index = 0; index < state.nodes().size(); index++) {
            ofNode(state, index, moves);
        }
        ofReader(state, moves);
        return moves;
    }

    private static State without(State state, Late late) {
        Set<Late> rest = new HashSet<>(state.late());
        rest.remove(late);
        return state.late(rest);
    }

    private void ofWriter(State state, int index, List<Move> moves) {
        Writer writer = state.writers().get(index);
        Round round = writer.round();
        String who = "P" + index + "." + writer.incarnation() + " ";
        if (round == null) {
            if (!writer.todo().isEmpty() && writer.ballots() > 0) {
                moves.add(new Move(
                        who + "begins " + writer.todo().get(0).operation(),
                        () -> proceed(
                                state.writer(index, writer.paying()),
                                index,
                                Round.begin(
                                        writer.todo().get(0),
                                        terms(index, writer),
                                        voters(state),
                                        highest(state),
                                        writer.wasSent(),
                                        setting.isLoose() ? initial().decided() : state.decided()))));
            } else if (writer.todo().isEmpty() && state.budget().votes() > 0 && writer.ballots() > 0) {
                votesToReturn(state, index, moves);
            }
        } else {
            if (round.isReady()) {
                moves.add(new Move(
                        who + "sends what is ready",
                        () -> proceed(state, index, unheard(state, round).go())));
            }
            if (writer.ballots() > 0) {
                moves.add(new Move(
                        who + "begins again",
                        () -> proceed(
                                state.writer(index, writer.paying()),
                                index,
                                round.on(names.get(0), new AcceptorRequest.ReadStamp(), new Behind(highest(state)))
                                        .round()
                                        .again())));
            }
            if (state.budget().unknowns() > 0) {
                moves.add(new Move(who + "gives up", () -> {
                    State paid =
                            state.budget(state.budget().unknowns(state.budget().unknowns() - 1));
                    return proceed(paid, index, new Round.Step(round.giveUp("enough"), List.of()));
                }));
            }
        }
        if (state.budget().crashes() > 0 && round != null) {
            moves.add(new Move(who + "dies", () -> {
                int next = setting.faults().reusesBallots() ? writer.incarnation() : writer.incarnation() + 1;
                return tidied(state.budget(state.budget().crashes(state.budget().crashes() - 1))
                        .writer(index, new Writer(next, writer.todo(), true, null, writer.ballots())));
            }));
        }
    }

    private Round unheard(State state, Round ready) {
        if (!setting.faults().outbidsUnheard()) {
            return ready;
        }
        Ballot above = Ballot.of(highest(state).counter() + 1, ready.terms().proposer());
        return new Round(
                ready.update(),
                ready.terms(),
                above,
                above.counter(),
                ready.phase(),
                ready.asked(),
                ready.wasSent(),
                ready.known());
    }

    private Round.Terms terms(int index, Writer writer) {
        return new Round.Terms(
                GENERATION, "p" + index + writer.incarnation(), setting.faults().rules(), Set.of(), setting.isHeld());
    }

    /** Who proposes has read it before, or is told when it is too low. */
    private Ballot highest(State state) {
        if (setting.faults().reusesBallots()) {
            return Ballot.NONE;
        }
        return state.nodes().stream()
                .map(node -> node.state().promise())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Who proposes has read what there is before: electors of an old value are as good. */
    private Set<PartitionId> voters(State state) {
        return state.decided().voters().instances();
    }

    private void votesToReturn(State state, int index, List<Move> moves) {
        for (int at = 0; at < names.size(); at++) {
            PartitionId name = names.get(at);
            Node node = state.nodes().get(at);
            Optional<String> voting = state.decided().voters().incarnationAt(name);
            String incarnation = node.state().incarnation();
            if (voting.isPresent() && !voting.get().equals(incarnation) && isAlive(node)) {
                Update vote = new Update.ReturnVote(name, voting.get(), incarnation, 0);
                moves.add(new Move("P" + index + " returns the vote of " + name, () -> {
                    Writer writer = state.writers().get(index);
                    return state.budget(state.budget().votes(state.budget().votes() - 1))
                            .writer(
                                    index,
                                    new Writer(writer.incarnation(), List.of(vote), false, null, writer.ballots()));
                }));
            }
        }
    }

    private boolean isAlive(Node node) {
        return !node.state().incarnation().isEmpty()
                && node.state()
                        .serverRun()
                        .equals(node.serverRun(setting.faults().serverRun()));
    }

    private State proceed(State state, int index, Round.Step step) {
        Writer writer = state.writers().get(index).with(step.round());
        State next = state.writer(index, writer);
        if (!step.sendings().isEmpty()) {
            Set<Sending> all = new HashSet<>(next.sent());
            all.addAll(step.sendings());
            next = next.sent(all);
        }
        RegisterAnswer answer = step.round().answer();
        return tidied(answer == null ? next : answered(next, index, writer, answer));
    }

    private State answered(State state, int index, Writer writer, RegisterAnswer answer) {
        String operation = writer.todo().get(0).operation();
        if (answer instanceof RegisterAnswer.Unknown) {
            return state.writer(index, writer.resolving());
        }
        if (answer instanceof RegisterAnswer.Ok ok) {
            shown(state, ok.decided().value(), "an OK");
        } else if (answer instanceof RegisterAnswer.Conflict conflict) {
            shown(state, conflict.decided().value(), "a conflict");
        }
        Set<String> made = new HashSet<>(state.made());
        Set<String> denied = new HashSet<>(state.denied());
        boolean isVote = operation.startsWith("vote/"); // somebody else may have made the same change
        if (!isVote || answer instanceof RegisterAnswer.Ok) {
            (answer instanceof RegisterAnswer.Ok ? made : denied).add(operation);
        }
        return kept(state.answered(made, denied).writer(index, writer.over()));
    }

    /** What can never make a difference any more is left out, so that equal states are one. */
    private State tidied(State state) {
        if (setting.isLoose()) {
            return state;
        }
        Set<Ballot> current = new HashSet<>();
        for (Writer writer : state.writers()) {
            Round round = writer.round();
            if (round != null && round.phase() instanceof Round.Preparing) {
                current.add(round.ballot());
            }
        }
        Set<Sending> alive = new HashSet<>();
        for (Sending sending : state.sent()) {
            boolean matters = sending.request() instanceof Prepare prepare
                    ? current.contains(prepare.ballot())
                    : isAcceptable(state, sending);
            if (matters) {
                alive.add(sending);
            }
        }
        return alive.size() == state.sent().size() ? state : state.sent(alive);
    }

    /** A promise only rises, unless something is wrong, and a life that has ended does not come back. */
    private boolean isAcceptable(State state, Sending sending) {
        if (!setting.faults().equals(Faults.NONE)
                || state.budget().failovers() > 0
                || state.budget().copies() > 0) {
            return true;
        }
        AcceptorState at = state.nodes().get(names.indexOf(sending.to())).state();
        Accept accept = (Accept) sending.request();
        return accept.ballot().compareTo(at.promise()) >= 0
                && (at.incarnation().equals(accept.voter()) || at.incarnation().equals(accept.previous()));
    }

    private void arrivals(State state, Sending sending, List<Move> moves) {
        int at = names.indexOf(sending.to());
        Node node = state.nodes().get(at);
        AcceptorState.Applied applied = apply(node, sending.request());
        boolean isYes = applied.answer() instanceof Promised || applied.answer() instanceof Accepted;
        if (!isYes && !setting.isLoose()) {
            return;
        }
        moves.add(new Move(
                sending.request() + " at " + sending.to() + ": " + applied.answer(),
                () -> deliver(executed(state, sending, at, applied), late(sending, applied))));
        if (setting.isLoose()) {
            moves.add(new Move(sending.request() + " at " + sending.to() + ", answer under way", () -> {
                State next = executed(state, sending, at, applied);
                Set<Late> all = new HashSet<>(next.late());
                all.add(late(sending, applied));
                return next.late(all);
            }));
        }
    }

    private AcceptorState.Applied apply(Node node, AcceptorRequest request) {
        if (setting.faults().reusesBallots()
                && request instanceof Prepare prepare
                && prepare.ballot().equals(node.state().promise())
                && isAlive(node)) {
            AcceptorState state = node.state();
            return new AcceptorState.Applied(state, new Promised(state.incarnation(), state.ballot(), state.value()));
        }
        return node.state().on(request, node.serverRun(setting.faults().serverRun()), "t");
    }

    private static Late late(Sending sending, AcceptorState.Applied applied) {
        String ballot = sending.request() instanceof Prepare prepare
                ? prepare.ballot().text()
                : ((Accept) sending.request()).ballot().text();
        int writer = ballot.charAt(ballot.indexOf('p') + 1) - '0';
        return new Late(writer, sending, applied.answer());
    }

    private State executed(State state, Sending sending, int at, AcceptorState.Applied applied) {
        State next = state.node(at, state.nodes().get(at).with(applied.state()));
        if (sending.request() instanceof Prepare && !setting.isLoose()) {
            Set<Sending> rest = new HashSet<>(next.sent());
            rest.remove(sending);
            next = next.sent(rest);
        }
        return applied.answer() instanceof Accepted accepted
                ? voted(next, (Accept) sending.request(), new Voters.Voter(sending.to(), accepted.incarnation()))
                : next;
    }

    private State voted(State state, Accept accept, Voters.Voter voter) {
        Decree decree = new Decree(accept.ballot(), accept.value());
        Map<Decree, Set<Voters.Voter>> votes = new HashMap<>(state.votes());
        Set<Voters.Voter> lives = new HashSet<>(votes.getOrDefault(decree, Set.of()));
        if (!lives.add(voter)) {
            return state;
        }
        votes.put(decree, Set.copyOf(lives));
        RegisterValue value = accept.value();
        RegisterValue newest = state.decided();
        if (value.isFirst() || setting.faults().rules().isQuorum(lives, value, true)) {
            if (!follows(value, newest) && !follows(newest, value)) {
                throw new Violation("two values are decided: %s and %s".formatted(history(newest), history(value)));
            }
            newest = follows(value, newest) ? value : newest;
        }
        return kept(state.votes(votes, newest));
    }

    private State deliver(State state, Late late) {
        Writer writer = state.writers().get(late.writer());
        Round round = writer.round();
        return round == null
                ? tidied(state)
                : proceed(
                        state,
                        late.writer(),
                        round.on(late.sending().to(), late.sending().request(), late.answer()));
    }

    private void ofNode(State state, int at, List<Move> moves) {
        Node node = state.nodes().get(at);
        PartitionId name = names.get(at);
        Budget budget = state.budget();
        if (budget.losses() > 0) {
            moves.add(new Move(
                    name + " forgets",
                    () -> tidied(
                            state.budget(budget.losses(budget.losses() - 1)).node(at, forgotten(state, at)))));
        }
        if (at > 0) {
            return; // the instances are alike: one with a replica says it for all
        }
        if (budget.copies() > 0 && !node.replica().equals(node.state())) {
            moves.add(new Move(
                    name + " is copied to its replica",
                    () -> state.budget(budget.failovers(budget.failovers(), budget.copies() - 1))
                            .node(at, new Node(node.state(), node.state(), node.promotions(), node.lives()))));
        }
        if (budget.failovers() > 0) {
            moves.add(new Move(
                    name + " fails over",
                    () -> state.budget(budget.failovers(budget.failovers() - 1, budget.copies()))
                            .node(at, new Node(node.replica(), node.replica(), node.promotions() + 1, node.lives()))));
        }
        if (!isAlive(node)
                && !node.state().incarnation().isEmpty()
                && setting.budget().failovers() > 0) {
            moves.add(new Move(name + " begins a life", () -> {
                String incarnation = name + "" + node.lives();
                Node next = new Node(node.state(), node.replica(), node.promotions(), node.lives() + 1);
                return state.node(at, next.with(living(incarnation, next)));
            }));
        }
    }

    private Node forgotten(State state, int at) {
        Node node = state.nodes().get(at);
        Function<State, Function<Integer, Node>> unnoticed = setting.faults().loss();
        if (unnoticed != null) {
            return unnoticed.apply(state).apply(at);
        }
        Node next = new Node(node.state(), node.replica(), node.promotions(), node.lives() + 1);
        return next.with(living(names.get(at) + "" + node.lives(), next));
    }

    private void ofReader(State state, List<Move> moves) {
        Reader reader = state.reader();
        if (reader == null) {
            if (state.budget().reads() > 0) {
                moves.add(new Move(
                        "somebody looks",
                        () -> state.budget(state.budget().reads(state.budget().reads() - 1))
                                .reader(new Reader(state.decided(), Map.of()))));
            }
            return;
        }
        for (int at = 0; at < names.size(); at++) {
            PartitionId name = names.get(at);
            Node node = state.nodes().get(at);
            if (!reader.views().containsKey(name)) {
                moves.add(new Move("look at " + name, () -> read(state, reader, name, node)));
            }
        }
    }

    private State read(State state, Reader reader, PartitionId name, Node node) {
        Map<PartitionId, Viewed> views = new TreeMap<>(reader.views());
        views.put(name, (Viewed) apply(node, new AcceptorRequest.Read()).answer());
        RegisterValue seen = Round.decidedBy(
                views,
                GENERATION,
                initial().decided(),
                Set.of(),
                setting.faults().rulesOfLooks());
        if (seen == null) {
            return state.reader(views.size() == names.size() ? null : new Reader(reader.decidedBefore(), views));
        }
        shown(state, seen, "a look");
        if (!follows(seen, reader.decidedBefore())) {
            throw new Violation("a look shows %s, and %s was decided before it began"
                    .formatted(history(seen), history(reader.decidedBefore())));
        }
        return state.reader(null);
    }

    // ------------------------------------------------------------------ what must be true

    private static List<String> history(RegisterValue value) {
        return value.operations().stream().map(RegisterChange::id).toList();
    }

    /** Returns whether a value is the other one, or comes after it. */
    private static boolean follows(RegisterValue later, RegisterValue earlier) {
        List<RegisterChange> all = later.operations();
        List<RegisterChange> first = earlier.operations();
        return all.size() >= first.size() && all.subList(0, first.size()).equals(first);
    }

    private static void shown(State state, RegisterValue value, String by) {
        if (!follows(state.decided(), value)) {
            throw new Violation(
                    "%s shows %s, and decided is %s".formatted(by, history(value), history(state.decided())));
        }
    }

    private static State kept(State state) {
        List<String> decided = history(state.decided());
        for (String made : state.made()) {
            if (!decided.contains(made)) {
                throw new Violation("%s was answered with OK, and is not in %s".formatted(made, decided));
            }
        }
        for (String denied : state.denied()) {
            if (decided.contains(denied)) {
                throw new Violation("%s was answered with no, and is in %s".formatted(denied, decided));
            }
        }
        return state;
    }

    /** One proposer alone, and nothing goes wrong any more. */
    private void checkProgress(State state) {
        if (!setting.faults().equals(Faults.NONE) || progress.putIfAbsent(state.nodes(), true) != null) {
            return;
        }
        Set<Voters.Voter> living = new HashSet<>();
        RegisterValue pending = null;
        Ballot highest = Ballot.NONE;
        for (int index = 0; index < names.size(); index++) {
            Node node = state.nodes().get(index);
            AcceptorState at = node.state();
            if (isAlive(node)) {
                living.add(new Voters.Voter(names.get(index), at.incarnation()));
                if (at.value() != null && at.ballot().compareTo(highest) > 0) {
                    pending = at.value();
                    highest = at.ballot();
                }
            }
        }
        if (pending == null
                || !RoundRules.ALL.isQuorum(living, pending, true)
                || !state.decided().voters().isMajority(living)) {
            return; // the majority is lost: nothing can be decided
        }
        progressed++;
        List<Node> nodes = new ArrayList<>(state.nodes());
        RegisterValue value = alone(nodes, new Append("alone"), state.decided());
        for (int at = 0; at < names.size(); at++) {
            Optional<String> voting = value.voters().incarnationAt(names.get(at));
            Node node = nodes.get(at);
            if (voting.isPresent()
                    && isAlive(node)
                    && !voting.get().equals(node.state().incarnation())) {
                value = alone(
                        nodes,
                        new Update.ReturnVote(
                                names.get(at), voting.get(), node.state().incarnation(), 0),
                        value);
            }
        }
        if (!value.isSettled()) {
            value = alone(nodes, new Update.Settle(value.sequence(), 0), value);
        }
        survivesAnother(value, nodes);
    }

    /** When all have their votes back, one more may forget. */
    private void survivesAnother(RegisterValue value, List<Node> nodes) {
        Set<Voters.Voter> living = new HashSet<>();
        for (int at = 0; at < names.size(); at++) {
            if (isAlive(nodes.get(at))) {
                living.add(new Voters.Voter(names.get(at), nodes.get(at).state().incarnation()));
            }
        }
        if (value.voters().lives().size() < 3 || !value.voters().isAll(living)) {
            return;
        }
        for (Voters.Voter lost : Set.copyOf(living)) {
            Set<Voters.Voter> others = new HashSet<>(living);
            others.remove(lost);
            if (!RoundRules.ALL.isQuorum(others, value, true)) {
                throw new Violation("without %s nothing can be decided: %s".formatted(lost, value));
            }
        }
    }

    /** @param known the newest value that was decided: there are copies of it */
    private RegisterValue alone(List<Node> nodes, Update update, RegisterValue known) {
        Round.Step step = Round.begin(
                update,
                new Round.Terms(GENERATION, "p9", RoundRules.ALL, Set.of(), false),
                known.acceptors(),
                Ballot.NONE,
                false,
                known);
        Deque<Sending> due = new ArrayDeque<>(step.sendings());
        Round round = step.round();
        for (int turns = 0; turns < 200; turns++) {
            if (round.answer() instanceof RegisterAnswer.Ok ok) {
                return ok.decided().value();
            }
            if (round.isOutbid()) {
                step = round.again();
            } else if (due.isEmpty()) {
                break;
            } else {
                Sending sending = due.poll();
                int at = names.indexOf(sending.to());
                AcceptorState.Applied applied = apply(nodes.get(at), sending.request());
                nodes.set(at, nodes.get(at).with(applied.state()));
                step = round.on(sending.to(), sending.request(), applied.answer());
            }
            round = step.round();
            due.addAll(step.sendings());
        }
        throw new Violation("one proposer alone does not get on: %s, %s".formatted(round.phase(), nodes));
    }

    /** Appends itself to whatever there is. */
    record Append(String operation) implements Update {
        @Override
        public long since() {
            return 0;
        }

        @Override
        public Verdict on(DecidedValue present) {
            return new Verdict.Next(present.value()
                    .withText(operation, "", operation, present.value().voters()));
        }
    }

    /** Changes the electors, and the text with them. */
    record Swap(String operation, Set<PartitionId> leaving, Map<PartitionId, String> joining) implements Update {
        @Override
        public long since() {
            return 0;
        }

        @Override
        public Verdict on(DecidedValue present) {
            return new Verdict.Next(present.value()
                    .withText(operation, "", operation, present.value().voters().without(leaving, joining)));
        }
    }

    private static <T> List<T> replaced(Collection<T> list, int index, T value) {
        List<T> next = new ArrayList<>(list);
        next.set(index, value);
        return List.copyOf(next);
    }
}
