// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.cluster.move.Migration;
import java.util.List;

/** The other process: plays a move, and asks before each step. Begins when it is told to. */
final class CoordinatorMain {
    static final String READY = "ready";

    private CoordinatorMain() {}

    /** Takes a name, and the addresses of the servers. */
    public static void main(String[] arguments) {
        List<String> addresses = List.of(arguments).subList(1, arguments.length);
        try (RedisResources resources = RedisResources.create(System::nanoTime)) {
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
