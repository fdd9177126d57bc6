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
 * A cache of customers in the build of Keyslot of this class's loader, with only JDK classes as parameters and results.
 */
public final class BuildSide {
    /** Gets the customer with this number, which must exist. */
    public static final String GET = "get";

    /** Puts the customer with this number. */
    public static final String PUT = "put";

    /** Closes the cache; the number is ignored. */
    public static final String CLOSE = "close";

    private static final int AT_ONCE = 500;

    private BuildSide() {}

    /** Opens and fills a cache on empty servers, and returns its operations by name. Entries are a multiple of 500. */
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
