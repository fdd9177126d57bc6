// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Accepted;
import io.keyslot.client.register.AcceptorAnswer.Behind;
import io.keyslot.client.register.AcceptorAnswer.Promised;
import io.keyslot.client.register.AcceptorAnswer.Silent;
import io.keyslot.client.register.AcceptorRequest.Accept;
import io.keyslot.client.register.AcceptorRequest.Prepare;
import io.keyslot.slot.PartitionId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change in progress: its state, and the requests to send next. Immutable and pure, so that a model checker can
 * explore all orders of events.
 *
 * <pre>
 *   Preparing ── a quorum has promised ──► the highest value is decided ──► Accepting what follows ──► Over
 *       ▲                                  it may not be ──► Accepting it ─┐
 *       └───────────── with a higher ballot ───────────────────────────────┘
 * </pre>
 *
 * <p>A held round stops in {@link Ready}: the next value is known, and is sent upon {@link #go}. To other clients this
 * looks like a slow request.
 *
 * <p>A value that may be undecided is decided first, and only then is the change made. A proposer that has sent a value
 * reports failure only after another value was decided in its place.
 *
 * @param update the change
 * @param terms the parameters
 * @param ballot the present ballot
 * @param seen the highest counter seen
 * @param phase the present phase
 * @param asked the instances that are asked; more are added if a value names others
 * @param wasSent whether the change itself may have been sent, by this attempt or an earlier one
 * @param known the newest value of the generation that is known to be decided, or null
 */
record Round(
        Update update,
        Terms terms,
        Ballot ballot,
        long seen,
        Phase phase,
        Set<PartitionId> asked,
        boolean wasSent,
        @Nullable RegisterValue known) {
    /**
     * The parameters of a round. {@code voters} are believed while no decided value is known; {@code isHeld} delays
     * sending the change itself.
     */
    record Terms(Generation generation, String proposer, RoundRules rules, Set<PartitionId> voters, boolean isHeld) {
        Terms {
            voters = Set.copyOf(voters);
        }

        Terms going() {
            return new Terms(generation, proposer, rules, voters, false);
        }

        Terms held() {
            return new Terms(generation, proposer, rules, voters, true);
        }
    }

    record Sending(PartitionId to, AcceptorRequest request) {}

    record Step(Round round, List<Sending> sendings) {}

    sealed interface Phase {}

    record Preparing(Map<PartitionId, AcceptorAnswer> answers) implements Phase {}

    /** {@code then} is the answer once the value is decided; null if the change is made after it. */
    record Accepting(RegisterValue value, @Nullable RegisterAnswer then, Map<PartitionId, AcceptorAnswer> answers)
            implements Phase {}

    /** A quorum has promised, and this value follows from the decided one. It has not been sent. */
    record Ready(RegisterValue value) implements Phase {}

    /** Other proposers have higher ballots; {@link #again} follows after a pause. */
    record Outbid() implements Phase {}

    record Over(RegisterAnswer answer) implements Phase {}

    Round {
        asked = Set.copyOf(asked);
    }

    static Step begin(
            Update update,
            Terms terms,
            Set<PartitionId> asked,
            Ballot seen,
            boolean wasSent,
            @Nullable RegisterValue known) {
        return new Round(update, terms, Ballot.NONE, seen.counter(), new Outbid(), asked, wasSent, known).again();
    }

    /** Starts again with a higher ballot than any seen. Answers for earlier ballots are ignored. */
    Step again() {
        Ballot next = Ballot.of(seen + 1, terms.proposer());
        Round preparing = new Round(update, terms, next, seen + 1, new Preparing(Map.of()), asked, wasSent, known);
        return new Step(preparing, preparing.prepares(asked));
    }

    /** Sends the change, now or as soon as possible. */
    Step go() {
        Round going = new Round(update, terms.going(), ballot, seen, phase, asked, wasSent, known);
        return phase instanceof Ready ready ? going.accepting(ready.value(), okOf(ready.value())) : going.stay();
    }

    Round giveUp(String why) {
        return phase instanceof Over ? this : over(failure(why, Map.of()));
    }

    private List<Sending> prepares(Collection<PartitionId> to) {
        Prepare prepare = new Prepare(terms.generation(), ballot);
        return to.stream().sorted().map(each -> new Sending(each, prepare)).toList();
    }

    /** Processes the answer to a request of this round. */
    Step on(PartitionId from, AcceptorRequest request, AcceptorAnswer given) {
        AcceptorAnswer answer = readable(given);
        if (phase instanceof Preparing preparing
                && request instanceof Prepare prepare
                && prepare.ballot().equals(ballot)) {
            return invalidation(answer).prepared(with(preparing.answers(), from, answer));
        }
        if (phase instanceof Accepting accepting
                && request instanceof Accept accept
                && accept.ballot().equals(ballot)) {
            return invalidation(answer).accepted(accepting, with(accepting.answers(), from, answer));
        }
        return invalidation(answer).stay();
    }

    private Round invalidation(AcceptorAnswer answer) {
        long promised = answer instanceof Behind behind ? behind.promise().counter() : 0;
        return promised <= seen ? this : new Round(update, terms, ballot, promised, phase, asked, wasSent, known);
    }

    /** Following a promise that is far too high would spread it to other instances, and ballots have a maximum. */
    private AcceptorAnswer readable(AcceptorAnswer answer) {
        return answer instanceof Behind behind && !behind.promise().isInReachOf(seen)
                ? new Silent("it has promised a ballot that is out of reach")
                : answer;
    }

    private static Map<PartitionId, AcceptorAnswer> with(
            Map<PartitionId, AcceptorAnswer> answers, PartitionId from, AcceptorAnswer answer) {
        Map<PartitionId, AcceptorAnswer> all = new TreeMap<>(answers);
        // A promise or acceptance stays valid, whatever the answer to a repeated request.
        all.merge(from, answer, (before, now) -> now instanceof Promised || now instanceof Accepted ? now : before);
        return all;
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private Round in(Phase next) {
        return new Round(update, terms, ballot, seen, next, asked, wasSent, known);
    }

    private Round over(RegisterAnswer answer) {
        return in(new Over(answer));
    }

    private Step prepared(Map<PartitionId, AcceptorAnswer> answers) {
        Promises all = Promises.of(answers, known);
        RegisterValue value = all.value();
        if (value == null) {
            return waitOrEnd(new Preparing(answers), answers);
        }
        Promises counted = withoutLone(all, this::isQuorum);
        if (counted.by().size() == all.by().size()) {
            if (!isQuorum(all.all(), value)) {
                return asking(value, answers);
            }
            if (all.isLone() && !value.equals(known) && !answers.keySet().containsAll(asked)) {
                return in(new Preparing(answers)).stay();
            }
        }
        RegisterValue last = Objects.requireNonNull(counted.value());
        return last.equals(known) || isDecided(counted.together(), last) ? decide(last) : accepting(last, null);
    }

    private boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value) {
        return terms.rules().isQuorum(accepting, value, known != null)
                && terms.rules().isBelieved(accepting, known, terms.voters());
    }

    private boolean isDecided(Set<Voters.Voter> accepting, RegisterValue value) {
        return terms.rules().isDecided(accepting, value, known != null)
                && terms.rules().isBelieved(accepting, known, terms.voters());
    }

    /**
     * Returns the promises without the only one that shows the highest value, if the others form a quorum. That is as
     * if its instance had not answered; so a value shown by one instance, which may be forged, has no effect.
     */
    private static Promises withoutLone(Promises all, BiPredicate<Set<Voters.Voter>, RegisterValue> isQuorum) {
        if (!all.isLone()) {
            return all;
        }
        Promises others = all.withoutHighest();
        RegisterValue value = others.value();
        return value != null && isQuorum.test(others.all(), value) ? others : all;
    }

    private Step asking(RegisterValue value, Map<PartitionId, AcceptorAnswer> answers) {
        Set<PartitionId> others = new TreeSet<>(value.acceptors());
        others.removeAll(asked);
        if (others.isEmpty()) {
            return waitOrEnd(new Preparing(answers), answers);
        }
        Set<PartitionId> all = new TreeSet<>(asked);
        all.addAll(others);
        Round wider = new Round(update, terms, ballot, seen, new Preparing(answers), all, wasSent, known);
        return new Step(wider, wider.prepares(others));
    }

    /** The promises of instances, with the values that they have accepted. */
    private record Promises(
            Map<PartitionId, Promised> by, @Nullable RegisterValue known) {
        /**
         * Repeatedly removes contradictory promises with the highest ballot: of a value older than a decided one, and,
         * if there are several values under that ballot, all but the most frequent one.
         */
        static Promises of(Map<PartitionId, ? extends AcceptorAnswer> answers, @Nullable RegisterValue known) {
            Map<PartitionId, Promised> by = new TreeMap<>();
            answers.forEach((instance, answer) -> {
                if (answer instanceof Promised promised) {
                    by.put(instance, promised);
                }
            });
            boolean isLess = true;
            while (isLess) {
                isLess = by.values().removeAll(contradicted(by.values(), known));
            }
            return new Promises(by, known);
        }

        private static List<Promised> contradicted(Collection<Promised> all, @Nullable RegisterValue known) {
            Ballot highest = highest(all);
            Map<RegisterValue, Long> shown = all.stream()
                    .filter(promised -> promised.ballot().equals(highest) && promised.value() != null)
                    .collect(Collectors.groupingBy(
                            promised -> Objects.requireNonNull(promised.value()), Collectors.counting()));
            return all.stream()
                    .filter(promised -> {
                        RegisterValue value = promised.value();
                        return value != null
                                && promised.ballot().equals(highest)
                                && (isOlder(value, known)
                                        || shown.entrySet().stream()
                                                .anyMatch(
                                                        other -> !other.getKey().equals(value)
                                                                && other.getValue() >= shown.getOrDefault(value, 0L)));
                    })
                    .toList();
        }

        private static boolean isOlder(RegisterValue value, @Nullable RegisterValue known) {
            return known != null
                    && (value.sequence() < known.sequence()
                            || (value.sequence() == known.sequence() && !value.equals(known)));
        }

        private static Ballot highest(Collection<Promised> all) {
            return all.stream()
                    .filter(promised -> promised.value() != null)
                    .map(Promised::ballot)
                    .max(Comparator.naturalOrder())
                    .orElse(Ballot.NONE);
        }

        @Nullable
        RegisterValue value() {
            return onTop().map(promised -> promised.getValue().value())
                    .findFirst()
                    .orElse(null);
        }

        private Stream<Map.Entry<PartitionId, Promised>> onTop() {
            Ballot highest = highest(by.values());
            return by.entrySet().stream()
                    .filter(promised -> promised.getValue().value() != null
                            && promised.getValue().ballot().equals(highest));
        }

        boolean isLone() {
            return onTop().count() == 1;
        }

        Promises withoutHighest() {
            Map<PartitionId, Promised> others = new TreeMap<>(by);
            others.entrySet().removeAll(onTop().toList());
            return of(others, known);
        }

        Set<Voters.Voter> all() {
            return lives(by.entrySet().stream());
        }

        Set<Voters.Voter> together() {
            return lives(onTop());
        }

        private static Set<Voters.Voter> lives(Stream<Map.Entry<PartitionId, Promised>> of) {
            return of.map(promised -> new Voters.Voter(
                            promised.getKey(), promised.getValue().incarnation()))
                    .collect(Collectors.toSet());
        }
    }

    /** Continues from a decided value. No later value can have been decided under a lower ballot than this round's. */
    private Step decide(RegisterValue value) {
        DecidedValue decided = new DecidedValue(terms.generation(), value);
        RegisterValue.Trace trace = value.traceOf(update.operation(), update.since());
        if (trace == RegisterValue.Trace.MADE) {
            long version = value.operation(update.operation()).orElseThrow().version();
            return over(new RegisterAnswer.Ok(version, decided)).stay();
        }
        if (wasSent && trace == RegisterValue.Trace.FORGOTTEN) {
            return over(new RegisterAnswer.Unknown(
                            "more than %d changes were made since, and the register remembers no more"
                                    .formatted(RegisterValue.MOST_OPERATIONS)))
                    .stay();
        }
        Update.Verdict verdict = update.on(decided);
        if (verdict instanceof Update.Verdict.Next next) {
            return terms.isHeld() ? in(new Ready(next.value())).stay() : accepting(next.value(), okOf(next.value()));
        }
        RegisterAnswer no = ((Update.Verdict.No) verdict).answer();
        return terms.rules().mayDeny(wasSent) ? over(no).stay() : accepting(value, no);
    }

    private RegisterAnswer okOf(RegisterValue value) {
        return new RegisterAnswer.Ok(value.version(), new DecidedValue(terms.generation(), value));
    }

    private Step accepting(RegisterValue value, @Nullable RegisterAnswer then) {
        boolean isOwn = then instanceof RegisterAnswer.Ok;
        Round accepting = new Round(
                update, terms, ballot, seen, new Accepting(value, then, Map.of()), asked, wasSent || isOwn, known);
        return new Step(
                accepting,
                value.acceptors().stream()
                        .map(each -> new Sending(each, Accept.at(each, terms.generation(), ballot, value)))
                        .toList());
    }

    private Step accepted(Accepting accepting, Map<PartitionId, AcceptorAnswer> answers) {
        Set<Voters.Voter> lives = new HashSet<>();
        answers.forEach((instance, answer) -> {
            if (answer instanceof Accepted accepted) {
                lives.add(new Voters.Voter(instance, accepted.incarnation()));
            }
        });
        RegisterValue value = accepting.value();
        if (!isQuorum(lives, value)) {
            return waitOrEnd(new Accepting(value, accepting.then(), answers), answers);
        }
        return accepting.then() == null
                ? new Round(update, terms, ballot, seen, phase, asked, wasSent, value).again()
                : over(accepting.then()).stay();
    }

    /** Without a quorum, waits while answers are missing. */
    private Step waitOrEnd(Phase waiting, Map<PartitionId, AcceptorAnswer> answers) {
        Set<PartitionId> expected =
                waiting instanceof Accepting accepting ? accepting.value().acceptors() : asked;
        if (!answers.keySet().containsAll(expected)) {
            return in(waiting).stay();
        }
        return answers.values().stream().anyMatch(Behind.class::isInstance)
                ? in(new Outbid()).stay()
                : over(failure("too few of those who decide have answered", answers))
                        .stay();
    }

    private RegisterAnswer failure(String why, Map<PartitionId, AcceptorAnswer> answers) {
        RegisterValue value = Promises.of(answers, known).value();
        Set<PartitionId> unreachable = answers.entrySet().stream()
                .filter(answer -> answer.getValue() instanceof Silent)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Set<PartitionId> lost = answers.entrySet().stream()
                .filter(answer -> isWithoutVote(answer.getKey(), answer.getValue(), value))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        RegisterAnswer.Unavailable unavailable = new RegisterAnswer.Unavailable(lost, unreachable, why);
        return wasSent ? new RegisterAnswer.Unknown(unavailable.toString()) : unavailable;
    }

    private static boolean isWithoutVote(PartitionId from, AcceptorAnswer answer, @Nullable RegisterValue value) {
        if (answer instanceof Promised promised) {
            return value == null
                    || List.of(value.voters(), value.previous()).stream()
                            .noneMatch(list -> list.incarnationAt(from)
                                    .filter(promised.incarnation()::equals)
                                    .isPresent());
        }
        return !(answer instanceof Accepted || answer instanceof Behind || answer instanceof Silent);
    }

    @Nullable
    RegisterAnswer answer() {
        return phase instanceof Over over ? over.answer() : null;
    }

    boolean isReady() {
        return phase instanceof Ready;
    }

    boolean isOutbid() {
        return phase instanceof Outbid;
    }

    /**
     * Returns the value that a quorum has accepted under one ballot, according to these views; null if there is none.
     * {@code known} is the newest value known to be decided; {@code voters} are believed while there is none.
     */
    static @Nullable RegisterValue decidedBy(
            Map<PartitionId, AcceptorAnswer.Viewed> views,
            Generation generation,
            @Nullable RegisterValue known,
            Set<PartitionId> voters,
            RoundRules rules) {
        Map<PartitionId, AcceptorAnswer> answers = new TreeMap<>();
        views.forEach((instance, view) -> {
            if (view.livesIn(generation)) {
                answers.put(instance, new Promised(view.incarnation(), view.ballot(), view.value()));
            }
        });
        BiPredicate<Set<Voters.Voter>, RegisterValue> isQuorum = (accepting, value) ->
                rules.isQuorum(accepting, value, known != null) && rules.isBelieved(accepting, known, voters);
        Promises promises = withoutLone(Promises.of(answers, known), isQuorum);
        RegisterValue value = promises.value();
        return value != null
                        && isQuorum.test(promises.all(), value)
                        && rules.isDecided(promises.together(), value, known != null)
                        && rules.isBelieved(promises.together(), known, voters)
                ? value
                : null;
    }
}
