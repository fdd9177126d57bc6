// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.cluster.move.MoveRun;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.PlacementEdit;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slots of a replicated cache move while three clients write and read it, and while a coordinator or a server dies or placements
 * change. Nothing out of date is read at any partition, and afterwards all clients find the same everywhere.
 */
@SideBySide
class CopiesWhileMovingIT {
    private static final PartitionId FIRST = MovingServers.FIRST;
    private static final PartitionId SECOND = MovingServers.SECOND;
    private static final int KILLS = 4;
    private static final int PLACED = 12;
    private static final Logger LOG = LoggerFactory.getLogger(CopiesWhileMovingIT.class);

    private final MovingServers servers = new MovingServers();
    private final CopiesUnderLoad copies = new CopiesUnderLoad(servers);

    @AfterEach
    void close() {
        copies.close();
        servers.close();
    }

    @Test
    void coordinatorThatIsKilled_leavesNoCopyBehind() throws Exception {
        try (CoordinatorJvms coordinators = new CoordinatorJvms(servers)) {
            List<String> steps = new ArrayList<>();
            String outcome = coordinators.play(begin(FIRST, SECOND), (step, times) -> {
                if (times == 1) {
                    steps.add(step);
                }
                return false;
            });
            assertThat(outcome).isEqualTo(Pipe.OVER + MoveRun.Outcome.FINISHED);

            Random random = new Random(14);
            for (int kill = 0; kill < KILLS; kill++) {
                boolean isForth = kill % 2 == 1;
                String step = isForth
                        ? steps.get(random.nextInt(steps.size()))
                        : KilledCoordinatorIT.swapped(steps.get(random.nextInt(steps.size())));
                String end = coordinators.play(
                        isForth ? begin(FIRST, SECOND) : begin(SECOND, FIRST), (now, times) -> now.equals(step));
                assertThat(end).isEqualTo(step);
                copies.awaitReads(50);
            }
        }
        copies.assertAgreement();
        assertThat(copies.failures()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"p1, p2 import", "p1, map commit", "p1, after map commit", "p2, p1 FROZEN", "p2, after map commit"})
    void serverThatBeginsAgainWithNothing_leavesNoCopyBehind(String name, String step) throws Exception {
        String move = begin(FIRST, SECOND);
        AtomicBoolean isDone = new AtomicBoolean();
        MoveRun run = servers.run(move, "coordinator", now -> {
            if (now.equals(step) && isDone.compareAndSet(false, true)) {
                copies.lose();
                servers.server(new PartitionId(name)).restart();
            }
        });

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(MoveRun.Outcome.FINISHED);

        assertThat(isDone).isTrue();
        copies.awaitReads(50);
        copies.assertAgreement();
    }

    /** Half of the entries get slots of their own before they move; others do, where that is allowed, while slots are on their way. */
    @Test
    void placementsThatChange_leaveNoCopyBehind() throws Exception {
        for (int key = 0; key < PLACED; key++) {
            assertThat(isPlaced(key)).isTrue();
        }
        AtomicInteger next = new AtomicInteger(PLACED);
        AtomicInteger meanwhile = new AtomicInteger();
        for (int i = 0; i < MovingServers.ALL.size(); i++) {
            PartitionId from = MovingServers.ALL.get(i);
            PartitionId to = MovingServers.ALL.get((i + 1) % MovingServers.ALL.size());
            MoveRun run = servers.run(begin(from, to), "coordinator-" + i, step -> {
                if (step.endsWith("import") && isPlaced(next.getAndIncrement())) {
                    meanwhile.incrementAndGet();
                }
            });
            assertThat(run.run()).as(run.progress().toString()).isEqualTo(MoveRun.Outcome.FINISHED);
            copies.awaitReads(50);
        }

        copies.assertAgreement();
        assertThat(copies.failures()).isEmpty();
        LOG.info("{} entries got slots of their own while slots moved", meanwhile);
    }

    /** Returns whether an entry has slots of its own now: it is refused while those that it has are on their way. */
    private boolean isPlaced(int key) {
        try {
            servers.maps()
                    .change(content -> new PlacementEdit(content, MovingServers.REPLICATED)
                            .add(new PlacedEntry.Id("k" + key), null));
            return true;
        } catch (InvalidMapException refused) {
            return false;
        }
    }

    private String begin(PartitionId from, PartitionId to) {
        SlotSet slots = copies.slotsAt(from);
        assertThat(slots.isEmpty()).isFalse();
        return servers.begin(from, to, slots);
    }
}
