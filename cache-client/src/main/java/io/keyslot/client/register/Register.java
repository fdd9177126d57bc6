// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

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
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A register over instances: sends what {@link Round} and {@link Formation} say, and takes the answers. Safe for use by
 * several threads. No method throws or blocks; every future is completed within a bounded time, and never exceptionally.
 *
 * <p>It knows nothing between two calls: what there is, it asks the instances.
 */
public final class Register {
    private static final int RANDOM_DIGITS = 16;

    /** So long after a change that others wait for its copies leave: what follows from it at once is not kept from a processor. */
    private static final Duration COPIES_BEHIND = Duration.ofMillis(5);

    /** Whoever finds those who decide apart more often ends what has put them apart. */
    private static final int MOST_CHECKS = 6;

    private static final Duration LONGEST_CHECK_INTERVAL = Duration.ofMillis(50);

    private final Supplier<Set<PartitionId>> instances;
    private final Acceptors acceptors;
    private final RandomGenerator random;
    private final Pauses pauses;
    private volatile RegisterReport.Trust trusted = RegisterReport.Trust.NONE;
    private final String proposer;

    /**
     * Creates a register.
     *
     * @param instances those that there are now, with and without a vote
     * @param acceptors how one of them, or one that a value names, is asked
     * @param random used by several threads, as {@link java.util.Random} may be
     */
    public Register(
            Supplier<Set<PartitionId>> instances,
            Function<PartitionId, Acceptor> acceptors,
            RandomGenerator random,
            Pauses pauses) {
        this.instances = instances;
        this.acceptors = new Acceptors(acceptors);
        this.random = random;
        this.pauses = pauses;
        this.proposer = random();
    }

    private String random() {
        return ("%0" + RANDOM_DIGITS + "x").formatted(random.nextLong());
    }

    /** How time passes between two attempts. */
    @FunctionalInterface
    public interface Pauses {
        /** Runs the task after so many nanoseconds; returns false if it never will. */
        boolean after(long nanos, Runnable task);
    }

    /** Returns those that there are now. */
    public Set<PartitionId> instances() {
        return instances.get();
    }

    /** Believes from now on what a majority of these electors shows, and what is known: see {@link RegisterReport#copy}. */
    public void trust(Set<PartitionId> voters, @Nullable DecidedValue known) {
        trusted = new RegisterReport.Trust(voters, known);
    }

    /** Looks at all instances. */
    public CompletableFuture<RegisterReport> report() {
        return report(instances.get());
    }

    private CompletableFuture<RegisterReport> report(Set<PartitionId> all) {
        return acceptors.report(all, () -> trusted);
    }

    /**
     * Makes a change.
     *
     * @param wasSent whether an attempt to make it may have been begun before, by whomever: then it is denied only when it is
     *     certain that the earlier one never succeeds
     */
    public CompletableFuture<RegisterAnswer> change(Update update, boolean wasSent) {
        return report().thenCompose(seen -> changeBy(seen, update, wasSent));
    }

    /** As above, by a report of just now. */
    public CompletableFuture<RegisterAnswer> changeBy(RegisterReport report, Update update, boolean wasSent) {
        return widened(report).thenCompose(seen -> change(update, wasSent, seen));
    }

    /** A change for which those who decide have made way: one round trip is left. */
    @FunctionalInterface
    public interface Prepared {
        /** Makes it, once; if somebody else was faster meanwhile, in as many round trips as any other. */
        CompletableFuture<RegisterAnswer> make();
    }

    /**
     * Does all of a change that can be done before it is sent to anybody, by a report of just now. It may be left at that: then it
     * was never made. Other changes that are made meanwhile come first, and may speak against it.
     */
    public CompletableFuture<Prepared> prepare(RegisterReport report, Update update) {
        return widened(report).thenCompose(seen -> {
            Optional<RegisterGeneration> generation = seen.generation();
            if (generation.isEmpty()) {
                return CompletableFuture.completedFuture(() -> changeBy(seen, update, false));
            }
            Proposal proposal = proposal(update, terms(generation.get(), seen).held(), seen, false);
            return proposal.prepare().thenApply(ready -> () -> toldBehind(proposal.go()));
        });
    }

    /** Values may name instances that the configuration does not. */
    private CompletableFuture<RegisterReport> widened(RegisterReport seen) {
        Set<PartitionId> all = new TreeSet<>(instances.get());
        seen.generation().ifPresent(generation -> all.addAll(seen.acceptors(generation)));
        return all.equals(instances.get()) ? CompletableFuture.completedFuture(seen) : report(all);
    }

