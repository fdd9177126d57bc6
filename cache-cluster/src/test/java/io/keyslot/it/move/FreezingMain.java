// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.cluster.move.MoveRuns;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.it.KeyslotManagers;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * The other process: plays a move by the catalogue of the instances, and stands still before a step until it is killed. Steps
 * before the first freeze are not counted.
 */
final class FreezingMain {
    private FreezingMain() {}

    /** Takes a move, a step, how many times it comes before that, and the addresses of the servers. */
    public static void main(String[] arguments) throws Exception {
        String move = arguments[0];
        String last = arguments[1];
        int[] left = {Integer.parseInt(arguments[2])};
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.engine", "instances");
        properties.setProperty("keyslot.partitions", arguments[3]);
        boolean[] isFrozen = {false};
        StepWatch watch = new StepWatch(step -> {
            isFrozen[0] |= step.endsWith(" FROZEN");
            if (isFrozen[0] && step.equals(last) && left[0]-- == 0) {
                System.out.println(Pipe.STEP + step);
                while (true) {
                    LockSupport.park();
                }
            }
        });
        ExecutorService threads = Executors.newCachedThreadPool();
        try (OpenCatalogue client = OpenCatalogue.of(properties)) {
            MoveRuns runs = new MoveRuns(
                    "freezing-" + move,
                    watch.watch(client.maps()),
                    watch.watch(client::connector),
                    client.time(),
                    threads);
            System.out.println(Pipe.OVER + runs.run(some -> some.id().equals(move)));
        }
        threads.shutdownNow();
    }
}
