// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import io.keyslot.benchmarks.contender.Conditions;
import io.keyslot.benchmarks.contender.Contender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What {@link SafetyBuildsIT} does with the classes of each build, which a class loader of its own has. */
public final class PutAndGet {
    private PutAndGet() {}

    /** Returns what became of entries that were put, one by one and together. */
    public static String run(String contender, String servers) {
        List<URI> uris = Stream.of(servers.split(",", -1)).map(URI::create).toList();
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        try (Contender opened = ContenderType.of(contender).open(new Conditions(uris, Lifetime.MODIFIED))) {
            opened.put(1_000, samples.get(3));
            opened.putAll(Batch.of(IntStream.range(0, 100), samples));
            boolean isThere = Objects.equals(opened.get(1_000), samples.get(3).customer())
                    && Objects.equals(opened.get(7), samples.get(7).customer())
                    && opened.get(2_000) == null;
            return isThere ? "as it was put" : "something else";
        }
    }
}
