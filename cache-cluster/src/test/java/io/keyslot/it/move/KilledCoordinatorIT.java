// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.move.Migration;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator in a process of its own is killed (SIGKILL) before each kind of change that it makes, while a client works. Another
 * process goes on with what the map says. No call fails, nothing is lost, nothing is stale, nothing is left.
 */
@Tag("thorough")
@SideBySide
class KilledCoordinatorIT {
    private static final Logger LOG = LoggerFactory.getLogger(KilledCoordinatorIT.class);

    private final MovingServers servers = new MovingServers();
    private final CoordinatorJvms coordinators = new CoordinatorJvms(servers);

    @AfterEach
    void close() {
        coordinators.close();
        servers.close();
    }

    @Test
    void killedBeforeEachChange_anotherProcessEndsTheMove() throws Exception {
        servers.work();
        Map<String, Integer> all = new HashMap<>();
        List<String> steps = new ArrayList<>();
        String outcome = play((step, times) -> {
            all.merge(step, 1, Integer::sum);
            if (times == 1) {
                steps.add(step);
            }
            return false;
        });
        assertThat(outcome).isEqualTo(Pipe.OVER + Migration.Outcome.FINISHED);
        assertThat(steps).contains("map take", "p1 MOVING", "p1 FROZEN", "map commit", "after map commit", "p2 OWNED");

        for (String step : steps) {
            killAt(step, (all.getOrDefault(step, 1) + 1) / 2);
            servers.assertRestIsThere();
        }
        servers.rest();
        assertThat(servers.failures()).isEmpty();
        LOG.info("killed at {} steps, {} calls meanwhile", steps.size(), servers.calls());
    }

    /** Another move may take fewer pieces: where the step is not made so often, an earlier one is the one. */
    private void killAt(String step, int which) throws IOException {
        boolean isForth = servers.owner().equals(MovingServers.FIRST);
        String there = isForth ? step : swapped(step);
        String killed = play((now, times) -> now.equals(there) && times == which);
        if (which > 1 && killed.startsWith(Pipe.OVER)) {
            killAt(step, which / 2);
        } else {
            assertThat(killed).isEqualTo(there);
        }
    }

    static String swapped(String step) {
        return step.startsWith("p1 ") ? step.replace("p1 ", "p2 ") : step.replace("p2 ", "p1 ");
    }

    /** Moves the slots from where they are; a process that is killed is replaced. Returns where it was killed, or how it ended. */
    private String play(BiPredicate<String, Integer> kills) throws IOException {
        PartitionId from = servers.owner();
        PartitionId to = from.equals(MovingServers.FIRST) ? MovingServers.SECOND : MovingServers.FIRST;
        String end = coordinators.play(servers.begin(from, to), kills);
        servers.assertNothingIsLeft();
        assertThat(servers.owner()).isEqualTo(to);
        return end;
    }
}
