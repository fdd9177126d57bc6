// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** Counts a visit of a customer, in one step with every other change of that customer. */
final class CountVisit implements EntryProcessor<Integer, Customer, @Nullable Integer> {
    @Override
    public @Nullable Integer process(MutableEntry<Integer, Customer> entry, Object... arguments) {
        Customer customer = entry.getValue();
        if (customer == null) {
            return null;
        }
        Customer after = customer.afterVisit();
        entry.setValue(after);
        return after.visits();
    }
}
