// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cache instance in this process, which stores entries up to a limit and can be taken away like a server.
 *
 * <p>It runs from the start. Each incarnation has its own epoch. Thread-safe, without threads of its own: commands are
 * executed on the caller's thread, and the returned futures are complete.
 */
public final class EmbeddedPartition {
    private final PartitionId id;
    private final long maximumBytes;
    private final Ticker ticker;
    private final Object lock = new Object();

    /** Written only under the lock. */
    private volatile Incarnation incarnation;

    private @Nullable Saved saved; // guarded by lock

    private record Saved(StoredEntries entries, EmbeddedRegister register) {}

    /**
     * Creates an empty, running partition.
     *
     * @param id the name in the slot map
     * @param maximumBytes the limit of the bytes of keys, envelopes and values, plus
     *     {@value StoredEntries#OVERHEAD_BYTES} per entry; the least useful entries beyond it are evicted
     * @param ticker the clock of expiry
     */
    public EmbeddedPartition(PartitionId id, long maximumBytes, Ticker ticker) {
        if (maximumBytes < 1) {
            throw new IllegalArgumentException(
                    "Embedded partition %s: maximumBytes is %d, must be at least 1".formatted(id, maximumBytes));
        }
        this.id = id;
        this.maximumBytes = maximumBytes;
        this.ticker = ticker;
        this.incarnation = new Incarnation(1, empty(), new EmbeddedRegister());
    }

    public PartitionId id() {
        return id;
    }

    public PartitionConnector connector() {
        return new EmbeddedConnector(this);
    }

    /** Takes the partition away: its connections are lost, and it accepts none until a restart. Idempotent. */
    public void kill() {
        List<EmbeddedConnection> left;
        synchronized (lock) {
            left = incarnation.connections().end();
        }
        lose(left, "was taken away");
    }

    /** Restarts the partition, empty and with another epoch, like a server without persistence. */
    public void restart() {
        begin(empty(), incarnation.register().forgotten());
    }

    /** Restarts the partition with its data but another epoch, like a server with persistence. */
    public void restartWithData() {
        begin(copyOf(incarnation.entries()), incarnation.register().restarted());
    }

    /** Replaces the saved copy by the present data, like a server that writes its file. */
    public void save() {
        StoredEntries copy = copyOf(incarnation.entries());
        synchronized (lock) {
            saved = new Saved(copy, incarnation.register().copy());
        }
    }

    /**
     * Restarts the partition with the data last {@linkplain #save() saved} but another epoch, like a server with an old
     * file.
     *
     * @throws IllegalStateException if it was never saved
     */
    public void restartWithSavedData() {
        Saved kept = saved();
        begin(copyOf(kept.entries()), incarnation.register().restartedWith(kept.register()));
    }

    private Saved saved() {
        synchronized (lock) {
            if (saved == null) {
                throw new IllegalStateException(address() + " has no saved data; save it before");
            }
            return saved;
        }
    }

    String address() {
        return "embedded:" + id;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    /** Ends this incarnation with all its data, and begins the next one. Returns false if it has ended already. */
    boolean succeed(Incarnation present) {
        List<EmbeddedConnection> left;
        synchronized (lock) {
            if (present.connections().isEnded()) {
                return false;
            }
            left = next(empty(), present.register());
        }
        lose(left, "has begun a new epoch");
        return true;
    }

    private void begin(StoredEntries entries, EmbeddedRegister register) {
        List<EmbeddedConnection> left;
        synchronized (lock) {
            left = next(entries, register);
        }
        lose(left, "was restarted");
    }

    /** Called with the lock held; the caller closes the connections without it, because that runs callbacks. */
    private List<EmbeddedConnection> next(StoredEntries entries, EmbeddedRegister register) {
        Incarnation before = incarnation;
        // First, so that no command begins in this incarnation after one may have begun in the next.
        List<EmbeddedConnection> left = before.connections().end();
        incarnation = new Incarnation(before.epoch() + 1, entries, register);
        return left;
    }

    private void lose(List<EmbeddedConnection> connections, String why) {
        connections.forEach(connection -> connection.lose(address() + " " + why));
    }

    private StoredEntries copyOf(StoredEntries entries) {
        StoredEntries copy = empty();
        entries.copyTo(copy);
        return copy;
    }

    private StoredEntries empty() {
        return new StoredEntries(maximumBytes, ticker);
    }

    @Override
    public String toString() {
        return address();
    }

    /**
     * The time between a start of a partition and its end, with the values stored meanwhile. The next incarnation has its
     * own entries, which a command still running on a connection of this one cannot change. Its connections end with it.
     */
    record Incarnation(int epoch, StoredEntries entries, EmbeddedRegister register, OpenConnections connections) {
        Incarnation(int epoch, StoredEntries entries, EmbeddedRegister register) {
            this(epoch, entries, register, new OpenConnections());
            entries.feeds().begin(epoch);
        }
    }

    /** The open connections of one owner; none is added after {@link #end}. Thread-safe. */
    static final class OpenConnections {
        private final Object lock = new Object();

        // Both are written under lock. Connections are closed without it, because that runs callbacks.
        private final Set<EmbeddedConnection> open = new HashSet<>();
        private volatile boolean ended;

        /** Adds a connection; returns false if it is lost, or {@link #end} was called. */
        boolean add(EmbeddedConnection connection) {
            synchronized (lock) {
                return !ended && !connection.lost().isDone() && open.add(connection);
            }
        }

        void remove(EmbeddedConnection connection) {
            synchronized (lock) {
                open.remove(connection);
            }
        }

        List<EmbeddedConnection> all() {
            synchronized (lock) {
                return List.copyOf(open);
            }
        }

        /** Accepts no further connections, and returns those to close; empty the second time. */
        List<EmbeddedConnection> end() {
            synchronized (lock) {
                ended = true;
                List<EmbeddedConnection> left = List.copyOf(open);
                open.clear();
                return left;
            }
        }

        boolean isEnded() {
            return ended;
        }
    }
}
