// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.slot.PartitionId;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that the instances show at one time.
 *
 * @param views of those that answer
 * @param silent those that do not, and why
 * @param unconfirmed those whose copy is not believed: see {@link #confirmedBy}
 */
public record RegisterReport(
        Map<PartitionId, Viewed> views, Map<PartitionId, String> silent, Set<PartitionId> unconfirmed) {
    public RegisterReport {
        views = Map.copyOf(views);
        silent = Map.copyOf(silent);
        unconfirmed = Set.copyOf(unconfirmed);
    }

    public RegisterReport(Map<PartitionId, Viewed> views, Map<PartitionId, String> silent) {
        this(views, silent, Set.of());
    }

    /**
     * Returns the same report, in which a copy counts only if more than one instance shows it: a client that can write at one
     * instance can forge all that this instance shows. A copy is confirmed if it is no newer than what is known, or if a majority of
     * the electors, or a majority of the instances that answer, have accepted its value, or have a copy of it, or of a newer one.
     *
     * @param electors who decides by what is known
     * @param known the newest decided value that is known, null if there is none
     */
    RegisterReport confirmedBy(Set<PartitionId> electors, @Nullable Stamp known) {
        Set<PartitionId> doubted = views.entrySet().stream()
                .filter(view -> {
                    DecidedValue copy = view.getValue().copy();
                    return copy != null
                            && (known == null || copy.stamp().isAfter(known))
                            && !isMajority(electors, witness -> shows(witness, copy));
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return new RegisterReport(views, silent, doubted);
    }

    private boolean isMajority(Set<PartitionId> electors, Predicate<Viewed> witnesses) {
        long ofElectors = electors.stream()
                .map(views::get)
                .filter(view -> view != null && witnesses.test(view))
                .count();
        long ofAll = views.values().stream().filter(witnesses).count();
        return 2 * ofElectors > electors.size() || 2 * ofAll > views.size();
    }

    private static boolean shows(Viewed witness, DecidedValue decided) {
        DecidedValue copy = witness.copy();
        RegisterValue accepted = witness.value();
        boolean hasCopy = copy != null
                && copy.generation().equals(decided.generation())
                && copy.value().sequence() >= decided.value().sequence();
        return hasCopy
                || (accepted != null
                        && decided.generation().equals(witness.generation())
                        && accepted.sequence() >= decided.value().sequence());
    }

    /** Returns the newest decided value of which there is a confirmed copy. */
    public Optional<DecidedValue> copy() {
        return newestCopy(unconfirmed);
    }

    /** Returns the newest value of which there is a copy, be it confirmed or not. */
    public Optional<DecidedValue> anyCopy() {
        return newestCopy(Set.of());
    }

    private Optional<DecidedValue> newestCopy(Set<PartitionId> without) {
        DecidedValue newest = null;
        for (Map.Entry<PartitionId, Viewed> view : views.entrySet()) {
            DecidedValue copy =
                    without.contains(view.getKey()) ? null : view.getValue().copy();
            if (copy != null && (newest == null || copy.stamp().isAfter(newest.stamp()))) {
                newest = copy;
            }
        }
        return Optional.ofNullable(newest);
    }

    /** Returns the newest value that is shown as decided, by a copy or by those who decide. It need not be the newest one. */
    public Optional<DecidedValue> newest() {
        Optional<DecidedValue> copy = copy();
        if (copy.isEmpty()) {
            return copy;
        }
        Optional<DecidedValue> shown = decidedIn(copy.get().generation(), true);
        return shown.filter(
                        value -> value.value().sequence() > copy.get().value().sequence())
                .or(() -> copy);
    }

    /**
     * Returns the value that a quorum of those who decide has accepted last, under one ballot. Nothing that was decided before the
     * first of them was asked is missing in it. Empty if they do not agree at this time, or too few of them answer.
     */
    public Optional<DecidedValue> decided() {
        return generation()
                .flatMap(generation -> decidedIn(
                        generation,
                        copy().filter(copy -> copy.generation().equals(generation))
                                .isPresent()));
    }

    private Optional<DecidedValue> decidedIn(RegisterGeneration generation, boolean isFormed) {
        return Optional.ofNullable(Round.decidedBy(views, generation, isFormed, RoundRules.ALL))
                .map(value -> new DecidedValue(generation, value));
    }

    /** Returns whether there was ever a register here, as far as is shown. */
    public boolean isFormed() {
        return views.values().stream().anyMatch(view -> view.copy() != null || view.value() != null);
    }

    /** Returns the newest generation of which there is a value; beside a confirmed copy, one that a majority has a value of. */
    Optional<RegisterGeneration> generation() {
        Optional<DecidedValue> copy = copy();
        Optional<RegisterGeneration> ofCopy = copy.map(DecidedValue::generation);
        Set<PartitionId> electors =
                copy.map(decided -> decided.value().electors().instances()).orElse(Set.of());
        return views.values().stream()
                .filter(view -> view.value() != null)
                .map(Viewed::generation)
                .filter(generation -> generation != null
                        && ofCopy.map(known -> generation.number() > known.number()
                                        && isMajority(
                                                electors,
                                                view -> view.value() != null && generation.equals(view.generation())))
                                .orElse(true))
                .max(Comparator.comparingLong(RegisterGeneration::number))
                .or(() -> ofCopy);
    }

    /** Returns the newest generation in which an instance lives, with or without a value; this one if there is no newer one. */
    RegisterGeneration highestGeneration(RegisterGeneration known) {
        return views.values().stream()
                .map(Viewed::generation)
                .filter(generation -> generation != null && generation.number() > known.number())
                .max(Comparator.comparingLong(RegisterGeneration::number))
                .orElse(known);
    }

    Ballot highest() {
        return views.values().stream()
                .map(Viewed::promise)
                .max(Comparator.naturalOrder())
                .orElse(Ballot.NONE);
    }

    /** Returns those who decide by any value that is shown. */
    Set<PartitionId> voters(RegisterGeneration generation) {
        Set<PartitionId> voters = new TreeSet<>();
        copy().filter(copy -> copy.generation().equals(generation))
                .ifPresent(copy -> voters.addAll(copy.value().voters()));
        views.values().stream()
                .filter(view -> view.livesIn(generation))
                .map(Viewed::value)
                .filter(value -> value != null)
                .forEach(value -> voters.addAll(value.voters()));
        return voters;
    }

    /** Returns the electors by the newest copy, be it confirmed or not, that have no life in its generation. */
    public Set<PartitionId> lost() {
        return anyCopy()
                .map(decided -> decided.value().electors().lives().entrySet().stream()
                        .filter(elector -> isLost(elector.getKey(), elector.getValue(), decided.generation()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    private boolean isLost(PartitionId instance, String life, RegisterGeneration generation) {
        Viewed view = views.get(instance);
        return view != null && (!view.livesIn(generation) || !view.life().equals(life));
    }
}
