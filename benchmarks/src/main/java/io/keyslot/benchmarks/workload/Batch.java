// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Distinct keys with values, for a bulk operation. Immutable. */
public final class Batch {
    private static final int FILLED_AT_ONCE = 500;

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

    /** Returns a batch of these ids without duplicates. */
    public static Batch of(IntStream ids, List<EncodedCustomer> samples) {
        List<Long> distinct = ids.distinct().asLongStream().boxed().toList();
        List<EncodedCustomer> values = new ArrayList<>();
        distinct.forEach(id -> values.add(samples.get((int) (id % samples.size()))));
        return new Batch(distinct, List.copyOf(values));
    }

    /** Returns all entries from 0 to {@code entries}, exclusive, in batches. */
    public static List<Batch> all(int entries, List<EncodedCustomer> samples) {
        return IntStream.iterate(0, first -> first < entries, first -> first + FILLED_AT_ONCE)
                .mapToObj(first -> of(IntStream.range(first, Math.min(entries, first + FILLED_AT_ONCE)), samples))
                .toList();
    }

    /** Returns {@code count} batches of {@code size} chosen distinct keys. */
    public static List<Batch> chosen(
            KeyChoice choice, int entries, int count, int size, List<EncodedCustomer> samples, long seed) {
        if (entries < size) {
            throw new IllegalArgumentException(
                    "A batch has %d different keys, but there are only %d".formatted(size, entries));
        }
        PrimitiveIterator.OfInt keys = choice.stream(entries, new Random(seed)).iterator();
        return Stream.generate(
                        () -> of(IntStream.generate(keys::nextInt).distinct().limit(size), samples))
                .limit(count)
                .toList();
    }

    public List<Long> ids() {
        return ids;
    }

    public List<EncodedCustomer> values() {
        return values;
    }

    public Set<Long> keys() {
        return customers().keySet();
    }

    /** Returns the values by id, as the parameter of {@code putAll}; do not modify. */
    public Map<Long, Customer> customers() {
        return customers;
    }

    public int size() {
        return ids.size();
    }
}
