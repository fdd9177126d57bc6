// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Noted;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveNote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads how far moves are, from the map and from what coordinators write down at the targets. For one thread. */
public final class MoveReports implements AutoCloseable {
    /** Longer than it takes a coordinator to write down again how far it is. */
    private static final Duration A_WHILE = Duration.ofMillis(2_500);

    private final Cluster cluster;
    private final Instances instances;

    public MoveReports(Cluster cluster) {
        this.cluster = cluster;
        this.instances = new Instances(cluster);
    }

    /** Returns the moves of the map, in the order in which they begin. */
    public List<MoveReport> all() throws MapStore.UnavailableException {
        PartitionMap map = cluster.maps().look();
        return map.moves().stream().map(move -> report(map, move)).toList();
    }

    /** Returns the moves of this name: those that are over as well, as long as something is known of them. */
    public List<MoveReport> named(String name) throws MapStore.UnavailableException {
        return named(cluster.maps().look(), name, new ArrayList<>());
    }

    /**
     * As {@link #named}, and there is at least one.
     *
     * @throws RefusedException if nobody knows of any
     * @throws MapStore.UnavailableException if a partition does not answer that may know of one
     */
    public List<MoveReport> known(String name) throws MapStore.UnavailableException {
        PartitionMap map = cluster.maps().look();
        List<String> silent = new ArrayList<>();
        List<MoveReport> reports = named(map, name, silent);
        if (!reports.isEmpty()) {
            return reports;
        }
        if (!silent.isEmpty()) {
            throw new MapStore.UnavailableException(
                    "Map %s has no move %s, and who may know whether it is over does not answer: %s"
                            .formatted(map.stamp(), name, String.join("; ", silent)));
        }
        throw new RefusedException(
                RefusedException.Kind.NOT_ALLOWED,
                "Map %s has no move %s, and no partition knows of one: it has been over for an hour, or another one came to"
                                .formatted(map.stamp(), name)
                        + " its target since, or there never was one");
    }

    /** @param silent gets what partitions do not answer */
    private List<MoveReport> named(PartitionMap map, String name, List<String> silent) {
        List<MoveReport> reports = new ArrayList<>();
        map.moves().stream()
                .filter(move -> MoveOrders.isNamed(move, name))
                .forEach(move -> reports.add(report(map, move)));
        for (MappedPartition partition : map.askedPartitions()) {
            try {
                over(map, partition, name).ifPresent(reports::add);
            } catch (SilentException e) {
                silent.add(String.valueOf(e.getMessage()));
            }
        }
        return reports;
    }

    private MoveReport report(PartitionMap map, Move move) {
        if (move.phase() == MovePhase.WAITING) {
            return new MoveReport(move.id(), move, null, Duration.ZERO, "");
        }
        MappedPartition target = map.partition(move.to()).orElseThrow();
        try {
            Noted noted = instances.ask(target, new SlotTransfer.ReadNote());
            Optional<MoveNote> note = MoveNote.read(noted.text())
                    .filter(read -> read.progress().move().equals(move.id()));
            return new MoveReport(move.id(), move, note.orElse(null), Duration.ofMillis(noted.ageMillis()), "");
        } catch (SilentException silent) {
            return new MoveReport(move.id(), move, null, Duration.ZERO, String.valueOf(silent.getMessage()));
        }
    }

    private Optional<MoveReport> over(PartitionMap map, MappedPartition partition, String name) {
        Noted noted = instances.ask(partition, new SlotTransfer.ReadNote());
        return MoveNote.read(noted.text())
                .filter(note -> map.move(note.progress().move()).isEmpty())
                .filter(note -> note.progress().move().equals(name)
                        || note.progress().move().startsWith(name + "-"))
                .map(note ->
                        new MoveReport(note.progress().move(), null, note, Duration.ofMillis(noted.ageMillis()), ""));
    }

    /**
     * Returns a report of this name whose coordinator is at work: it has written down how far it is since this was called. Empty if
     * there is none.
     */
    public Optional<MoveReport> played(String name) throws MapStore.UnavailableException {
        List<MoveReport> before =
                named(name).stream().filter(MoveReport::isPlayed).toList();
        if (before.isEmpty()) {
            return Optional.empty();
        }
        cluster.time().waiter().pause(A_WHILE);
        return named(name).stream()
                .filter(report -> report.isPlayed() && report.age().compareTo(A_WHILE) < 0)
                .findFirst();
    }

    @Override
    public void close() {
        instances.close();
    }
}
