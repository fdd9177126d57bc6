// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes batches of entries. */
public final class Batches {
    private static final int FILLED_AT_ONCE = 500;

    private Batches() {}

    /** Returns all entries from 0 to {@code entries}, exclusive, in batches. */
    public static List<Batch> all(int entries, List<EncodedCustomer> samples) {
        return IntStream.iterate(0, first -> first < entries, first -> first + FILLED_AT_ONCE)
                .mapToObj(first -> Batch.of(IntStream.range(first, Math.min(entries, first + FILLED_AT_ONCE)), samples))
                .toList();
    }

    /**
     * Returns batches of chosen keys.
     *
     * @param count how many batches
     * @param size how many different keys each of them has
     */
    public static List<Batch> chosen(
            KeyChoice choice, int entries, int count, int size, List<EncodedCustomer> samples, long seed) {
        if (entries < size) {
            throw new IllegalArgumentException(
                    "A batch has %d different keys, but there are only %d".formatted(size, entries));
        }
        PrimitiveIterator.OfInt keys = choice.stream(entries, new Random(seed)).iterator();
        return Stream.generate(() ->
                        Batch.of(IntStream.generate(keys::nextInt).distinct().limit(size), samples))
                .limit(count)
                .toList();
    }
}
