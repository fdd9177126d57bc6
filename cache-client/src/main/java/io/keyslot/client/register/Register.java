// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.register.AcceptorAnswer.Begun;
import io.keyslot.client.register.AcceptorAnswer.Incarnations;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A register over instances: executes {@link Round} and {@link Formation}. It keeps no state between calls, and reads
 * the instances instead. Thread-safe. No method throws or blocks; every future completes within a bounded time, and
 * never exceptionally.
 */
public final class Register {
    private static final int RANDOM_DIGITS = 16;

    /** The delay of the copies of an urgent change, so that they do not compete with the work that follows from it. */
    private static final Duration COPIES_BEHIND = Duration.ofMillis(5);

    private final Supplier<Set<PartitionId>> instances;
    private final Acceptors acceptors;
    private final Timing timing;
    private volatile RegisterReport.Trust trusted = RegisterReport.Trust.NONE;
    private final String proposer;

    /** Creates a register. */
    public Register(Supplier<Set<PartitionId>> instances, Function<PartitionId, Acceptor> acceptors, Timing timing) {
        this.instances = instances;
        this.acceptors = new Acceptors(acceptors);
        this.timing = timing;
        this.proposer = random();
    }

    private String random() {
        return ("%0" + RANDOM_DIGITS + "x").formatted(timing.random().nextLong());
    }

    public Set<PartitionId> instances() {
        return instances.get();
    }

    /** Sets the voters whose majority is believed, and the known value; see {@link RegisterReport#copy}. */
    public void trust(Set<PartitionId> voters, @Nullable DecidedValue known) {
        trusted = new RegisterReport.Trust(voters, known);
    }

    public CompletableFuture<RegisterReport> report() {
        return report(instances.get());
    }

    private CompletableFuture<RegisterReport> report(Set<PartitionId> all) {
        return acceptors.report(all, () -> trusted);
    }

    /** Makes a change for the first time, on the basis of a current report. */
    public CompletableFuture<RegisterAnswer> change(RegisterReport report, Update update) {
        return widened(report).thenCompose(seen -> change(update, false, seen));
    }

    /**
     * Makes a change that any process may have attempted before. It fails only once it is certain that no earlier
     * attempt ever succeeds.
     */
    private CompletableFuture<RegisterAnswer> changeOnce(Update update) {
        return report().thenCompose(this::widened).thenCompose(seen -> change(update, true, seen));
    }

    /**
     * Prepares a change on the basis of a current report, without sending the change itself. One round trip
     * remains for the result, which makes the change and is called at most once. Changes made meanwhile come first, and may prevent it.
     */
    public CompletableFuture<Supplier<CompletableFuture<RegisterAnswer>>> prepare(
            RegisterReport report, Update update) {
        return widened(report).thenCompose(seen -> {
            Optional<Generation> generation = seen.generation();
            if (generation.isEmpty()) {
                return CompletableFuture.completedFuture(() -> change(seen, update));
            }
            Proposal proposal = proposal(update, terms(generation.get(), seen).held(), seen, false);
            return proposal.prepare().thenApply(ready -> () -> spreadLater(proposal.go()));
        });
    }

    /** Also reads instances that values name but the configuration does not. */
    private CompletableFuture<RegisterReport> widened(RegisterReport seen) {
        Set<PartitionId> all = new TreeSet<>(instances.get());
        seen.generation().ifPresent(generation -> all.addAll(seen.acceptors(generation)));
        return all.equals(instances.get()) ? CompletableFuture.completedFuture(seen) : report(all);
    }

    private CompletableFuture<RegisterAnswer> change(Update update, boolean wasSent, RegisterReport seen) {
        Optional<Generation> generation = seen.generation();
        if (generation.isEmpty()) {
            return CompletableFuture.completedFuture(
                    wasSent ? new RegisterAnswer.Unknown(noRegister(seen)) : unavailable(seen, noRegister(seen)));
        }
        Proposal proposal = proposal(update, terms(generation.get(), seen), seen, wasSent);
        return proposal.run().thenCompose(this::spread);
    }

    private static String noRegister(RegisterReport seen) {
        return seen.unconfirmed().isEmpty()
                ? "no instance that answers knows of a register"
                : ("%s shows a slot map that neither a majority of those who decide nor of the instances confirms: it may be"
                                + " forged, or the others have lost their memory")
                        .formatted(seen.unconfirmed().stream()
                                .map(PartitionId::name)
                                .sorted()
                                .collect(Collectors.joining(", ")));
    }

    private Round.Terms terms(Generation generation, RegisterReport seen) {
        return new Round.Terms(generation, proposer, RoundRules.ALL, seen.voters(), false);
    }

