// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.concurrent.CallBudget;
import java.time.Duration;

/**
 * What is the same for all entries that one call loads.
 *
 * @param budget what is left of the call's time for partitions
 * @param spentBefore what was spent of it before the first of the loads began
 * @param isBulk whether the loader is asked for all entries at once
 * @param replaces whether an entry that is there, or known to have no value, is loaded all the same
 * @param mayBeStale whether a stale value may stand in for one that could not be loaded
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

    /** Returns the call after it has looked again: what is there now is new enough. */
    LoadCall again() {
        return new LoadCall(budget, spentBefore, isBulk, false, mayBeStale);
    }

    /** Returns the call for one of its entries alone, of which what is there now is new enough. */
    LoadCall ofOne() {
        return new LoadCall(budget, budget.spent(), false, false, mayBeStale);
    }

    /** Returns how long a load waited for its entry's partition; zero if others were asked as well. */
    Duration spent() {
        return isBulk ? Duration.ZERO : budget.spent().minus(spentBefore);
    }
}
