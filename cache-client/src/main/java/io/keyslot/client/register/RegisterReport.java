// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.slot.PartitionId;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that the instances show at one time.
 *
 * @param views of those that answer
 * @param silent those that do not, and why
 */
public record RegisterReport(Map<PartitionId, Viewed> views, Map<PartitionId, String> silent) {
    public RegisterReport {
        views = Map.copyOf(views);
        silent = Map.copyOf(silent);
    }

    /** Returns the newest decided value of which there is a copy. */
    public Optional<DecidedValue> copy() {
        DecidedValue newest = null;
        for (Viewed view : views.values()) {
            DecidedValue copy = view.copy();
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

    /** Returns the newest generation of which there is a value. */
    Optional<RegisterGeneration> generation() {
        Optional<RegisterGeneration> ofCopy = copy().map(DecidedValue::generation);
        return views.values().stream()
                .filter(view -> view.value() != null)
                .map(Viewed::generation)
                .filter(generation -> generation != null
                        && ofCopy.map(copy -> generation.number() > copy.number())
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

    /** Returns the electors by the newest copy that have no life in its generation. */
    public Set<PartitionId> lost() {
        Optional<DecidedValue> copy = copy();
        return copy.map(decided -> decided.value().electors().lives().entrySet().stream()
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
