// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.cluster.inspect.ClusterSurvey;
import io.keyslot.cluster.inspect.LoadSurvey;
import io.keyslot.cluster.inspect.SeenCluster;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.MoveListener;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanApplication;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.PlacementEdit;
import io.keyslot.cluster.plan.PlacementTerms;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.PlanRefusedException;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Administration of partitions from code: plans, moves, placements and status, as the commands of {@code keyslot} use
 * them. Methods block, each answer of a server within a time limit; a method that moves slots returns when the moves are
 * over. For one thread at a time.
 *
 * <p>{@link RefusedException} and {@code PlanRefusedException}: the request is not allowed, and nothing was changed.
 * {@link MapStore.UnavailableException}: the map cannot be read, or it is not known whether the change was made.
 */
public final class KeyslotAdmin implements AutoCloseable {
    private final OpenCatalogue catalogue;

    /** {@link #close} closes the catalogue. */
    public KeyslotAdmin(OpenCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * Connects with the properties of a cache manager, such as {@code keyslot.config}. Throws {@link RefusedException} if
     * the map never changes.
     */
    public static KeyslotAdmin open(Properties properties) {
        return new KeyslotAdmin(OpenCatalogue.changeable(OpenCatalogue.options(properties)));
    }

    // ---- status

    /** Returns the newest map. */
    public PartitionMap map() throws MapStore.UnavailableException {
        return catalogue.maps().look();
    }

    /** Returns which partitions answer, their slots, memory and clients, and the moves. */
    public SeenCluster status() {
        try (ClusterSurvey survey = new ClusterSurvey(catalogue)) {
            return survey.look();
        }
    }

    /** Returns the reported calls, and keys and bytes by a sample of about {@code keys} keys of each partition. */
    public SurveyedLoad load(long keys) {
        PartitionMap unused = catalogue.refreshed();
        return LoadSurvey.look(catalogue, keys);
    }

    /** Returns the last changes of the map, the oldest first. */
    public List<Catalogue.MapChange> history() {
        return catalogue.history();
    }

    // ---- plans

    /** Returns a planner for the newest map that can be read. It knows the used memory if all partitions answer. */
    public Planner planner() {
        PartitionMap map = catalogue.refreshed();
        boolean isAnswered = catalogue.doubt().isEmpty();
        return new Planner(map, isAnswered ? Instances.usedMemory(catalogue, map) : PlanFacts.NONE);
    }

    /** Applies a plan and carries out its moves. Applications may continue meanwhile. */
    public MovePlayer.Played apply(Plan plan, MovePace pace, MoveListener listener)
            throws MapStore.UnavailableException {
        PlanApplication.Applied applied = store(plan, pace);
        listener.applied(applied);
        return play(plan.id(), applied.moves(), listener);
    }

    /** Stores a plan in the map. Its moves wait until they are {@linkplain #complete completed}. */
    public PlanApplication.Applied store(Plan plan, MovePace pace) throws MapStore.UnavailableException {
        return new PlanApplication(catalogue).apply(plan, pace);
    }

    /** Carries out a move, or the moves of a plan, that are in the map; nothing if there are none. */
    public MovePlayer.Played complete(String name, MoveListener listener) throws MapStore.UnavailableException {
        List<Move> moves = catalogue.maps().read().moves().stream()
                .filter(move -> MoveOrders.isNamed(move, name))
                .toList();
        return play(name, moves, listener);
    }

    /** Carries out these moves, and those of the same name that others add. */
    public MovePlayer.Played play(String name, List<Move> moves, MoveListener listener)
            throws MapStore.UnavailableException {
        String coordinator = "admin-" + UUID.randomUUID().toString().substring(0, 13);
        try (MovePlayer player = new MovePlayer(catalogue, coordinator)) {
            listener.started(player);
            return player.play(moves, move -> MoveOrders.isNamed(move, name), listener);
        }
    }

    // ---- placements

    /** Changes the content of the newest map, again if another change comes first. */
    public PartitionMap change(String operation, String reason, UnaryOperator<MapContent> change)
            throws MapStore.UnavailableException {
        return catalogue.change(operation, reason, change);
    }

    /**
     * Gives an entry of a placement, such as a tenant, its own slot at a partition, and moves what is stored of it there.
     * May be repeated. A pinned entry is only moved by name.
     */
    public PartitionMap place(String type, String entry, String partition, boolean isPinned)
            throws MapStore.UnavailableException {
        return place(
                type,
                PlacedEntry.parse(entry),
                new PartitionId(partition),
                new PlacementTerms(null, null, null, isPinned),
                progress -> {});
    }

    /** Like {@link #place(String, String, String, boolean)}, for any terms. */
    public PartitionMap place(
            String type, PlacedEntry entry, PartitionId partition, PlacementTerms terms, MoveListener listener)
            throws MapStore.UnavailableException {
        String reason = "placement set %s to %s".formatted(type, partition);
        PlacementTerms first = new PlacementTerms(terms.rangeType(), null, null, terms.isPinned());
        requirePlaceable(type, entry, partition, first, terms);
        PartitionMap map = change("placement", reason, content -> PlacementEdit.set(content, type, entry, first));
        PlacementTarget target = edit(map, type).target(entry);
        bring(target.slots(), partition, listener);
        boolean isWide = target.spread().shares().isEmpty() || terms.width() != null;
        PlacementTerms last =
                isWide ? terms : new PlacementTerms(terms.rangeType(), 1, terms.labels(), terms.isPinned());
        return change("placement", reason, content -> PlacementEdit.set(content, type, entry, last));
    }

    /** Simulates all steps, so that an impossible one is refused before the first. */
    private void requirePlaceable(
            String type, PlacedEntry entry, PartitionId to, PlacementTerms first, PlacementTerms last) {
        MapCommit commit = catalogue.commit("placement", "");
        try {
            PartitionMap begun =
                    catalogue.refreshed().next(commit, content -> PlacementEdit.set(content, type, entry, first));
            SlotSet slots = edit(begun, type).target(entry).slots();
            Plan unused = new Planner(begun, PlanFacts.NONE).move(slots, to);
            PartitionMap unusedEnd =
                    begun.next(commit, content -> PlacementEdit.set(content.give(slots, to), type, entry, last));
        } catch (PlanRefusedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new RefusedException("Nothing was changed: " + e.getMessage());
        }
    }

    /** The number of removed keys of each partition, and the map without the entry. */
    public record Removal(Map<PartitionId, Long> keys, PartitionMap map) {}

    /**
     * Removes an entry of a placement together with everything stored in its slots. What is stored meanwhile may remain.
     * May be repeated after a failure.
     */
    public Removal removeWithEntries(String type, PlacedEntry entry, MoveListener listener)
            throws MapStore.UnavailableException {
        PartitionMap map = catalogue.refreshed();
        SlotSet slots = edit(map, type).target(entry).slots();
        edit(map, type).requireRemovable(entry);
        if (map.moves().stream().anyMatch(move -> move.slots().intersects(slots))) {
            throw new RefusedException(
                    "Nothing was changed: slots of %s are moving, see keyslot moves".formatted(entry));
        }
        Map<PartitionId, Long> removed = new TreeMap<>(Comparator.comparing(PartitionId::name));
        try (Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : map.askedPartitions()) {
                if (map.slots().slotsOf(partition.name()).intersects(slots)) {
                    removed.put(partition.name(), instances.remove(partition, key -> slots.contains(map.slotOf(key))));
                }
            }
        }
        String reason = "placement remove %s with entries".formatted(type);
        if (!edit(map, type).mayRemove(entry)) {
            PartitionMap scattered =
                    change("placement", reason, content -> new PlacementEdit(content, type).scatter(entry));
            for (Map.Entry<Integer, PartitionId> home :
                    edit(scattered, type).homes(entry).entrySet()) {
                bring(SlotSet.of(home.getKey()), home.getValue(), listener);
            }
        }
        return new Removal(
                removed, change("placement", reason, content -> new PlacementEdit(content, type).remove(entry)));
    }

    private static PlacementEdit edit(PartitionMap map, String type) {
        return new PlacementEdit(map.content(), type);
    }

    private void bring(SlotSet slots, PartitionId to, MoveListener listener) throws MapStore.UnavailableException {
        Plan plan = planner().move(slots, to);
        if (!plan.isEmpty()) {
            apply(plan, MovePace.MODEST, listener).requireFinished();
        }
    }

    @Override
    public void close() {
        catalogue.close();
    }
}
