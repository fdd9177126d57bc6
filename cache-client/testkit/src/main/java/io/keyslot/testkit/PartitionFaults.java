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
 * One partition of a test, and what can happen to it. Every method has its effect before it returns; clients notice when
 * they would notice it of a server. What lasts, such as a freeze, lasts until it is taken back or the partition is killed
 * or restarted; a slow or cut line stays so.
 *
 * <p>Safe for use by several threads.
 */
public final class PartitionFaults {
    private final EmbeddedPartition partition;
    private final Network network;
    private final RandomGenerator chance;

    // Changed only within a change of the network.
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

    /** Returns the line of one more client. */
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

    /** Returns whether the partition is there; it may be frozen. */
    public boolean isRunning() {
        return running;
    }

    /** Takes the partition away, as {@code kill -9} does: connections are lost, and new ones are refused. */
    public PartitionFaults kill() {
        network.change(() -> {
            running = false;
            beginIncarnation();
            partition.kill();
            resume();
        });
        return this;
    }

    /** Starts the partition again without data. */
    public PartitionFaults restartEmpty() {
        return restart(partition::restart);
    }

    /** Starts the partition again with all that it had stored, in memory of which it is another life all the same. */
    public PartitionFaults restartWithSameData() {
        return restart(partition::restartWithData);
    }

    /** Marks what is stored now as the data with which {@link #restartWithOldData} starts the partition. */
    public PartitionFaults saveData() {
        partition.save();
        return this;
    }

    /**
     * Starts the partition again with what was stored when {@link #saveData} was called, as a server does that reads the
     * last file it had written.
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

    /**
     * Stops the partition where it is, as {@code SIGSTOP} does: commands are neither executed nor answered, and connects
     * are not answered.
     */
    public PartitionFaults freeze() {
        network.change(() -> frozen = running);
        return this;
    }

    /**
     * Lets a frozen partition go on. What was sent meanwhile is executed now, unless a connection that replaced the one it
     * was sent on comes first: which of the two does, if both are waiting, is a matter of the seed.
     */
    public PartitionFaults recovery() {
        network.change(() -> {
            frozen = false;
            resume();
        });
        return this;
    }

    /** Lets every answer take so long from now on, half of it there and half of it back; zero ends it. */
    public PartitionFaults slow(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    "Partition %s: the delay is %s, must not be negative".formatted(name(), delay));
        }
        network.change(() -> delayNanos = delay.toNanos());
        return this;
    }

    /** Lets every answer to one process take so long from now on, if that is longer than to all; zero ends it. */
    void slow(int process, Duration delay) {
        network.change(() -> delaysNanos.put(process, delay.toNanos()));
    }

    /** Says of each change only that anything may have changed, as a server does that has forgotten what was read. */
    void voidAll(boolean forgets) {
        network.change(() -> voidsAll = forgets);
    }

    boolean voidsAll() {
        return voidsAll;
    }

    /** Lets the next commands be executed and their replies be lost. */
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

    /** Refuses new connections, as a server with too many clients does; those that exist stay. */
    public PartitionFaults refuseConnections() {
        network.change(() -> refusesConnections = running);
        return this;
    }

    /** Accepts new connections again. */
    public PartitionFaults acceptConnections() {
        network.change(() -> refusesConnections = false);
        return this;
    }

    /** Lets reads be executed and writes be refused, deletions mostly too: nothing is changed and all is answered. */
    public PartitionFaults refuseWrites(WriteRefusal why) {
        network.change(() -> writeRefusal = running ? why : null);
        return this;
    }

    /** Executes writes again. */
    public PartitionFaults acceptWrites() {
        network.change(() -> writeRefusal = null);
        return this;
    }

    /** Returns why the command is refused, null if it is executed. */
    @Nullable
    WriteRefusal refusalOf(Command<?> command) {
        WriteRefusal why = writeRefusal;
        return why != null && why.refuses(command) ? why : null;
    }

    /**
     * Lets nothing pass between this partition and one process; the others do not notice. What is sent meanwhile arrives
     * when the line is mended, unless the connection it was sent on was replaced.
     *
     * @param process as in {@link EmbeddedKeyslot#cacheManager(int)}
     */
    public PartitionFaults cut(int process) {
        network.change(() -> cutFrom.add(process));
        return this;
    }

    /** Lets everything pass again between this partition and one process. */
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

    /** Has each command told that is sent to the partition, at the moment when it is sent. */
    void watch(Consumer<Command<?>> newWatcher) {
        network.change(() -> watcher = newWatcher);
    }

    /**
     * Lets the next commands be refused as by a server that is busy with a script: none of them is executed, and clients send
     * them again.
     */
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

    /** Returns whether the command that has arrived is refused, and counts it. */
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

    /** Returns whether the reply that is about to be sent is lost, and counts it. */
    boolean losesReply() {
        if (repliesToLose == 0) {
            return false;
        }
        repliesToLose--;
        return true;
    }

    /** Returns the partition and what is the matter with it, for messages. */
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
