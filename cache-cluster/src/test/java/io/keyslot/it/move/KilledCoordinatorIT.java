// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.move.MoveRun;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator in a process of its own is killed (SIGKILL) before each kind of change that it makes, while a client works. Another
 * process goes on with what the map says. No call fails, nothing is lost, nothing is stale, nothing is left.
 */
@SideBySide
class KilledCoordinatorIT {
    private static final Logger LOG = LoggerFactory.getLogger(KilledCoordinatorIT.class);

    /** The next process starts while the one before is at work. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-Xmx128m");

    private final MovingServers servers = new MovingServers();
    private final List<OtherJvm> others = new ArrayList<>();
    private int coordinators;
    private OtherJvm next = start();

    private OtherJvm start() {
        try {
            List<String> arguments = new ArrayList<>(List.of("coordinator-" + ++coordinators));
            arguments.addAll(servers.uris());
            OtherJvm other = OtherJvm.start(QUICK_START, CoordinatorMain.class, arguments.toArray(String[]::new));
            others.add(other);
            return other;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        others.forEach(OtherJvm::close);
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
        assertThat(outcome).isEqualTo(Pipe.OVER + MoveRun.Outcome.FINISHED);
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

    private static String swapped(String step) {
        return step.startsWith("p1 ") ? step.replace("p1 ", "p2 ") : step.replace("p2 ", "p1 ");
    }

    /** Moves the slots from where they are; a process that is killed is replaced. Returns where it was killed, or how it ended. */
    private String play(BiPredicate<String, Integer> kills) throws IOException {
        PartitionId from = servers.owner();
        PartitionId to = from.equals(MovingServers.FIRST) ? MovingServers.SECOND : MovingServers.FIRST;
        String move = servers.begin(from, to);
        OtherJvm other = next;
        other.awaitLine(CoordinatorMain.READY);
        other.say(move);
        next = start();
        String end = end(other, kills);
        other.close();
        if (!end.startsWith(Pipe.OVER)) {
            MoveRun run = servers.run(move, "successor-" + move, step -> {});
            assertThat(run.run()).as("%s, %s", end, run.progress()).isIn(MoveRun.Outcome.FINISHED);
        }
        servers.assertNothingIsLeft();
        assertThat(servers.owner()).isEqualTo(to);
        return end;
    }

    private String end(OtherJvm other, BiPredicate<String, Integer> kills) throws IOException {
        Map<String, Integer> times = new HashMap<>();
        while (true) {
            String line = other.readLine();
            if (line.startsWith(Pipe.STEP)) {
                String step = line.substring(Pipe.STEP.length());
                if (kills.test(step, times.merge(step, 1, Integer::sum))) {
                    return step;
                }
                Pipe.letGo(other);
            } else if (line.startsWith(Pipe.OVER)) {
                return line;
            } else {
                assertThat(Pipe.isAnswered(other, line, servers.maps()))
                        .as(line)
                        .isTrue();
            }
        }
    }
}
