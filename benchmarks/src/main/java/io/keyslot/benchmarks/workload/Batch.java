// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Some different keys, each with a value: what a bulk operation is about. Immutable. */
public final class Batch {
    private final List<Long> ids;
    private final List<EncodedCustomer> values;
    private final Map<Long, Customer> customers = new LinkedHashMap<>();

    private Batch(List<Long> ids, List<EncodedCustomer> values) {
        this.ids = ids;
        this.values = values;
        for (int i = 0; i < ids.size(); i++) {
            customers.put(ids.get(i), values.get(i).customer());
        }
    }

    /** Makes a batch of these ids, without those that occur again. */
    public static Batch of(IntStream ids, List<EncodedCustomer> samples) {
        List<Long> distinct = ids.distinct().asLongStream().boxed().toList();
        List<EncodedCustomer> values = new ArrayList<>();
        distinct.forEach(id -> values.add(samples.get((int) (id % samples.size()))));
        return new Batch(distinct, List.copyOf(values));
    }

    /** Returns the ids. */
    public List<Long> ids() {
        return ids;
    }

    /** Returns the values in the order of the ids. */
    public List<EncodedCustomer> values() {
        return values;
    }

    /** Returns the ids as the parameter of {@code getAll}. */
    public Set<Long> keys() {
        return customers().keySet();
    }

    /** Returns the values by their ids, as the parameter of {@code putAll}; not to be changed. */
    public Map<Long, Customer> customers() {
        return customers;
    }

    /** Returns how many entries there are. */
    public int size() {
        return ids.size();
    }
}