    private Proposal proposal(Update update, Round.Terms terms, RegisterReport seen, boolean wasSent) {
        Generation generation = terms.generation();
        return new Proposal(
                acceptors,
                timing,
                Round.begin(
                        update, terms, seen.acceptors(generation), seen.highest(), wasSent, seen.knownIn(generation)));
    }

    private static RegisterAnswer.Unavailable unavailable(RegisterReport seen, String why) {
        return new RegisterAnswer.Unavailable(seen.lost(), seen.silent().keySet(), why);
    }

    /**
     * Like {@link #spread}, but completes the answer before the copies are sent, so that the work that follows does not
     * compete with them for servers.
     */
    private CompletableFuture<RegisterAnswer> spreadLater(CompletableFuture<RegisterAnswer> made) {
        CompletableFuture<RegisterAnswer> answered = new CompletableFuture<>();
        CompletableFuture<RegisterAnswer> unused = made.whenComplete((answer, failure) -> {
            if (answer instanceof RegisterAnswer.Ok ok && ok.decided().value().isSettled()) {
                answered.complete(ok);
                if (timing.schedule(() -> copy(ok.decided()), COPIES_BEHIND.toNanos())
                        .isEmpty()) {
                    copy(ok.decided());
                }
            } else if (answer != null) {
                CompletableFuture<Boolean> unusedAnswer = spread(answer).thenApply(answered::complete);
            } else {
                answered.completeExceptionally(failure);
            }
        });
        return answered;
    }

    private void copy(DecidedValue decided) {
        CompletableFuture<Integer> unusedCount = spread(decided);
    }

    /**
     * Copies a decided value to all instances without waiting. A change of the voters is settled at once, after the
     * copies: a client that does not know of the change believes no value that was decided without the previous voters.
     */
    private CompletableFuture<RegisterAnswer> spread(RegisterAnswer answer) {
        if (!(answer instanceof RegisterAnswer.Ok ok)) {
            return CompletableFuture.completedFuture(answer);
        }
        CompletableFuture<Integer> copied = spread(ok.decided());
        return ok.decided().value().isSettled()
                ? CompletableFuture.completedFuture(answer)
                : copied.thenCompose(count -> settle(ok.decided()))
                        .thenApply(then -> then instanceof RegisterAnswer.Ok settled
                                ? new RegisterAnswer.Ok(ok.version(), settled.decided())
                                : ok);
    }

    /** Settles a change of the voters unless it is already settled. */
    public CompletableFuture<RegisterAnswer> settle(DecidedValue changed) {
        RegisterValue value = changed.value();
        return changeOnce(new Update.Settle(value.sequence(), value.version()));
    }

