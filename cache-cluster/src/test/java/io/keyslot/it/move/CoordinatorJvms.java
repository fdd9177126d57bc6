// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.cluster.move.Migration;
import io.keyslot.it.OtherJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Plays moves in processes of their own, which may be killed (SIGKILL) before any change that they make; this process then ends the
 * move. The next process starts while the one before is at work.
 */
final class CoordinatorJvms implements AutoCloseable {
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-Xmx128m");

    private final MovingServers servers;
    private final List<OtherJvm> all = new ArrayList<>();
    private OtherJvm next;

    CoordinatorJvms(MovingServers servers) {
        this.servers = servers;
        this.next = start();
    }

    private OtherJvm start() {
        try {
            List<String> arguments = new ArrayList<>(List.of("coordinator-" + (all.size() + 1)));
            arguments.addAll(servers.uris());
            OtherJvm other = OtherJvm.start(QUICK_START, CoordinatorMain.class, arguments.toArray(String[]::new));
            all.add(other);
            return other;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Plays a move to its end.
     *
     * @param kills whether its process is killed before a step, by its name and how often it was reached
     * @return the step before which it was killed, or how it ended
     */
    String play(String move, BiPredicate<String, Integer> kills) throws IOException {
        OtherJvm other = next;
        other.awaitLine(CoordinatorMain.READY);
        other.say(move);
        next = start();
        String end = end(other, kills);
        other.close();
        if (!end.startsWith(Pipe.OVER)) {
            Migration run = servers.run(move, "successor-" + move, step -> {});
            assertThat(run.run()).as("%s, %s", end, run.progress()).isIn(Migration.Outcome.FINISHED);
        }
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

    @Override
    public void close() {
        all.forEach(OtherJvm::close);
    }

    /** The other process: plays a move, and asks before each step. Begins when it is told to. */
    static final class CoordinatorMain {
        static final String READY = "ready";

        private CoordinatorMain() {}

        /** Takes a name, and the addresses of the servers. */
        public static void main(String[] arguments) {
            List<String> addresses = List.of(arguments).subList(1, arguments.length);
            try (RedisResources resources = RedisResources.create(new SystemTicker())) {
                Pipe.Asking maps = new Pipe.Asking();
                String move = maps.ask(READY);
                StepWatch watch = new StepWatch(maps::step);
                Migration.Outcome outcome = new Migration(
                                move,
                                arguments[0],
                                watch.watch(maps),
                                watch.watch(id -> MovingServers.connector(resources, addresses, id, maps.read())),
                                MovingServers.TIME)
                        .run();
                System.out.println(Pipe.OVER + outcome);
            }
        }
    }
}
