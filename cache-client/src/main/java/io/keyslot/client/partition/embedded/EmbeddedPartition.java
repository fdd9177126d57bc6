// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.List;
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
    private volatile EmbeddedIncarnation incarnation;

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
        this.incarnation = new EmbeddedIncarnation(1, empty(), new EmbeddedRegister());
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

    EmbeddedIncarnation incarnation() {
        return incarnation;
    }

    /** Ends this incarnation with all its data, and begins the next one. Returns false if it has ended already. */
    boolean succeed(EmbeddedIncarnation present) {
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
        EmbeddedIncarnation before = incarnation;
        // First, so that no command begins in this incarnation after one may have begun in the next.
        List<EmbeddedConnection> left = before.connections().end();
        incarnation = new EmbeddedIncarnation(before.epoch() + 1, entries, register);
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
}
