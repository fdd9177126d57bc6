// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.config.Given;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** When a client lets writes go on, and when it does nothing. That nothing is lost by it is shown by {@code MoveRunSimulationTest}. */
class StuckSlotRecoveryTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final SlotSet SLOTS = SlotSet.of(1).plus(SlotSet.of(2));

    private final ManualTime time = new ManualTime(3);
    private PartitionMap map = changed(
            changed(
                    ConfiguredMap.of(Given.defaults()),
                    content -> content.begin(Move.begun("m1", P1, P2, SLOTS, "first"))),
            content -> content.startMoving("m1"));
    private final Map<PartitionId, FenceCommand.Fences> fences = new HashMap<>(Map.of(
            P1, fences(State.FROZEN, State.MOVING),
            P2, fences(State.IMPORTING, State.IMPORTING)));
    private Reply<SlotTransfer.Noted> note = Reply.done(new SlotTransfer.Noted("{}", 5_100));
    private final List<String> changes = new ArrayList<>();
    private final StuckSlotRecovery recovery =
            new StuckSlotRecovery(() -> map, new Agreed(), new Asked()::ask, time.timing());

    private static FenceCommand.Fences fences(State one, State two) {
        return new FenceCommand.Fences(
                0, Map.of("m1", 3L), Map.of(1, new SlotFence(one, "m1", 1, 0), 2, new SlotFence(two, "m1", 1, 0)));
    }

    private static PartitionMap changed(PartitionMap before, UnaryOperator<MapContent> change) {
        return before.next(new MapCommit("op" + before.version(), "test", "", Instant.EPOCH), change);
    }

    /** Answers what the test says, and notes what is to be changed. */
    private final class Asked {
        @SuppressWarnings("unchecked") // each answer is of the command that is answered
        <R> CompletableFuture<Reply<R>> ask(PartitionId partition, Command<R> command) {
            Object reply = Reply.done(true);
            if (command instanceof SlotTransfer.ReadNote) {
                reply = note;
            } else if (command instanceof FenceCommand.ReadFences) {
                reply = Reply.done(Objects.requireNonNull(fences.get(partition)));
            } else if (command instanceof FenceCommand.SetFence set) {
                changes.add("%s %s %s"
                        .formatted(partition, set.to().state(), set.slots().keySet()));
            }
            return CompletableFuture.completedFuture((Reply<R>) reply);
        }
    }

    private final class Agreed implements Catalogue {
        @Override
        public CompletableFuture<CatalogueAnswer> read() {
            return CompletableFuture.completedFuture(new CatalogueAnswer.Ok(map));
        }

        @Override
        public CompletableFuture<Optional<MapStamp>> stamp() {
            return CompletableFuture.completedFuture(Optional.of(map.stamp()));
        }

        @Override
        public CompletableFuture<Optional<PartitionMap>> copy() {
            return CompletableFuture.completedFuture(Optional.of(map));
        }

        @Override
        public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
            if (next.parent() != map.version()) {
                return CompletableFuture.completedFuture(new CatalogueAnswer.Conflict(map));
            }
            map = next;
            changes.add("map");
            return read();
        }

        @Override
        public void close() {}
    }

    private void look() {
        recovery.look(map, "m1").join();
    }

    @Test
    void frozenSlots_mayBeWrittenAgain_whenTheMapHasNoCoordinator() {
        look();

        assertThat(changes).containsExactly("map", "p1 MOVING [1]");
        assertThat(map.move("m1").orElseThrow().coordinator().isNone()).isTrue();
        assertThat(map.move("m1").orElseThrow().coordinator().epoch()).isEqualTo(2);
    }

    @Test
    void committedSlots_areClosedAtTheSource_andThenTheTargets() {
        map = changed(map, content -> content.commit("m1", SlotSet.of(1)));
        fences.put(P1, fences(State.CLOSED, State.MOVING));

        look();

        assertThat(changes).containsExactly("map", "p1 MOVED [1]", "p2 OWNED [1]");
    }

    @Test
    void moveThatSomebodyElseHasTakenOver_isLeftAlone() {
        PartitionMap known = map;
        map = changed(map, content -> content.takeOver("m1", "second"));

        recovery.look(known, "m1").join();

        assertThat(changes).isEmpty();
    }
}
