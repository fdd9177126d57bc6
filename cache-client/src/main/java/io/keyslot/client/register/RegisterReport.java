// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.slot.PartitionId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The states of the instances at one time, the reasons of those that did not answer, and what is believed of it. */
public record RegisterReport(Map<PartitionId, Viewed> views, Map<PartitionId, String> silent, Trust trust) {
    public RegisterReport {
        views = Map.copyOf(views);
        silent = Map.copyOf(silent);
    }

    /** The voters and the newest decided value that are known without reading instances. */
    public record Trust(Set<PartitionId> voters, @Nullable DecidedValue known) {
        static final Trust NONE = new Trust(Set.of(), null);

        public Trust {
            voters = Set.copyOf(voters);
        }
    }

    /** Returns the instances whose state is not believed: regular clients cannot have written it. */
    public Set<PartitionId> unconfirmed() {
        return views.entrySet().stream()
                .filter(view -> isDoubted(view.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private boolean isDoubted(Viewed view) {
        DecidedValue copy = view.copy();
        boolean isOlder = copy != null
                && copy().filter(newest -> newest.stamp().isAfter(copy.stamp())).isPresent();
        return (copy != null && !isOlder && !isConfirmed(copy))
                || !view.promise().isInReachOf(highest().counter())
                || !view.ballot().isInReachOf(highest().counter())
                || isDoubted(view.generation(), view.value());
    }

    /**
     * An accepted value is plausible if it is the known one or its successor by the known voters, or if a majority
     * shows it.
     */
    private boolean isDoubted(@Nullable Generation generation, @Nullable RegisterValue accepted) {
        DecidedValue known = copy().orElse(null);
        if (known == null
                || generation == null
                || accepted == null
                || generation.number() < known.generation().number()
                || (generation.equals(known.generation())
                        && accepted.sequence() < known.value().sequence())) {
            return false;
        }
        Set<PartitionId> voters = known.value().voters().instances();
        boolean isLikeKnown = generation.equals(known.generation())
                && (accepted.equals(known.value())
                        || (accepted.sequence() > known.value().sequence()
                                && accepted.previous().instances().equals(voters)));
        return !isLikeKnown && !isMajority(voters, witness -> shows(witness, new DecidedValue(generation, accepted)));
    }

    private boolean isConfirmed(DecidedValue copy) {
        return copy.equals(trust.known()) || isMajority(trust.voters(), witness -> shows(witness, copy));
    }

    private boolean isMajority(Set<PartitionId> voters, Predicate<Viewed> witnesses) {
        long ofVoters = voters.stream()
                .map(views::get)
                .filter(view -> view != null && witnesses.test(view))
                .count();
        long ofAll = views.values().stream().filter(witnesses).count();
        return 2 * ofVoters > voters.size() || 2 * ofAll > views.size();
    }

    private static boolean shows(Viewed witness, DecidedValue decided) {
        return decided.equals(witness.copy())
                || (decided.value().equals(witness.value())
                        && decided.generation().equals(witness.generation()));
    }

    /**
     * Returns the newest decided value that is known or has a confirmed copy. A client that can write at one instance
     * can forge its whole state. So a copy is confirmed only if a majority of the voters, or of the instances that
     * answered, have accepted its value or have a copy of it.
     */
    public Optional<DecidedValue> copy() {
        DecidedValue newest = trust.known();
        for (Viewed view : views.values()) {
            DecidedValue copy = view.copy();
            if (copy != null
                    && (newest == null
                            || copy.stamp().isAfter(newest.stamp())
                            || copy.stamp().isRivalOf(newest.stamp()))
                    && isConfirmed(copy)) {
                newest = copy;
            }
        }
        return Optional.ofNullable(newest);
    }

    public Optional<DecidedValue> anyCopy() {
        return views.values().stream()
                .map(Viewed::copy)
                .flatMap(Stream::ofNullable)
                .reduce((one, other) -> other.stamp().isAfter(one.stamp()) ? other : one);
    }

    Set<PartitionId> voters() {
        return copy().map(decided -> decided.value().voters().instances()).orElse(trust.voters());
    }

    /** Returns the newest value that is shown as decided, by a copy or by the voters. A newer one may exist. */
    public Optional<DecidedValue> newest() {
        Optional<DecidedValue> copy = copy();
        return copy.flatMap(decided -> decidedIn(decided.generation())).or(() -> copy);
    }

    /**
     * Returns the value that a quorum of the voters has accepted last, under one ballot. It includes everything decided
     * before the first voter was asked. Empty if they disagree at the moment, or too few answered.
     */
    public Optional<DecidedValue> decided() {
        return generation().flatMap(this::decidedIn);
    }

    private Optional<DecidedValue> decidedIn(Generation generation) {
        return Optional.ofNullable(Round.decidedBy(views, generation, knownIn(generation), voters(), RoundRules.ALL))
                .map(value -> new DecidedValue(generation, value));
    }

    /** Returns the newest value of a generation that is known to be decided, null if there is none. */
    @Nullable
    RegisterValue knownIn(Generation generation) {
        return copy().filter(copy -> copy.generation().equals(generation))
                .map(DecidedValue::value)
                .orElse(null);
    }

    public boolean isFormed() {
        return views.values().stream().anyMatch(view -> view.copy() != null || view.value() != null);
    }

    /** Returns the newest generation that has a confirmed copy, or in which a majority has a value. */
    Optional<Generation> generation() {
        Optional<Generation> ofCopy = copy().map(DecidedValue::generation);
        Set<PartitionId> voters = voters();
        return views.values().stream()
                .filter(view -> view.value() != null)
                .map(Viewed::generation)
                .filter(generation -> generation != null
                        && ofCopy.map(known -> generation.number() > known.number())
                                .orElse(true)
                        && isMajority(voters, view -> generation.equals(view.generation())))
                .max(Comparator.comparingLong(Generation::number))
                .or(() -> ofCopy);
    }

    /**
     * Returns the newest generation of any instance, with or without a value; the known one if there is no newer one.
     */
    Generation highestGeneration(Generation known) {
        return views.values().stream()
                .map(Viewed::generation)
                .filter(generation -> generation != null && generation.isInReachAfter(known))
                .max(Comparator.comparingLong(Generation::number))
                .orElse(known);
    }

    /** Returns the highest promised ballot within reach of the median of the voters' promises. */
    Ballot highest() {
        Set<PartitionId> voters = voters();
        List<Ballot> promised = views.entrySet().stream()
                .filter(view -> voters.isEmpty() || voters.contains(view.getKey()))
                .map(view -> view.getValue().promise())
                .sorted()
                .toList();
        Ballot middle = promised.isEmpty() ? Ballot.NONE : promised.get((promised.size() - 1) / 2);
        return promised.stream()
                .filter(ballot -> ballot.isInReachOf(middle.counter()))
                .reduce(middle, (lower, higher) -> higher);
    }

    /** Returns the voters of any value that is shown, or of the known one. */
    Set<PartitionId> acceptors(Generation generation) {
        Set<PartitionId> accepting = new TreeSet<>(voters());
        RegisterValue known = knownIn(generation);
        if (known != null) {
            accepting.addAll(known.acceptors());
        }
        views.values().stream()
                .filter(view -> view.livesIn(generation))
                .map(Viewed::value)
                .filter(value -> value != null)
                .forEach(value -> accepting.addAll(value.acceptors()));
        return accepting;
    }

    /** Returns the voters without their incarnation, by the newest copy, preferably a confirmed one. */
    public Set<PartitionId> lost() {
        return copy().or(this::anyCopy)
                .map(decided -> decided.value().voters().lives().entrySet().stream()
                        .filter(voter -> isLost(voter.getKey(), voter.getValue(), decided.generation()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    private boolean isLost(PartitionId instance, String incarnation, Generation generation) {
        Viewed view = views.get(instance);
        return view != null && (!view.livesIn(generation) || !view.incarnation().equals(incarnation));
    }
}