    public CompletableFuture<Integer> spread(DecidedValue decided) {
        Set<PartitionId> all = new TreeSet<>(instances.get());
        all.addAll(decided.value().acceptors());
        List<CompletableFuture<AcceptorAnswer>> answers = all.stream()
                .map(instance -> acceptors.ask(instance, new AcceptorRequest.Copy(decided)))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> (int) answers.stream()
                        .filter(answer -> Acceptors.valueOf(answer) instanceof AcceptorAnswer.Copied)
                        .count());
    }

    /**
     * Reads the decided value by a quorum: it includes everything decided before this call, and a value sent before this
     * call but not decided by then never will be. To ensure that, the value is written once more, unchanged. Answers
     * {@code Ok}, or why the value is unknown.
     */
    public CompletableFuture<RegisterAnswer> readQuorum() {
        return changeOnce(new Update.Resolve("read/" + random(), Long.MAX_VALUE))
                .thenApply(Register::asRead);
    }

    /**
     * Reads the decided value from a report: it includes everything decided before the report was requested, but a
     * value sent before may be decided later. While the voters agree, nothing is written and no other proposer is
     * outbid; if they disagree, this is {@link #readQuorum}.
     */
    public CompletableFuture<RegisterAnswer> readQuorum(RegisterReport report) {
        return widened(report)
                .thenCompose(seen -> seen.decided()
                        .<CompletableFuture<RegisterAnswer>>map(decided -> CompletableFuture.completedFuture(
                                new RegisterAnswer.Ok(decided.value().version(), decided)))
                        .orElseGet(this::readQuorum));
    }

    private static RegisterAnswer asRead(RegisterAnswer answer) {
        if (answer instanceof RegisterAnswer.NotMade none) {
            return new RegisterAnswer.Ok(none.decided().value().version(), none.decided());
        }
        return answer instanceof RegisterAnswer.Unknown unknown
                ? new RegisterAnswer.Unavailable(Set.of(), Set.of(), unknown.why())
                : answer;
    }

    /** Reads the stamp of an instance's copy and its incarnation; empty without an answer. It may be outdated. */
    public CompletableFuture<Optional<AcceptorAnswer.Stamped>> stampAt(PartitionId instance) {
        return acceptors
                .ask(instance, new AcceptorRequest.ReadStamp())
                .thenApply(answer ->
                        answer instanceof AcceptorAnswer.Stamped stamped ? Optional.of(stamped) : Optional.empty());
    }

    public CompletableFuture<AcceptorAnswer> copyTo(PartitionId instance, DecidedValue decided) {
        return acceptors.ask(instance, new AcceptorRequest.Copy(decided));
    }

    /**
     * Restores the vote of a voter that has lost its state: it starts an incarnation, and the others decide that this
     * incarnation votes. Harmless if the vote is not lost, or if another process does the same.
     */
    public CompletableFuture<RegisterAnswer> returnVote(PartitionId instance) {
        return report().thenCompose(seen -> {
            Optional<DecidedValue> copy = seen.copy();
            Viewed view = seen.views().get(instance);
            if (copy.isEmpty() || view == null || !seen.lost().contains(instance)) {
                return CompletableFuture.completedFuture(unavailable(seen, instance + " has lost no vote"));
            }
            String before = copy.get().value().voters().incarnationAt(instance).orElse("");
            return incarnation(instance, view, copy.get().generation())
                    .thenCompose(incarnation -> incarnation.isEmpty()
                            ? CompletableFuture.completedFuture(
                                    unavailable(seen, instance + " begins no life: it has changed, or does not answer"))
                            : changeOnce(new Update.ReturnVote(
                                    instance,
                                    before,
                                    incarnation.get(),
                                    copy.get().value().version())));
        });
    }

    /** Returns the incarnation of an instance in a generation, and starts one if there is none; empty if that fails. */
    public CompletableFuture<Optional<String>> incarnation(PartitionId instance, Viewed seen, Generation generation) {
        if (seen.livesIn(generation)) {
            return CompletableFuture.completedFuture(Optional.of(seen.incarnation()));
        }
        String expected = seen.isAlive() ? seen.mark() : AcceptorRequest.Begin.LOST;
        return acceptors
                .ask(instance, new AcceptorRequest.Begin(generation, random(), expected))
                .thenApply(answer -> answer instanceof Begun begun
                        ? Optional.of(begun.incarnation())
                        : answer instanceof Incarnations lives ? Optional.of(lives.incarnation()) : Optional.empty());
    }

    /**
     * Creates the register with a first value, of which all clients know the version without a register. Only an
     * operator does this; it fails if there is a register, or if a voter does not answer.
     */
    public CompletableFuture<RegisterAnswer> form(
            String operation, String about, long version, Function<Generation, String> text, Set<PartitionId> voters) {
        return report().thenCompose(seen -> {
            if (seen.isFormed()) {
                return CompletableFuture.completedFuture(
                        new RegisterAnswer.Invalid("there is a register already; nothing is begun"));
            }
            Generation generation = new Generation(1, random());
            RegisterValue before =
                    new RegisterValue(0, version, text.apply(generation), Voters.NONE, Voters.NONE, List.of());
            return form(generation, operation, about, before, voters, seen);
        });
    }

    /**
     * Starts another generation of a register that can no longer decide, because a majority of its voters has lost its
     * state. Only an operator does this. Decided values that no readable instance has are lost. {@code Unknown} means
     * that it ended halfway: nothing is decided until it is repeated. A generation that was completed is then found.
     * {@code base} is the newest known decided value, from any source; the present incarnations of the new voters end;
     * {@code mayBeGone} are voters of the old generation that never come back, according to the operator.
     */
    public CompletableFuture<RegisterAnswer> recover(
            String operation,
            String about,
            DecidedValue base,
            BiFunction<Generation, RegisterValue, String> text,
            Set<PartitionId> voters,
            Set<PartitionId> mayBeGone) {
        return report().thenCompose(this::widened).thenCompose(seen -> {
            Optional<DecidedValue> begun = seen.decided()
                    .filter(decided ->
                            decided.generation().number() > base.generation().number());
            if (begun.isPresent()) {
                return spread(begun.get())
                        .thenApply(count ->
                                new RegisterAnswer.Ok(begun.get().value().version(), begun.get()));
            }
            Optional<RegisterAnswer> objection =
                    objection(base, voters, mayBeGone, seen).or(() -> objection(voters, seen));
            if (objection.isPresent()) {
                return CompletableFuture.completedFuture(objection.get());
            }
            // An attempt that ended halfway may have started incarnations in a generation without a copy; this one is
            // newer.
            Generation next = seen.highestGeneration(base.generation()).next(random());
            RegisterValue value = base.value();
            RegisterValue before = new RegisterValue(
                    value.sequence(),
                    value.version(),
                    text.apply(next, value),
                    value.voters(),
                    value.previous(),
                    value.operations());
            return form(next, operation, about, before, voters, seen)
                    .thenApply(answer -> answer instanceof RegisterAnswer.Unavailable halfWay
                            ? new RegisterAnswer.Unknown(halfWay.toString())
                            : answer);
        });
    }

    /** Refuses while the old voters can decide, or enough of them may come back with their state. */
    private static Optional<RegisterAnswer> objection(
            DecidedValue base, Set<PartitionId> voters, Set<PartitionId> mayBeGone, RegisterReport seen) {
        if (seen.copy().filter(copy -> copy.stamp().isAfter(base.stamp())).isPresent()) {
            return Optional.of(new RegisterAnswer.Invalid("a newer map than the one to begin with is confirmed"));
        }
        Map<PartitionId, String> old = base.value().voters().lives();
        Set<PartitionId> living = old.entrySet().stream()
                .filter(voter -> {
                    Viewed view = seen.views().get(voter.getKey());
                    return view != null
                            && view.livesIn(base.generation())
                            && view.incarnation().equals(voter.getValue());
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (2 * living.size() > old.size()) {
            return Optional.of(new RegisterAnswer.Invalid(
                    "a majority of those who decide is alive: the register works, and nothing is to be recovered"));
        }
        long over = old.keySet().stream()
                .filter(voter -> voters.contains(voter)
                        || mayBeGone.contains(voter)
                        || (seen.views().containsKey(voter) && !living.contains(voter)))
                .count();
        return 2 * over > old.size()
                ? Optional.empty()
                : Optional.of(unavailable(
                        seen,
                        "too few of those who decided are seen lost, or named as gone for good: the others might decide"
                                + " once more when they come back"));
    }

    private static Optional<RegisterAnswer> objection(Set<PartitionId> voters, RegisterReport seen) {
        if (voters.size() % 2 == 0) {
            return Optional.of(
                    new RegisterAnswer.Invalid("an odd number of instances must decide, not " + voters.size()));
        }
        return seen.views().keySet().containsAll(voters)
                ? Optional.empty()
                : Optional.of(unavailable(seen, "all who are to decide must answer"));
    }

    private CompletableFuture<RegisterAnswer> form(
            Generation generation,
            String operation,
            String about,
            RegisterValue before,
            Set<PartitionId> voters,
            RegisterReport seen) {
        Optional<RegisterAnswer> objection = objection(voters, seen);
        if (objection.isPresent()) {
            return CompletableFuture.completedFuture(objection.get());
        }
        Map<PartitionId, Viewed> report = new TreeMap<>(seen.views());
        report.keySet().retainAll(voters);
        Forming forming = new Forming(
                acceptors,
                Formation.begin(new Formation.Terms(generation, proposer, random(), operation, about), before, report));
        return forming.run()
                .thenCompose(answer -> answer instanceof RegisterAnswer.Ok ok
                        // The copies show other clients that all voters have accepted the first value.
                        ? spread(ok.decided()).thenApply(count -> answer)
                        : CompletableFuture.completedFuture(answer));
    }

    /** Executes a {@link Formation}. Thread-safe. */
    private static final class Forming {
        private final Acceptors acceptors;
        private final CompletableFuture<RegisterAnswer> over = new CompletableFuture<>();
        private final Formation.Step first;
        private Formation formation; // guarded by this

        Forming(Acceptors acceptors, Formation.Step first) {
            this.acceptors = acceptors;
            this.first = first;
            this.formation = first.formation();
        }

        CompletableFuture<RegisterAnswer> run() {
            send(first.sendings());
            return over;
        }

        private void send(List<Round.Sending> sendings) {
            for (Round.Sending sending : sendings) {
                CompletableFuture<Void> unused =
                        acceptors.ask(sending.to(), sending.request()).thenAccept(answer -> take(sending, answer));
            }
        }

        private void take(Round.Sending sending, AcceptorAnswer answer) {
            Formation.Step step;
            synchronized (this) {
                step = formation.on(sending.to(), sending.request(), answer);
                formation = step.formation();
            }
            RegisterAnswer end = step.formation().answer();
            if (end != null) {
                over.complete(end);
            } else {
                send(step.sendings());
            }
        }
    }
}
