// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Faults at random, of one partition. Every other one takes a fault back, so that most calls meet something in between. */
public final class RandomFaults {
    /** So long that what was sent arrives after its connection was replaced. */
    static final Duration LONGEST_DELAY = Duration.ofSeconds(20);

    private static final List<Duration> DELAYS =
            List.of(Duration.ofMillis(20), Duration.ofMillis(150), Duration.ofMillis(390), LONGEST_DELAY);

    private static final List<WriteRefusal> REFUSALS = List.of(WriteRefusal.values());

    private final PartitionFaults partition;
    private final int processes;
    private final RandomGenerator random;
    private final Consumer<PartitionFaults> onLoss;
    private final Set<Integer> cutFrom = new HashSet<>();
    private boolean saved;
    private boolean refusesWrites;

    /**
     * Creates faults that have not begun.
     *
     * @param onLoss is called when the partition has lost its data
     */
    public RandomFaults(
            PartitionFaults partition, int processes, RandomGenerator random, Consumer<PartitionFaults> onLoss) {
        this.partition = partition;
        this.processes = processes;
        this.random = random;
        this.onLoss = onLoss;
    }

    /** Refused writes are among the faults: what was refused may be a miss until the partition takes writes again. */
    public RandomFaults withRefusedWrites() {
        refusesWrites = true;
        return this;
    }

    /** Lets something happen. */
    public void next() {
        if (random.nextBoolean()) {
            healOne();
        } else {
            begin();
        }
    }

    private void begin() {
        switch (random.nextInt(refusesWrites ? 11 : 9)) {
            case 0 -> lose(partition::kill);
            case 1 -> restart();
            case 2, 3 -> partition.freeze();
            case 4 -> partition.slow(DELAYS.get(random.nextInt(DELAYS.size())));
            case 5 -> partition.dropReplies(1 + random.nextInt(3));
            case 6 -> partition.resetConnections();
            case 7 -> partition.refuseConnections();
            case 9, 10 -> partition.refuseWrites(REFUSALS.get(random.nextInt(REFUSALS.size())));
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
        switch (random.nextInt(refusesWrites ? 5 : 4)) {
            case 0 -> partition.thaw();
            case 1 -> partition.slow(Duration.ZERO);
            case 2 -> partition.acceptConnections();
            case 4 -> partition.acceptWrites();
            default -> mend();
        }
    }

    private void mend() {
        cutFrom.forEach(partition::mend);
        cutFrom.clear();
    }

    /** Takes everything back. */
    public void heal() {
        if (!partition.isRunning()) {
            lose(partition::restartEmpty);
        }
        partition.thaw().slow(Duration.ZERO).acceptConnections().acceptWrites().dropReplies(0);
        mend();
    }
}
