// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.concurrent.CallBudget;
import java.time.Duration;

/**
 * The common properties of all loads of one call: the remaining time for partitions, the time spent before the first
 * load, and whether the loader gets all entries at once, present entries are loaded as well, and stale values may
 * replace failed loads.
 */
record LoadCall(CallBudget budget, Duration spentBefore, boolean isBulk, boolean replaces, boolean mayBeStale) {
    static LoadCall get(CallBudget budget) {
        return new LoadCall(budget, budget.spent(), false, false, true);
    }

    static LoadCall getAll(CallBudget budget) {
        return new LoadCall(budget, budget.spent(), true, false, true);
    }

    static LoadCall loadAll(CallBudget budget) {
        return new LoadCall(budget, budget.spent(), true, true, false);
    }

    /** Returns the call after it has read the entries again, which are recent enough now. */
    LoadCall again() {
        return new LoadCall(budget, spentBefore, isBulk, false, mayBeStale);
    }

    /** Returns the call for one of its entries, which is recent enough if it was read again. */
    LoadCall ofOne() {
        return new LoadCall(budget, budget.spent(), false, false, mayBeStale);
    }

    /** Returns how long a load waited for its entry's partition, or zero if the call has several entries. */
    Duration spent() {
        return isBulk ? Duration.ZERO : budget.spent().minus(spentBefore);
    }
}