    private CompletableFuture<RegisterAnswer> change(Update update, boolean wasSent, RegisterReport seen) {
        Optional<RegisterGeneration> generation = seen.generation();
        if (generation.isEmpty()) {
            return CompletableFuture.completedFuture(
                    wasSent ? new RegisterAnswer.Unknown(noRegister(seen)) : unavailable(seen, noRegister(seen)));
        }
        Proposal proposal = proposal(update, terms(generation.get(), seen), seen, wasSent);
        return proposal.run().thenCompose(this::told);
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

    private Round.Terms terms(RegisterGeneration generation, RegisterReport seen) {
        return new Round.Terms(generation, proposer, RoundRules.ALL, seen.voters(), false);
    }

    private Proposal proposal(Update update, Round.Terms terms, RegisterReport seen, boolean wasSent) {
        RegisterGeneration generation = terms.generation();
        return new Proposal(
                acceptors,
                random,
                pauses,
                Round.begin(
                        update, terms, seen.acceptors(generation), seen.highest(), wasSent, seen.knownIn(generation)));
    }

    private static RegisterAnswer.Unavailable unavailable(RegisterReport seen, String why) {
        return new RegisterAnswer.Unavailable(seen.lost(), seen.silent().keySet(), why);
    }

    /**
     * As below; who waits for the answer has it a while before copies are on their way: what follows from it does not share servers
     * with them.
     */
    private CompletableFuture<RegisterAnswer> toldBehind(CompletableFuture<RegisterAnswer> made) {
        CompletableFuture<RegisterAnswer> answered = new CompletableFuture<>();
        CompletableFuture<RegisterAnswer> unused = made.whenComplete((answer, failure) -> {
            if (answer instanceof RegisterAnswer.Ok ok && ok.decided().value().isSettled()) {
                answered.complete(ok);
                if (!pauses.after(COPIES_BEHIND.toNanos(), () -> copy(ok.decided()))) {
                    copy(ok.decided());
                }
            } else if (answer != null) {
                CompletableFuture<Boolean> unusedAnswer = told(answer).thenApply(answered::complete);
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
     * Whatever is decided is copied to all, and nobody waits for that. A change of the electors is settled at once, when there are
     * copies: who does not know it believes nothing that is decided without those before it.
     */
    private CompletableFuture<RegisterAnswer> told(RegisterAnswer answer) {
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

    /** Settles a change of the electors, if nobody has done so yet. */
    public CompletableFuture<RegisterAnswer> settle(DecidedValue changed) {
        RegisterValue value = changed.value();
        return change(new Updates.Settle(value.sequence(), value.version()), true);
    }

    /** Gives all instances a copy of a decided value. Returns how many have it, or a newer one. */
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
     * Reads what is decided: nothing that was decided before this call is missed, and nothing that was sent before it, and is
     * not decided by then, ever will be. For that the value is written once more, unchanged.
     *
     * @return {@code Ok}, or why it is not known
     */
    public CompletableFuture<RegisterAnswer> read() {
        return change(new Updates.Resolve("read/" + random(), Long.MAX_VALUE), true)
                .thenApply(Register::asRead);
    }

    /**
     * Reads what is decided, by a report: nothing that was decided before the report was asked for is missed. What was sent before it may
     * be decided later still. As long as those who decide agree, nothing is written, and no change of another process is outbid; if
     * they do not for several looks, this is a {@link #read}.
     *
     * @return as {@code read}
     */
    public CompletableFuture<RegisterAnswer> look(RegisterReport report) {
        return look(report, MOST_CHECKS);
    }

    private CompletableFuture<RegisterAnswer> look(RegisterReport report, int checks) {
        return widened(report).thenCompose(seen -> {
            Optional<RegisterAnswer> decided = seen.decided()
                    .map(value -> new RegisterAnswer.Ok(value.value().version(), value));
            if (decided.isPresent()) {
                return CompletableFuture.completedFuture(decided.get());
            }
            return checks > 1 ? later(() -> report().thenCompose(next -> look(next, checks - 1))) : read();
        });
    }

    /** Whoever makes a change is over with it soon. */
    private CompletableFuture<RegisterAnswer> later(Supplier<CompletableFuture<RegisterAnswer>> next) {
        CompletableFuture<Void> paused = new CompletableFuture<>();
        if (!pauses.after(random.nextLong(LONGEST_CHECK_INTERVAL.toNanos()), () -> paused.complete(null))) {
            return next.get();
        }
        return paused.thenCompose(over -> next.get());
    }

    private static RegisterAnswer asRead(RegisterAnswer answer) {
        if (answer instanceof RegisterAnswer.NotMade none) {
            return new RegisterAnswer.Ok(none.decided().value().version(), none.decided());
        }
        return answer instanceof RegisterAnswer.Unknown unknown
                ? new RegisterAnswer.Unavailable(Set.of(), Set.of(), unknown.why())
                : answer;
    }

    /** Returns which copy one instance has, and who it is, without the value; empty if it does not answer. */
    public CompletableFuture<Optional<AcceptorAnswer.Peeked>> peek(PartitionId instance) {
        return acceptors
                .ask(instance, new AcceptorRequest.Peek())
                .thenApply(answer ->
                        answer instanceof AcceptorAnswer.Peeked peeked ? Optional.of(peeked) : Optional.empty());
    }

    /** As {@link #peek}, without who it is: one plain command. Empty also if it has no copy. */
    public CompletableFuture<Optional<Stamp>> glance(PartitionId instance) {
        return acceptors
                .ask(instance, new AcceptorRequest.Glance())
                .thenApply(answer -> answer instanceof AcceptorAnswer.Glanced glanced
                        ? Optional.ofNullable(glanced.copy())
                        : Optional.empty());
    }

    /** Gives one instance a copy of a decided value. */
    public CompletableFuture<AcceptorAnswer> copyTo(PartitionId instance, DecidedValue decided) {
        return acceptors.ask(instance, new AcceptorRequest.Copy(decided));
    }

    /**
     * Gives an elector that has lost its memory its vote back: it begins a life, and the others decide that this life votes. Does
     * no harm if it is not so, or if somebody else does it too.
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
                            : change(
                                    new Updates.ReturnVote(
                                            instance,
                                            before,
                                            incarnation.get(),
                                            copy.get().value().version()),
                                    true));
        });
    }

    /** Returns the life of an instance in a generation, which begins if there is none; empty if that cannot be. */
    public CompletableFuture<Optional<String>> incarnation(
            PartitionId instance, Viewed seen, RegisterGeneration generation) {
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
     * Begins the register, with a first value after the given one. Only an operator does: nothing is done if there is one
     * already, or if an elector does not answer.
     *
     * @param about what is to be known of the change, for people
     * @param version of what all know without a register
     * @param text of the first value, by its generation
     */
    public CompletableFuture<RegisterAnswer> form(
            String operation,
            String about,
            long version,
            Function<RegisterGeneration, String> text,
            Set<PartitionId> voters) {
        return report().thenCompose(seen -> {
            if (seen.isFormed()) {
                return CompletableFuture.completedFuture(
                        new RegisterAnswer.Invalid("there is a register already; nothing is begun"));
            }
            RegisterGeneration generation = new RegisterGeneration(1, random());
            RegisterValue before =
                    new RegisterValue(0, version, text.apply(generation), Voters.NONE, Voters.NONE, List.of());
            return form(generation, operation, about, before, voters, seen);
        });
    }

    /**
     * Begins another generation of a register that can decide nothing any more, because a majority of those who decide has
     * forgotten. Only an operator does. What was decided, and nobody who is asked has seen, is lost. {@code Unknown} if it has ended
     * half-way: nothing is decided until this is done again. A generation that was begun to its end is found then.
     *
     * @param about what is to be known of the change, for people
     * @param base the newest decided value that is known, from wherever
     * @param text of the next value, by the base
     * @param voters who decides from then on; they lose the lives that they have
     * @param mayBeGone electors of the old generation of which the operator says that they never come back
     */
    public CompletableFuture<RegisterAnswer> recover(
            String operation,
            String about,
            DecidedValue base,
            BiFunction<RegisterGeneration, RegisterValue, String> text,
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
            // One that has ended half-way may have begun lives in a generation that has no copy: this one is newer.
            RegisterGeneration next = seen.highestGeneration(base.generation()).next(random());
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

    /** While the old electors can decide, or enough of them may come back with their memory, there is nothing to recover. */
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
            RegisterGeneration generation,
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
                        // Copies are what tells others that all have taken the first value.
                        ? spread(ok.decided()).thenApply(count -> answer)
                        : CompletableFuture.completedFuture(answer));
    }
}
