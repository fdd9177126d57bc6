// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.config.Deadlines;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one partition of a test. Every method takes effect before it returns; clients notice it when they would
 * notice it of a server. A lasting fault, such as a freeze, lasts until it is reverted or the partition is killed or
 * restarted; a slow or cut line stays so even then.
 *
 * <p>Safe for use by several threads.
 */
public final class PartitionFaults {
    private final EmbeddedPartition partition;
    private final Network network;
    private final RandomGenerator chance;

    // Modified only within Network.change.
    private final Set<Line> lines = new LinkedHashSet<>();
    private final Set<Integer> cutFrom = new TreeSet<>();
    private final Map<Integer, Long> delaysNanos = new HashMap<>();
    private volatile boolean running = true;
    private volatile boolean frozen;
    private boolean refusesConnections;
    private boolean voidsAll;
    private @Nullable WriteRefusal writeRefusal;
    private int repliesToLose;
    private long delayNanos;
    private int commandsToRefuse;
    private Consumer<Command<?>> watcher = command -> {};

    PartitionFaults(EmbeddedPartition partition, Network network, RandomGenerator chance) {
        this.partition = partition;
        this.network = network;
        this.chance = chance;
    }

    PartitionConnector line(int process, Deadlines deadlines) {
        Line line = new Line(this, process, network, partition.connector(), deadlines);
        network.change(() -> lines.add(line));
        return line;
    }

    void forget(Line line) {
        network.change(() -> lines.remove(line));
    }

    /** Returns the name in the slot map. */
    public String name() {
        return partition.id().name();
    }

    /** Returns whether the partition runs; it may be frozen. */
    public boolean isRunning() {
        return running;
    }

    /** Stops the partition like {@code kill -9}: connections are lost, and new ones are refused. */
    public PartitionFaults kill() {
        network.change(() -> {
            running = false;
            beginIncarnation();
            partition.kill();
            resume();
        });
        return this;
    }

    /** Restarts the partition without data. */
    public PartitionFaults restartEmpty() {
        return restart(partition::restart);
    }

    /** Restarts the partition with all its data, as another incarnation. */
    public PartitionFaults restartWithSameData() {
        return restart(partition::restartWithData);
    }

    /** Saves the current data for {@link #restartWithOldData}. */
    public PartitionFaults saveData() {
        partition.save();
        return this;
    }

    /**
     * Restarts the partition with the data of the last {@link #saveData}, like a server that loads an old snapshot.
     *
     * @throws IllegalStateException if {@code saveData} was never called
     */
    public PartitionFaults restartWithOldData() {
        return restart(partition::restartWithSavedData);
    }

    private PartitionFaults restart(Runnable start) {
        network.change(() -> {
            start.run();
            running = true;
            beginIncarnation();
            resume();
        });
        return this;
    }

    private void beginIncarnation() {
        frozen = false;
        refusesConnections = false;
        writeRefusal = null;
        repliesToLose = 0;
        commandsToRefuse = 0;
    }

    /** Pauses the partition like {@code SIGSTOP}: commands and connects are not answered. */
    public PartitionFaults freeze() {
        network.change(() -> frozen = running);
        return this;
    }

    /**
     * Continues a frozen partition and executes the commands that were sent meanwhile, unless a connection that
     * replaced theirs is made first; if both are waiting, the seed decides.
     */
    public PartitionFaults thaw() {
        network.change(() -> {
            frozen = false;
            resume();
        });
        return this;
    }

