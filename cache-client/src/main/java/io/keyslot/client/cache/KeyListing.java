// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.ScanPart;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists the keys of all partitions, one partition after the other, each key once, though a partition may list a key
 * twice. For use by one thread.
 */
final class KeyListing {
    private final KeyScan scan;
    private final Supplier<CallBudget> budgets;
    private final Consumer<KeyslotException> missing;
    private final Deque<ScanPart> parts;
    private final Set<EncodedKey> seen = new HashSet<>();
    private @Nullable ScanPart part;
    private String cursor = ScanPage.START;

    /** Creates a listing; {@code missing} gets the failure of a partition, which is then skipped, or throws. */
    KeyListing(KeyScan scan, Supplier<CallBudget> budgets, Consumer<KeyslotException> missing) {
        this.scan = scan;
        this.budgets = budgets;
        this.missing = missing;
        this.parts = new ArrayDeque<>(scan.parts());
    }

    boolean addPageTo(Collection<EncodedKey> keys) {
        ScanPart now = part == null ? nextPart() : part;
        if (now == null) {
            return false;
        }
        part = now;
        try {
            ScanPage page = scan.page(now, cursor, budgets.get());
            page.keys().stream().filter(seen::add).forEach(keys::add);
            cursor = page.next();
            if (page.isLast()) {
                end(scan.rest(now, budgets.get()));
            }
        } catch (KeyslotException e) {
            passOver(now, e);
        }
        return true;
    }

    private @Nullable ScanPart nextPart() {
        ScanPart next = parts.poll();
        if (next != null && !next.isContinued()) {
            seen.clear();
        }
        return next;
    }

    private void passOver(ScanPart now, KeyslotException failure) {
        if (!scan.isGone(now)) {
            missing.accept(failure);
        }
        end(scan.moved(now));
    }

    /** Keys that have moved meanwhile come next, while the keys listed so far are still remembered. */
    private void end(List<ScanPart> rest) {
        rest.forEach(parts::addFirst);
        part = null;
        cursor = ScanPage.START;
    }
}
