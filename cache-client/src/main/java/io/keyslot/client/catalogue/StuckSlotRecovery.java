// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.Counted;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.Fences;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Noted;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unfreezes slots that a failed or stalled coordinator has left frozen. A check begins some time after a command was
 * refused because its slot is frozen; it covers all moves, and one runs at a time. Thread-safe; has no threads of its
 * own.
 *
 * <p>It takes only the first steps of the next coordinator ({@code docs/decisions/0036-moves-are-resumable.md}):
 *
 * <ol>
 *   <li>Check that no coordinator has reported progress for {@link #SILENCE}, and that slots are stuck.
 *   <li>Take the move from its coordinator in the map. From then on the coordinator cannot change an owner, because its
 *       map is outdated; and partitions refuse its commands, because the new map version is a higher coordinator
 *       number.
 *   <li>Make slots that this map assigns to the source writable there again; close slots that it assigns to the target
 *       at the source, and then open them at the target.
 * </ol>
 *
 * <p>Only the second step is needed for safety; the first avoids needless takeovers. A client that fails in between
 * leaves a state that the next one handles.
 */
public final class StuckSlotRecovery {
    /** Most frozen slots have their new owner by then. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** A random addition, so that clients do not check at the same time. */
    static final Duration SPREAD = Duration.ofSeconds(1);

    /** A coordinator reports progress once a second. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    /** A target that does not answer counts as having an active coordinator for this number of checks in a row. */
    static final int LOOKS_WITHOUT_AN_ANSWER = 5;

    /** The maximum number of slots of a command, which blocks the partition. */
    private static final int MOST_SLOTS = 512;

    private static final Set<State> STUCK = Set.of(State.FROZEN, State.CLOSED);

    private static final Logger LOG = LoggerFactory.getLogger(StuckSlotRecovery.class);

    private final Supplier<PartitionMap> known;
    private final Catalogue catalogue;
    private final AskedPartitions partitions;
    private final Timing timing;
    private final String client;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicBoolean isLooking = new AtomicBoolean();

    private final Map<PartitionId, Integer> unanswered = new ConcurrentHashMap<>();

    public StuckSlotRecovery(
            Supplier<PartitionMap> known, Catalogue catalogue, AskedPartitions partitions, Timing timing) {
        this.known = known;
        this.catalogue = catalogue;
        this.partitions = partitions;
        this.timing = timing;
        this.client = "thaw-%016x".formatted(timing.random().nextLong());
    }

    private record Seen(Fences source, Fences target) {
        /** Returns the unusable slots: frozen ones at the source, and committed ones that the target still imports. */
        SlotSet stuck(Move move) {
            SlotSet frozen = inState(source, move, STUCK);
            return frozen.plus(inState(target, move, Set.of(State.IMPORTING)).and(move.committed()));
        }

        private static SlotSet inState(Fences fences, Move move, Set<State> states) {
            return SlotSet.of(fences.slots().entrySet().stream()
                    .filter(fence -> isOf(move, fence.getValue())
                            && states.contains(fence.getValue().state()))
                    .mapToInt(Map.Entry::getKey));
        }

        private static boolean isOf(Move move, SlotFence fence) {
            return fence.move().equals(move.id());
        }
    }

    /** Reports that a command was refused because its slot is frozen. Neither throws nor blocks. */
    public void refused() {
        if (!isLooking.get() && isLooking.compareAndSet(false, true)) {
            boolean isLater = timing.schedule(this::look, PATIENCE.toNanos() + timing.upTo(SPREAD))
                    .isPresent();
            if (!isLater) {
                isLooking.set(false);
            }
        }
    }

    private void look() {
        PartitionMap map = known.get();
        List<CompletableFuture<Void>> checks = map.moves().stream()
                .filter(move -> move.phase() == MovePhase.MOVING)
                .map(move -> look(map, move.id()))
                .toList();
        Futures.whenOver(
                CompletableFuture.allOf(checks.toArray(CompletableFuture<?>[]::new)),
                (over, failure) -> isLooking.set(false));
    }

    /**
     * Checks a moving move of the client's map, and recovers it if necessary. The future completes within a bounded
     * time, never exceptionally.
     */
    CompletableFuture<Void> look(PartitionMap map, String id) {
        Move move = map.move(id).orElseThrow();
        return isPublished(move)
                .thenCompose(hasListeners -> hasListeners
                        ? nothing()
                        : fences(move.from())
                                .thenCombine(fences(move.to()), Seen::new)
                                .thenCompose(seen -> release(move, seen)))
                .exceptionally(failure -> {
                    LOG.error("Unexpected failure; please report it", failure);
                    return null;
                });
    }

    private static CompletableFuture<Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Boolean> isPublished(Move move) {
        return partitions.ask(move.to(), new SlotTransfer.ReadNote(move.id())).thenApply(reply -> {
            if (!(reply instanceof Reply.Done<Noted> done)) {
                // The coordinator may be waiting for this target; then it unfreezes its slots itself.
                return unanswered.merge(move.to(), 1, Integer::sum) <= LOOKS_WITHOUT_AN_ANSWER;
            }
            unanswered.remove(move.to());
            Noted noted = done.value();
            return !noted.text().isEmpty() && noted.ageMillis() < SILENCE.toMillis();
        });
    }

    private CompletableFuture<Fences> fences(PartitionId partition) {
        return partitions
                .ask(partition, new FenceCommand.ReadFences())
                .thenApply(reply -> reply instanceof Reply.Done<Fences> done ? done.value() : Fences.NONE);
    }

    private CompletableFuture<Void> release(Move known, Seen seen) {
        if (seen.stuck(known).isEmpty()) {
            return nothing();
        }
        return catalogue.read().thenCompose(answer -> {
            Optional<PartitionMap> map =
                    answer instanceof CatalogueAnswer.Ok ok ? Optional.of(ok.map()) : Optional.empty();
            // A coordinator that this client does not know of yet starts with these steps too.
            return map.filter(agreed -> isStill(known, agreed))
                    .flatMap(agreed -> released(agreed, known.id()))
                    .map(next -> release(next, known.id(), seen))
                    .orElseGet(StuckSlotRecovery::nothing);
        });
    }

    private static boolean isStill(Move known, PartitionMap agreed) {
        return agreed.move(known.id()).stream()
                .anyMatch(move ->
                        move.phase() == MovePhase.MOVING && move.coordinator().equals(known.coordinator()));
    }

    private Optional<PartitionMap> released(PartitionMap map, String id) {
        try {
            return Optional.of(map.next(
                    new MapCommit(
                            "%s-%d".formatted(client, operations.incrementAndGet()),
                            client,
                            "move %s: its coordinator is silent, and slots are frozen".formatted(id),
                            Instant.ofEpochMilli(timing.ticker().epochMillis())),
                    content -> content.release(id)));
        } catch (InvalidMapException refused) {
            return Optional.empty();
        }
    }

    private CompletableFuture<Void> release(PartitionMap next, String id, Seen seen) {
        return catalogue
                .compareAndSet(next)
                .thenCompose(stored -> stored instanceof CatalogueAnswer.Ok
                        ? settle(next, next.move(id).orElseThrow(), seen)
                        : nothing());
    }

    /** The map determines the owners, and an older one can no longer change them. */
    private CompletableFuture<Void> settle(PartitionMap map, Move move, Seen seen) {
        SlotSet stuck = seen.stuck(move);
        SlotSet recovered = stuck.minus(move.committed());
        SlotSet gone = stuck.and(move.committed());
        LOG.warn(
                "Move {} has left {} frozen, and its coordinator does not answer: clients write to them again. To"
                        + " end the move: keyslot complete {}",
                move.id(),
                Counted.of(stuck.size(), "slot"),
                move.id());
        Fencing fencing = new Fencing(map, move);
        return fencing.set(move.from(), recovered, From.any(State.MOVING, State.FROZEN, State.CLOSED), State.MOVING)
                .thenCompose(isRecovered -> fencing.set(
                        move.from(),
                        gone,
                        From.any(State.FROZEN, State.CLOSED, State.MOVING, State.MOVED)
                                .orAbsent(),
                        State.MOVED))
                .thenCompose(isGone -> isGone
                        ? fencing.set(
                                move.to(),
                                gone,
                                From.any(State.IMPORTING, State.OWNED).orAbsent(),
                                State.OWNED)
                        : CompletableFuture.completedFuture(false))
                .thenAccept(isSet -> {});
    }

    /** Sets fences, with the version of a map without a coordinator as the coordinator number. */
    private final class Fencing {
        private final PartitionMap map;
        private final Move move;

        Fencing(PartitionMap map, Move move) {
            this.map = map;
            this.move = move;
        }

        CompletableFuture<Boolean> set(PartitionId partition, SlotSet slots, From from, State to) {
            CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
            for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), MOST_SLOTS)) {
                all = all.thenCompose(
                        isSet -> isSet ? set(partition, some, from, to) : CompletableFuture.completedFuture(false));
            }
            return all;
        }

        private CompletableFuture<Boolean> set(PartitionId partition, List<Integer> slots, From from, State to) {
            Map<Integer, Long> numbered = slots.stream().collect(Collectors.toMap(Function.identity(), slot ->
                    (long) map.slots().ownershipOf(slot)));
            To wanted = new To(to, move.id(), to == State.MOVED ? map.version() : 0);
            return partitions
                    .ask(partition, new FenceCommand.SetFence(numbered, from, wanted, map.version()))
                    .thenApply(reply -> isSet(partition, reply));
        }

        private boolean isSet(PartitionId partition, Reply<Boolean> reply) {
            boolean isSet = reply instanceof Reply.Done<Boolean> done && done.value();
            if (!isSet) {
                LOG.warn(
                        "Slots of move {} are frozen at partition {} still, as this client may not change that: {}. To end"
                                + " the move: keyslot complete {}",
                        move.id(),
                        partition,
                        reply,
                        move.id());
            }
            return isSet;
        }
    }

    /**
     * Sends commands that need no map to the partitions of a client. Neither throws nor blocks; every future completes
     * within a bounded time, never exceptionally.
     */
    @FunctionalInterface
    public interface AskedPartitions {
        <R> CompletableFuture<Reply<R>> ask(PartitionId partition, Command<R> command);
    }
}