    /** Delays every answer by this time, half of it on the way there and half on the way back; zero ends the delay. */
    public PartitionFaults slow(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    "Partition %s: the delay is %s, must not be negative".formatted(name(), delay));
        }
        network.change(() -> delayNanos = delay.toNanos());
        return this;
    }

    /** Delays every answer to one process by this time, if it is longer than the delay for all; zero ends the delay. */
    void slow(int process, Duration delay) {
        network.change(() -> delaysNanos.put(process, delay.toNanos()));
    }

    /** Reports each change as an invalidation of everything, like a server that has dropped its tracking table. */
    void voidAll(boolean forgets) {
        network.change(() -> voidsAll = forgets);
    }

    boolean voidsAll() {
        return voidsAll;
    }

    /** Executes the next commands and loses their replies. */
    public PartitionFaults dropReplies(int count) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    "Partition %s: %d replies cannot be dropped, must be 0 or more".formatted(name(), count));
        }
        network.change(() -> repliesToLose = count);
        return this;
    }

    /** Breaks all connections; new ones can be made at once. */
    public PartitionFaults resetConnections() {
        network.change(() -> List.copyOf(lines).forEach(Line::reset));
        return this;
    }

    /** Refuses new connections, like a server with too many clients; existing ones stay. */
    public PartitionFaults refuseConnections() {
        network.change(() -> refusesConnections = running);
        return this;
    }

    /** Accepts new connections again. */
    public PartitionFaults acceptConnections() {
        network.change(() -> refusesConnections = false);
        return this;
    }

    /** Executes reads, and refuses writes and, except for {@link WriteRefusal#FULL}, deletions. */
    public PartitionFaults refuseWrites(WriteRefusal why) {
        network.change(() -> writeRefusal = running ? why : null);
        return this;
    }

    /** Executes writes again. */
    public PartitionFaults acceptWrites() {
        network.change(() -> writeRefusal = null);
        return this;
    }

    @Nullable
    WriteRefusal refusalOf(Command<?> command) {
        WriteRefusal why = writeRefusal;
        return why != null && why.refuses(command) ? why : null;
    }

    /**
     * Cuts the line between this partition and one process of {@link EmbeddedKeyslot#cacheManager(int)}. Commands that
     * are sent meanwhile arrive when the line is mended, unless their connection was replaced.
     */
    public PartitionFaults cut(int process) {
        network.change(() -> cutFrom.add(process));
        return this;
    }

    /** Reconnects this partition and one process. */
    public PartitionFaults mend(int process) {
        network.change(() -> {
            cutFrom.remove(process);
            resume();
        });
        return this;
    }

    private void resume() {
        boolean handshakesFirst = chance.nextBoolean();
        List.copyOf(lines).forEach(line -> line.resume(handshakesFirst));
    }

    /** Calls the watcher for each command at the moment when it is sent. */
    void watch(Consumer<Command<?>> newWatcher) {
        network.change(() -> watcher = newWatcher);
    }

    /** Refuses the next commands like a server that is busy with a script: clients repeat them. */
    public PartitionFaults refuseNow(int count) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    "Partition %s: %d commands cannot be refused, must be 0 or more".formatted(name(), count));
        }
        network.change(() -> commandsToRefuse = count);
        return this;
    }

    void reportSent(Command<?> command) {
        watcher.accept(command);
    }

    boolean isBusy() {
        if (commandsToRefuse == 0) {
            return false;
        }
        commandsToRefuse--;
        return true;
    }

    boolean isFrozen() {
        return frozen;
    }

    boolean isCutFrom(int process) {
        return cutFrom.contains(process);
    }

    boolean refusesConnections() {
        return refusesConnections;
    }

    long delayNanos(int process) {
        return Math.max(delayNanos, delaysNanos.getOrDefault(process, 0L));
    }

    boolean losesReply() {
        if (repliesToLose == 0) {
            return false;
        }
        repliesToLose--;
        return true;
    }

    @Override
    public String toString() {
        List<String> faults = network.change(this::faults);
        return faults.isEmpty() ? partition.toString() : partition + " (" + String.join(", ", faults) + ")";
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!running) {
            faults.add("killed");
        }
        if (frozen) {
            faults.add("frozen");
        }
        if (delayNanos > 0) {
            faults.add("slow by " + Duration.ofNanos(delayNanos).toMillis() + " ms");
        }
        if (repliesToLose > 0) {
            faults.add("drops " + repliesToLose + " replies");
        }
        if (commandsToRefuse > 0) {
            faults.add("is busy for " + commandsToRefuse + " commands");
        }
        if (refusesConnections) {
            faults.add("refuses connections");
        }
        if (writeRefusal != null) {
            faults.add("refuses writes: " + writeRefusal);
        }
        if (!cutFrom.isEmpty()) {
            faults.add("cut from processes " + cutFrom);
        }
        return faults;
    }
}
