// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cache of customers of whichever build of Keyslot the class loader of this class has. What goes in and out are classes of the JDK,
 * so that a class of another class loader can call it.
 */
public final class BuildSide {
    /** Gets the customer of this number, which must be there. */
    public static final String GET = "get";

    /** Puts the customer of this number. */
    public static final String PUT = "put";

    /** Closes the cache, whatever the number. */
    public static final String CLOSE = "close";

    private static final int AT_ONCE = 500;

    private BuildSide() {}

    /**
     * Opens and fills one.
     *
     * @param addresses of servers that are empty, separated by commas
     * @param entries how many there are, a multiple of 500
     * @return what can be done, by name
     */
    public static Map<String, IntConsumer> open(String addresses, int entries) {
        List<URI> servers = Stream.of(addresses.split(",", -1)).map(URI::create).toList();
        Contender contender = KeyslotContenders.instances(new Conditions(servers, Lifetime.MODIFIED));
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        for (int first = 0; first < entries; first += AT_ONCE) {
            contender.putAll(Batch.of(IntStream.range(first, first + AT_ONCE), samples));
        }
        return Map.of(
                GET,
                entry -> Objects.requireNonNull(contender.get(entry), "an entry was lost"),
                PUT,
                entry -> contender.put(entry, samples.get(entry % samples.size())),
                CLOSE,
                entry -> contender.close());
    }
}
