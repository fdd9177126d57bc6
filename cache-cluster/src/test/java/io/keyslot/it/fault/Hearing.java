// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the listeners of processes heard with what their threads did: each acknowledged change of a process was
 * heard by it once, before the call returned; nothing else was, unless a call of unknown outcome explains it; and what was
 * heard of a key is in the order of its changes.
 *
 * <p>For histories of {@link RegisterScript}, in which nothing is stored twice under one key. So a value names the change
 * that stored it, and there is at most one change that replaces or removes it: the changes of a key are a chain.
 */
final class Hearing {
    private final List<String> findings = new ArrayList<>();

    private Hearing() {}

    private record Place(String process, String key) {}

    /**
     * Returns a sentence for each finding.
     *
     * @param heard the events of each process in the order in which it heard them
     */
    static List<String> check(List<Operation> history, List<Heard> heard) {
        Hearing invalidation = new Hearing();
        Map<Place, List<Heard>> events =
                heard.stream().collect(Collectors.groupingBy(event -> new Place(event.process(), event.key())));
        Map<Place, List<Operation>> changes = history.stream()
                .filter(Hearing::mayBeHeard)
                .collect(Collectors.groupingBy(change -> new Place(change.process(), change.key())));
        events.keySet().forEach(place -> changes.putIfAbsent(place, List.of()));
        changes.forEach((place, ofPlace) -> {
            List<Heard> here = events.getOrDefault(place, List.of());
            invalidation.match(ofPlace, new ArrayList<>(here));
            invalidation.checkOrder(here);
        });
        heard.stream()
                .collect(Collectors.groupingBy(Heard::key, TreeMap::new, Collectors.toList()))
                .values()
                .forEach(invalidation::checkChain);
        return invalidation.findings;
    }

    private static boolean mayBeHeard(Operation operation) {
        return switch (operation.outcome()) {
            case FAILED -> false;
            case UNKNOWN -> !operation.action().isRead();
            case OK -> hasChanged(operation);
        };
    }

    private static boolean hasChanged(Operation operation) {
        return switch (operation.action()) {
            case PUT, GET_AND_PUT, EXCHANGE, INCREMENT -> true;
            case PUT_IF_ABSENT, REPLACE, REPLACE_EXPECTED, REMOVE, REMOVE_EXPECTED ->
                Boolean.TRUE.equals(operation.result());
            case GET_AND_REPLACE, GET_AND_REMOVE, TAKE -> operation.result() != null;
            case GET, READ_THROUGH, CONTAINS -> false;
            case GET_OR_LOAD, DELETE, DELETE_PRESENT ->
                throw new IllegalArgumentException("Whether it was a change is not known: " + operation);
        };
    }

    /** Those that say what they changed choose first, then those that ended first. */
    private void match(List<Operation> changes, List<Heard> left) {
        Predicate<Operation> isVague = change -> change.action() == Action.REMOVE;
        List<Operation> acknowledged = changes.stream()
                .filter(change -> change.outcome() == Outcome.OK)
                .sorted(Comparator.comparing(isVague::test).thenComparingLong(Operation::end))
                .toList();
        for (Operation change : acknowledged) {
            if (!takeOne(left, event -> isOf(change, event))) {
                findings.add("not heard before it returned: %s".formatted(change));
            }
        }
        for (Operation change : changes) {
            if (change.outcome() == Outcome.UNKNOWN) {
                takeOne(left, event -> isOf(change, event));
            }
        }
        left.forEach(event -> findings.add("heard, and not done, or heard before: %s".formatted(event)));
    }

    private static boolean takeOne(List<Heard> left, Predicate<Heard> choice) {
        for (Heard event : left) {
            if (choice.test(event)) {
                return left.remove(event);
            }
        }
        return false;
    }

    private static boolean isOf(Operation change, Heard event) {
        boolean isKnown = change.outcome() == Outcome.OK;
        if (event.at() < change.start() || (isKnown && event.at() > change.end())) {
            return false;
        }
        return switch (change.action()) {
            case REMOVE -> event.after() == null;
            case REMOVE_EXPECTED -> event.after() == null && isSame(change.expected(), event.before());
            case GET_AND_REMOVE, TAKE -> event.after() == null && (!isKnown || isSame(change.result(), event.before()));
            case INCREMENT -> event.after() != null && (!isKnown || isSame(change.result(), event.after()));
            case GET_AND_PUT, EXCHANGE, GET_AND_REPLACE ->
                isSame(change.argument(), event.after()) && (!isKnown || isSame(change.result(), event.before()));
            case REPLACE_EXPECTED ->
                isSame(change.argument(), event.after()) && isSame(change.expected(), event.before());
            case PUT_IF_ABSENT -> isSame(change.argument(), event.after()) && event.before() == null;
            default -> isSame(change.argument(), event.after());
        };
    }

    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other);
    }

    /** What replaced a value is not heard before what stored it. */
    private void checkOrder(List<Heard> ofPlace) {
        Set<Long> replaced = new HashSet<>();
        for (Heard event : ofPlace) {
            if (event.after() != null && replaced.contains(event.after())) {
                findings.add("heard after what replaced it: %s".formatted(event));
            }
            if (event.before() != null) {
                replaced.add(event.before());
            }
        }
    }

    /** Nothing is replaced twice, by whatever processes. */
    private void checkChain(List<Heard> ofKey) {
        Set<Long> replaced = new HashSet<>();
        for (Heard event : ofKey) {
            if (event.before() != null && !replaced.add(event.before())) {
                findings.add("replaces what another change had replaced: %s".formatted(event));
            }
        }
    }
}
