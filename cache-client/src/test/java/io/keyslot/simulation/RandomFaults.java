// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Faults at random, of one partition. Every other one takes a fault back, so that most calls meet something in between. */
final class RandomFaults {
    private static final List<Duration> DELAYS =
            List.of(Duration.ofMillis(20), Duration.ofMillis(150), Duration.ofMillis(390), Duration.ofSeconds(1));

    private final PartitionFaults partition;
    private final int processes;
    private final RandomGenerator random;
    private final Consumer<PartitionFaults> onLoss;
    private final Set<Integer> cutFrom = new HashSet<>();
    private boolean saved;

    /**
     * Creates faults that have not begun.
     *
     * @param onLoss is called when the partition has lost its data
     */
    RandomFaults(PartitionFaults partition, int processes, RandomGenerator random, Consumer<PartitionFaults> onLoss) {
        this.partition = partition;
        this.processes = processes;
        this.random = random;
        this.onLoss = onLoss;
    }

    /** Lets something happen. */
    void next() {
        if (random.nextBoolean()) {
            healOne();
        } else {
            begin();
        }
    }

    private void begin() {
        switch (random.nextInt(9)) {
            case 0 -> lose(partition::kill);
            case 1 -> restart();
            case 2, 3 -> partition.freeze();
            case 4 -> partition.slow(DELAYS.get(random.nextInt(DELAYS.size())));
            case 5 -> partition.dropReplies(1 + random.nextInt(3));
            case 6 -> partition.resetConnections();
            case 7 -> partition.refuseConnections();
            default -> cut(random.nextInt(processes));
        }
    }

    private void cut(int process) {
        cutFrom.add(process);
        partition.cut(process);
    }

    private void restart() {
        switch (random.nextInt(3)) {
            case 0 -> lose(partition::restartEmpty);
            case 1 -> lose(partition::restartWithSameData);
            default -> restartWithOldData();
        }
    }

    private void restartWithOldData() {
        if (saved) {
            lose(partition::restartWithOldData);
        } else {
            saved = true;
            partition.saveData();
        }
    }

    private void lose(Runnable fault) {
        fault.run();
        onLoss.accept(partition);
    }

    private void healOne() {
        if (!partition.isRunning()) {
            restart();
        }
        switch (random.nextInt(4)) {
            case 0 -> partition.thaw();
            case 1 -> partition.slow(Duration.ZERO);
            case 2 -> partition.acceptConnections();
            default -> mend();
        }
    }

    private void mend() {
        cutFrom.forEach(partition::mend);
        cutFrom.clear();
    }

    /** Takes everything back. */
    void heal() {
        if (!partition.isRunning()) {
            lose(partition::restartEmpty);
        }
        partition.thaw().slow(Duration.ZERO).acceptConnections().dropReplies(0);
        mend();
    }
}
