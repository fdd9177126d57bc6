// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache instance in this process, which keeps entries up to a bound and can be taken away like a server.
 *
 * <p>It is running from the start. Each of its lives has an epoch of its own. Safe for use by several threads; it has
 * none itself. Commands are executed on the caller's thread, and their futures are complete when they are returned.
 */
public final class EmbeddedPartition {
    private final PartitionId id;
    private final long maximumBytes;
    private final Ticker ticker;
    private final Object lock = new Object();

    /** Written under the lock only. */
    private volatile EmbeddedIncarnation incarnation;

    private @Nullable Saved saved; // guarded by lock

    /** What a server writes to its file. */
    private record Saved(StoredEntries entries, EmbeddedRegister register) {}

    /**
     * Creates an empty, running partition.
     *
     * @param maximumBytes the bytes of keys, envelopes and values, with an allowance of
     *     {@value StoredEntries#OVERHEAD_BYTES} for each entry, above which the least useful entries are evicted
     * @param ticker the time by which entries expire
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

    /** Returns the name in the slot map. */
    public PartitionId id() {
        return id;
    }

    /** Returns a new connector to this partition. */
    public PartitionConnector connector() {
        return new EmbeddedConnector(this);
    }

    /**
     * Takes the partition away: its connections are lost, and no new one can be made until it is restarted. Does nothing
     * if it is away.
     */
    public void kill() {
        List<EmbeddedConnection> left;
        synchronized (lock) {
            left = incarnation.end();
        }
        lose(left, "was taken away");
    }

    /** Starts the partition again, empty and with another epoch, as a server without persistence does. */
    public void restart() {
        begin(empty(), incarnation.register().forgotten());
    }

    /** Starts the partition again with what it had stored, but with another epoch, as a server with persistence does. */
    public void restartWithData() {
        begin(copyOf(incarnation.entries()), incarnation.register().restarted());
    }

    /** Keeps a copy of what is stored now, in place of an older one, as a server does that writes its file. */
    public void save() {
        StoredEntries copy = copyOf(incarnation.entries());
        synchronized (lock) {
            saved = new Saved(copy, incarnation.register().copy());
        }
    }

    /**
     * Starts the partition again with what it had stored when it was last {@linkplain #save() saved}, but with another
     * epoch, as a server does that reads an old file.
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

    /** Returns where the partition is, for messages. */
    String address() {
        return "embedded:" + id;
    }

    /** Returns the present life, or the last one if the partition is away. */
    EmbeddedIncarnation incarnation() {
        return incarnation;
    }

    /**
     * Ends this life, with all that it has stored, and begins the next one. Does nothing if it is over. Returns whether
     * it was not.
     */
    boolean succeed(EmbeddedIncarnation present) {
        List<EmbeddedConnection> left;
        synchronized (lock) {
            if (present.isEnded()) {
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

    /** Called with the lock held. Connections are lost outside of it, because that runs what waits for their loss. */
    private List<EmbeddedConnection> next(StoredEntries entries, EmbeddedRegister register) {
        EmbeddedIncarnation before = incarnation;
        // First, so that no command begins in this life once one may have begun in the next.
        List<EmbeddedConnection> left = before.end();
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
