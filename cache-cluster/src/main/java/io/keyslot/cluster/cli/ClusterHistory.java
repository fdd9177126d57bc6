// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.catalogue.Catalogue.MapChange;
import io.keyslot.client.config.Counted;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of the past: how long each partition has been in its state, the last {@value #MOST_EVENTS} events,
 * and figures of 15 minutes. Thread-safe.
 */
final class ClusterHistory {
    static final Duration KEPT = Duration.ofMinutes(15);
    static final int MOST_EVENTS = 100;

    /** One query may be lost with its connection; a partition that does not answer the next one either is silent. */
    private static final int MOST_MISSED = 1;

    private static final double ALMOST_FULL = 0.95;

    private final Map<PartitionId, Sight> sights = new HashMap<>(); // all fields are guarded by this
    private final Deque<Event> events = new ArrayDeque<>(); // the newest first
    private final Deque<Figures> figures = new ArrayDeque<>(); // the oldest first
    private long newestChange = -1;
    private @Nullable Instant wellSince;

    enum State {
        /** There was no answer yet. */
        CONNECTING,
        ANSWERS,
        SILENT
    }

    /** A partition as it was last seen: {@code answered} is in 1970 before the first answer, {@code memory} null if silent. */
    record Sight(
            State state,
            Instant since,
            Instant answered,
            int missed,
            @Nullable MemoryUse memory) {}

    record Event(Instant at, String text) {}

    /**
     * What clients have reported and servers have answered at one moment; null is not known. Calls are per minute, of all
     * caches.
     */
    record Figures(
            Instant at,
            @Nullable CacheCalls calls,
            @Nullable Long p99Micros,
            @Nullable Long usedBytes,
            @Nullable Long clients) {}

    enum Level {
        WELL,
        UNKNOWN,
        WARNING,
        DOWN
    }

    /** The state of the cluster in a sentence of three parts: "p2 has been silent", since when, and what that costs. */
    record Health(Level level, String text, @Nullable Instant since, String cost) {}

    /** Notes the answers to one query of all partitions that clients use. */
    synchronized void observe(Map<MappedPartition, Reply<MemoryUse>> heartbeats, Instant now) {
        Map<PartitionId, Sight> before = Map.copyOf(sights);
        sights.clear(); // without partitions that are not in the map any more
        heartbeats.forEach((partition, reply) ->
                sights.put(partition.name(), next(partition.name(), before.get(partition.name()), reply, now)));
        boolean isWell = sights.values().stream().allMatch(sight -> sight.state() == State.ANSWERS);
        wellSince = isWell ? (wellSince == null ? now : wellSince) : null;
    }

    private Sight next(PartitionId name, @Nullable Sight before, Reply<MemoryUse> reply, Instant now) {
        if (reply instanceof Reply.Done<MemoryUse> done) {
            if (before != null && before.state() == State.SILENT) {
                Duration absence = Duration.between(before.since(), now);
                String minutes = absence.toMinutes() == 0 ? "" : absence.toMinutes() + " min ";
                add(now, "%s is back after %s%d s".formatted(name, minutes, absence.toSecondsPart()));
            }
            Instant since = before != null && before.state() == State.ANSWERS ? before.since() : now;
            return new Sight(State.ANSWERS, since, now, 0, done.value());
        }
        if (before == null) {
            return new Sight(State.CONNECTING, now, Instant.EPOCH, 1, null);
        }
        int missed = before.missed() + 1;
        if (before.state() == State.SILENT || missed <= MOST_MISSED) {
            return new Sight(before.state(), before.since(), before.answered(), missed, before.memory());
        }
        add(now, "%s is silent: %s".formatted(name, why(reply)));
        Instant since = before.state() == State.ANSWERS ? before.answered() : before.since();
        return new Sight(State.SILENT, since, before.answered(), missed, null);
    }

    private static String why(Reply<?> reply) {
        String why = reply instanceof Reply.Refused<?> refused ? refused.detail() : ((Reply.Unknown<?>) reply).detail();
        return why.isEmpty() ? "no answer" : why;
    }

    /** Notes changes of the map until a version, the oldest first, as far as they are not noted yet. */
    synchronized void change(List<MapChange> changes, long version) {
        for (MapChange change : changes) {
            if (change.version() > newestChange) {
                String why = change.reason().isEmpty() ? change.operation() : change.reason();
                String who = change.actor().isEmpty() ? "" : " (%s)".formatted(change.actor());
                add(instant(change.at()), "map version %d: %s%s".formatted(change.version(), why, who));
            }
        }
        newestChange = Math.max(newestChange, version);
    }

    synchronized boolean isNewer(long version) {
        return version > newestChange;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH; // other software may have written it
        }
    }

    private void add(Instant at, String text) {
        events.addFirst(new Event(at, text));
        while (events.size() > MOST_EVENTS) {
            events.removeLast();
        }
    }

    synchronized void add(Figures now) {
        figures.addLast(now);
        while (figures.getFirst().at().isBefore(now.at().minus(KEPT))) {
            figures.removeFirst();
        }
    }

    /** Returns the events, the newest first. */
    synchronized List<Event> events() {
        return events.stream()
                .sorted(Comparator.comparing(Event::at).reversed())
                .toList();
    }

    /** Returns the figures, the oldest first. */
    synchronized List<Figures> figures() {
        return List.copyOf(figures);
    }

    synchronized Map<PartitionId, Sight> sights() {
        return Map.copyOf(sights);
    }

    /**
     * Returns whether all is well, the worst first. {@code reads} says what happens to reads of a missing partition,
     * {@code doubt} why there may be a newer map.
     */
    synchronized Health health(PartitionMap map, String reads, long pendingDeletes, String doubt) {
        List<PartitionId> silent = named(sight -> sight.state() == State.SILENT);
        if (!silent.isEmpty()) {
            return down(map, silent, reads, pendingDeletes);
        }
        List<PartitionId> connecting = named(sight -> sight.state() == State.CONNECTING);
        if (!connecting.isEmpty() || sights.isEmpty()) {
            String whom = sights.isEmpty() ? "the partitions" : listed(connecting);
            return new Health(Level.UNKNOWN, "Waiting for the first answer of " + whom, null, "");
        }
        List<PartitionId> replicas = withMemory(memory -> memory.server().role().equals("slave"));
        if (!replicas.isEmpty()) {
            return warning(replicas, "read-only", "the server is a replica; writes fail");
        }
        List<PartitionId> full = withMemory(memory -> memory.mostBytes() > 0
                && memory.policy().equals("noeviction")
                && memory.usedBytes() > ALMOST_FULL * memory.mostBytes());
        if (!full.isEmpty()) {
            return warning(full, "almost full", "writes fail at maxmemory, because the policy is noeviction");
        }
        if (!doubt.isEmpty()) {
            return new Health(Level.WARNING, "There may be a newer map than that of the configuration", null, doubt);
        }
        String moves =
                map.moves().isEmpty() ? "" : ", " + Counted.of(map.moves().size(), "move");
        return new Health(
                Level.WELL, "All is well", wellSince, "%d of %1$d partitions answer%s".formatted(sights.size(), moves));
    }

    private Health down(PartitionMap map, List<PartitionId> silent, String reads, long pendingDeletes) {
        long lost = silent.stream()
                .mapToLong(name -> map.slots().slotsOf(name).size())
                .sum();
        Instant since = sights.values().stream()
                .filter(sight -> sight.state() == State.SILENT)
                .map(Sight::since)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        List<String> cost = new ArrayList<>();
        cost.add("%d\u00a0%% of the slots".formatted(Math.round(100.0 * lost / HashSlot.COUNT)));
        cost.add(reads);
        if (pendingDeletes > 0) {
            cost.add(Counted.of(pendingDeletes, "pending delete"));
        }
        String verb = silent.size() == 1 ? " has been silent" : " have been silent";
        return new Health(Level.DOWN, listed(silent) + verb, since, String.join("; ", cost));
    }

    private List<PartitionId> withMemory(Predicate<MemoryUse> which) {
        return named(sight -> sight.memory() != null && which.test(sight.memory()));
    }

    private List<PartitionId> named(Predicate<Sight> which) {
        return sights.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static Health warning(List<PartitionId> names, String what, String cost) {
        return new Health(Level.WARNING, listed(names) + (names.size() == 1 ? " is " : " are ") + what, null, cost);
    }

    private static String listed(List<PartitionId> names) {
        List<String> texts = names.stream().map(PartitionId::name).toList();
        int last = texts.size() - 1;
        return last == 0 ? texts.get(0) : String.join(", ", texts.subList(0, last)) + " and " + texts.get(last);
    }
}
