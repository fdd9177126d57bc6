// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Noted;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveNote;
import io.keyslot.cluster.operator.MoveReport.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Reads the progress of moves from the map and from the notes of coordinators at the targets. For one thread. */
public final class MoveReports implements AutoCloseable {
    /** Longer than the interval between two notes. */
    private static final Duration A_WHILE = Duration.ofMillis(2_500);

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    private final OpenCatalogue catalogue;
    private final Instances instances;

    public MoveReports(OpenCatalogue catalogue) {
        this.catalogue = catalogue;
        this.instances = new Instances(catalogue);
    }

    /** Returns the moves of the map, in the order in which they start. One that is about to start may seem idle. */
    public List<MoveReport> all() throws MapStore.UnavailableException {
        return all(catalogue.maps().look());
    }

    private List<MoveReport> all(PartitionMap map) {
        return judged(map.moves().stream().map(move -> report(map, move)).toList());
    }

    /** Works like {@link #all}, but reads again for some seconds while an idle move may be about to start. */
    public List<MoveReport> settled() throws MapStore.UnavailableException {
        PartitionMap map = catalogue.maps().look();
        Deadline last = Deadline.after(catalogue.time().ticker(), MoveReport.SILENCE.multipliedBy(3));
        Deadline deadline = Deadline.after(catalogue.time().ticker(), MoveReport.SILENCE);
        List<MoveReport> reports = all(map);
        while (mayBeginJustNow(reports) && !deadline.isOver() && !last.isOver()) {
            catalogue.time().waiter().pause(CHECK_INTERVAL);
            PartitionMap newer = catalogue.maps().look();
            if (!newer.stamp().equals(map.stamp())) {
                deadline = Deadline.after(catalogue.time().ticker(), MoveReport.SILENCE);
            }
            map = newer;
            reports = all(map);
        }
        return reports;
    }

    /** A plan is certainly idle if a coordinator has left one of its moves, or its last note is old. */
    private static boolean mayBeginJustNow(List<MoveReport> reports) {
        Set<String> left = reports.stream()
                .filter(report -> report.state() == State.IDLE && isNoteOfPresentCoordinator(report))
                .map(MoveReport::plan)
                .collect(Collectors.toSet());
        return reports.stream().anyMatch(report -> report.state() == State.IDLE && !left.contains(report.plan()));
    }

    static List<MoveReport> judged(List<MoveReport> seen) {
        Set<String> played = plansOf(seen, MoveReports::isFresh);
        Set<String> unknown = plansOf(seen, report -> !report.trouble().isEmpty());
        return seen.stream()
                .map(report ->
                        report.in(state(report, played.contains(report.plan()), unknown.contains(report.plan()))))
                .toList();
    }

    private static Set<String> plansOf(List<MoveReport> seen, Predicate<MoveReport> which) {
        return seen.stream().filter(which).map(MoveReport::plan).collect(Collectors.toSet());
    }

    private static State state(MoveReport report, boolean isPlanPlayed, boolean isPlanUnknown) {
        if (isFresh(report)) {
            return State.PLAYED;
        }
        if (isNoteOfPresentCoordinator(report)) {
            return State.IDLE; // the coordinator has left the move, or its last note is old
        }
        if (isPlanPlayed) {
            return State.WAITS;
        }
        return isPlanUnknown ? State.UNKNOWN : State.IDLE;
    }

    /** A new coordinator has stored no note yet; the note is that of the previous one. */
    private static boolean isNoteOfPresentCoordinator(MoveReport report) {
        Move move = report.move();
        MoveNote note = report.note();
        return move != null
                && note != null
                && (move.coordinator().isNone() || move.coordinator().id().equals(note.coordinator()));
    }

    private static boolean isFresh(MoveReport report) {
        MoveNote note = report.note();
        return note != null && note.outcome() == null && report.age().compareTo(MoveReport.SILENCE) < 0;
    }

    /**
     * Returns the moves of this name like {@link #settled}, and those that are over as long as notes exist. Throws
     * {@link RefusedException} if there is none, UnavailableException if a partition that may have a note does not
     * answer.
     */
    public List<MoveReport> known(String name) throws MapStore.UnavailableException {
        List<MoveReport> reports = new ArrayList<>(named(settled(), name));
        PartitionMap map = catalogue.maps().look();
        List<String> silent = new ArrayList<>();
        for (MappedPartition partition : map.askedPartitions()) {
            try {
                over(map, partition, name).ifPresent(reports::add);
            } catch (SilentException e) {
                silent.add(String.valueOf(e.getMessage()));
            }
        }
        if (!reports.isEmpty()) {
            return reports;
        }
        if (!silent.isEmpty()) {
            throw new MapStore.UnavailableException(
                    "Map %s has no move %s, and who may know whether it is over does not answer: %s"
                            .formatted(map.stamp(), name, String.join("; ", silent)));
        }
        throw new RefusedException(
                "Map %s has no move %s, and no partition knows of one: it has been over for an hour, or another one came to"
                                .formatted(map.stamp(), name)
                        + " its target since, or there never was one");
    }

    private static List<MoveReport> named(List<MoveReport> reports, String name) {
        return reports.stream()
                .filter(report -> MoveOrders.isNamed(report.id(), name))
                .toList();
    }

    private MoveReport report(PartitionMap map, Move move) {
        if (move.phase() == MovePhase.WAITING) {
            return new MoveReport(move.id(), move, null, Duration.ZERO, "", State.UNKNOWN);
        }
        MappedPartition target = map.partition(move.to()).orElseThrow();
        try {
            Noted noted = instances.ask(target, new SlotTransfer.ReadNote(move.id()));
            Optional<MoveNote> note = MoveNote.read(noted.text())
                    .filter(read -> read.progress().move().equals(move.id()));
            return new MoveReport(
                    move.id(), move, note.orElse(null), Duration.ofMillis(noted.ageMillis()), "", State.UNKNOWN);
        } catch (SilentException silent) {
            return new MoveReport(
                    move.id(), move, null, Duration.ZERO, String.valueOf(silent.getMessage()), State.UNKNOWN);
        }
    }

    private Optional<MoveReport> over(PartitionMap map, MappedPartition partition, String name) {
        Noted noted = instances.ask(partition, new SlotTransfer.ReadNote(""));
        return MoveNote.read(noted.text())
                .filter(note -> map.move(note.progress().move()).isEmpty())
                .filter(note -> MoveOrders.isNamed(note.progress().move(), name))
                .map(note -> new MoveReport(
                        note.progress().move(), null, note, Duration.ofMillis(noted.ageMillis()), "", State.OVER));
    }

    /** Returns a move of this name or of its plan, whose coordinator has stored a note since the call. */
    public Optional<MoveReport> played(String name) throws MapStore.UnavailableException {
        if (named(settled(), name).stream().noneMatch(MoveReports::isInHand)) {
            return Optional.empty();
        }
        catalogue.time().waiter().pause(A_WHILE); // a coordinator that was killed just now still seems active
        List<MoveReport> reports = settled();
        Set<String> plans = named(reports, name).stream()
                .filter(MoveReports::isInHand)
                .map(MoveReport::plan)
                .collect(Collectors.toSet());
        return reports.stream()
                .filter(report -> plans.contains(report.plan()))
                .filter(report -> report.isPlayed() && report.age().compareTo(A_WHILE) < 0)
                .findFirst();
    }

    private static boolean isInHand(MoveReport report) {
        return report.isPlayed() || report.state() == State.WAITS;
    }

    @Override
    public void close() {
        instances.close();
    }
}
