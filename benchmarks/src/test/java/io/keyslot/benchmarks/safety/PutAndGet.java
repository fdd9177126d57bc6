// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import io.keyslot.benchmarks.contender.Conditions;
import io.keyslot.benchmarks.contender.Contender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What {@link SafetyBuildsIT} does in the JVM of each build. */
final class PutAndGet {
    private PutAndGet() {}

    /**
     * Prints what became of entries that were put, on servers and embedded, and where classes are from.
     *
     * @param arguments the addresses of servers, separated by commas; then the names of classes
     */
    public static void main(String[] arguments) throws ClassNotFoundException {
        PrintStream lines = System.out;
        // Libraries that print must not be mistaken for answers.
        System.setOut(System.err);
        List<URI> servers =
                Stream.of(arguments[0].split(",", -1)).map(URI::create).toList();
        lines.println("on servers: " + outcome("keyslot-metered", servers));
        lines.println("embedded: " + outcome("keyslot-embedded-metered", servers));
        for (String name : List.of(arguments).subList(1, arguments.length)) {
            Class<?> found = Class.forName(name, false, PutAndGet.class.getClassLoader());
            lines.println(
                    name + " of " + found.getProtectionDomain().getCodeSource().getLocation());
        }
    }

    /** Puts entries one by one and together, and reads them. */
    private static String outcome(String contender, List<URI> servers) {
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        try (Contender opened = ContenderType.of(contender).open(new Conditions(servers, Lifetime.MODIFIED))) {
            opened.put(1_000, samples.get(3));
            opened.putAll(Batch.of(IntStream.range(0, 100), samples));
            boolean isThere = Objects.equals(opened.get(1_000), samples.get(3).customer())
                    && Objects.equals(opened.get(7), samples.get(7).customer())
                    && opened.get(2_000) == null;
            return isThere ? "as it was put" : "something else";
        }
    }
}
