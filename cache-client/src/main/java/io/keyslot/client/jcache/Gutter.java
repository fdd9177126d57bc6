// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the copies of a cache's entries are while their partition is missing: in slots of partitions that answer, the
 * same in all processes that miss the same partitions. A copy is what a loader has returned. Thread-safe.
 * <ul>
 * <li>Copies are used only while this process cannot ask the partition of the entry.
 * <li>A copy ends {@code kept} after the beginning of its load. After an attempt to change an entry, this process uses no
 * copy of its slot that a load from before may have left.
 * <li>Such an attempt also removes the copy if the partition is missing, for other processes; that may fail.
 * </ul>
 *
 * <p>Source: Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.3.
 */
record Gutter(PartitionRouter router, RecentWrites writes, Duration kept, CacheTelemetry telemetry, Ticker ticker)
        implements EntryChanges {
    /** Enough to find a partition that answers if half of the slots are missing, but for one key in 4 billion. */
    private static final int MOST_NUMBERS = 32;

    private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(1);

    Gutter {
        writes.recordTimes();
    }

    /** Returns the key of the copy that may answer for an entry, or null if there is none. */
    @Nullable
    EncodedKey usableCopyOf(EncodedKey key) {
        // A server that hangs stores the copy of a load later, but not after its lease.
        return writes.isChangedWithin(kept.plus(Lease.TIME_TO_LIVE), key) ? null : copyOf(key);
    }

    private @Nullable EncodedKey copyOf(EncodedKey key) {
        Topology now = router.topology();
        Topology.Place owner = now.placeOf(key);
        if (owner == null || isAsked(owner)) {
            return null;
        }
        for (int number = 0; number < MOST_NUMBERS; number++) {
            EncodedKey copy = key.copy(number);
            Topology.Place place = now.placeOf(copy);
            if (place != null && isAsked(place)) {
                return copy;
            }
        }
        return null;
    }

    private static boolean isAsked(Topology.Place place) {
        Partition partition = place.partition();
        return partition != null && partition.isAsked();
    }

    /** Returns the command that stores a copy until its time is over, or null if it is; the load began at {@code start}. */
    Command.@Nullable CompareAndSet limited(Command.CompareAndSet copy, long start) {
        long left = TimeUnit.NANOSECONDS.toMillis(kept.toNanos() - (ticker.nanos() - start));
        Expiry expiry = copy.expiry();
        return left < 1
                ? null
                : new Command.CompareAndSet(
                        copy.key(),
                        copy.expectedStamp(),
                        copy.envelope(),
                        Expiry.afterMillis(expiry.isNever() ? left : Math.min(left, expiry.millis())));
    }

    @Override
    public void changing(EncodedKey key) {
        if (copyOf(key) != null) {
            changing(List.of(key));
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, the copies end by themselves
    public void changing(List<EncodedKey> keys) {
        List<EncodedKey> copies =
                keys.stream().map(this::copyOf).filter(Objects::nonNull).toList();
        if (!copies.isEmpty()) {
            Patience soon = Patience.until(Deadline.after(ticker, LONGEST_REMOVAL));
            router.send(Call.of(new BulkCommand.Remove(copies), soon));
        }
    }
}
