// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.Given;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A move is removed by another process after this one has read the map, and before it has claimed the move. */
class MoveRunsTest {
    private static final String MOVE = "m1";
    private static final SlotSet SLOTS = SlotSet.parse("0-9");
    private static final PartitionMap WAITING = next(
            ConfiguredMap.of(Given.defaults()),
            content -> content.begin(
                    Move.waiting(MOVE, new PartitionId("p1"), new PartitionId("p2"), SLOTS, "planner", MovePace.FULL)));

    private static PartitionMap next(PartitionMap map, UnaryOperator<MapContent> change) {
        return map.next(new MapCommit("operation", "test", "", Instant.EPOCH), change);
    }

    private static Map<String, Migration.Outcome> outcomes(PartitionMap later) throws Exception {
        MapStore maps = new MapStore() {
            private PartitionMap now = WAITING;

            @Override
            public PartitionMap read() {
                PartitionMap read = now;
                now = later;
                return read;
            }

            @Override
            public Stored compareAndSet(PartitionMap before, PartitionMap after) {
                return Stored.CONFLICT;
            }

            @Override
            public Prepared prepare(PartitionMap before, PartitionMap after) {
                throw new AssertionError("there is no move");
            }
        };
        return new MoveRuns(
                        "test",
                        maps,
                        partition -> {
                            throw new AssertionError("there is no move");
                        },
                        new MoveTime(new SystemTicker(), new SystemWaiter()),
                        Runnable::run)
                .run();
    }

    @Test
    void moveThatWasAborted_isGivenUp() throws Exception {
        PartitionMap aborted = next(WAITING, content -> content.abort(MOVE));

        assertThat(outcomes(aborted)).containsExactlyEntriesOf(Map.of(MOVE, Migration.Outcome.GIVEN_UP));
    }

    @Test
    void moveThatAnotherProcessHasMade_isFinished() throws Exception {
        PartitionMap moving = next(WAITING, content -> content.prepare(MOVE).startMoving(MOVE));
        PartitionMap cleaning =
                next(moving, content -> content.commit(MOVE, SLOTS).settle(MOVE));
        PartitionMap finished = next(cleaning, content -> content.finish(MOVE));

        assertThat(outcomes(finished)).containsExactlyEntriesOf(Map.of(MOVE, Migration.Outcome.FINISHED));
    }
}
