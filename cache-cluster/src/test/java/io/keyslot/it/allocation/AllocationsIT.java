// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.OtherJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * No path allocates more than it did when {@code allocations.txt} was written.
 *
 * <p>Bytes, not time: they are the same on a busy machine. The JVM that is measured has no escape analysis, whose decisions
 * differ from run to run; so it allocates what the code says, more than in production, and the same on every JDK but for
 * the JDK's own classes.
 */
class AllocationsIT {
    private static final Path EXPECTED =
            Path.of("src", "test", "resources", "io", "keyslot", "it", "allocation", "allocations.txt");

    private static final String RENEW = "keyslot.allocations.renew";
    private static final List<String> WITHOUT_ESCAPE_ANALYSIS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    @Test
    void paths_allocateNoMoreThanExpected() throws Exception {
        SortedMap<String, Long> measured = measured();

        if (Boolean.getBoolean(RENEW)) {
            new ExpectedAllocations(measured).write(EXPECTED);
        }
        assertThat(ExpectedAllocations.read(EXPECTED).problems(measured))
                .as("If this is meant, renew the figures: %s", ExpectedAllocations.RENEWAL)
                .isEmpty();
    }

    private static SortedMap<String, Long> measured() throws Exception {
        SortedMap<String, Long> measured = new TreeMap<>();
        try (TestServers servers = TestServers.start(3);
                OtherJvm program = OtherJvm.start(
                        WITHOUT_ESCAPE_ANALYSIS,
                        AllocationProgram.class,
                        servers.uris().toArray(String[]::new))) {
            program.awaitSuccess();
            for (String line : program.remainingLines()) {
                int blank = line.indexOf(' ');
                measured.put(line.substring(0, blank), Long.valueOf(line.substring(blank + 1)));
            }
        }
        return measured;
    }

    /**
     * How many bytes a call of each path may allocate, as a file says: lines such as {@code embedded.get = 2664}.
     *
     * <p>Only more than that is a failure. Fewer bytes should be written down, so that they stay.
     */
    private record ExpectedAllocations(SortedMap<String, Long> bytesByPath) {
        static final String RENEWAL = "./mvnw -pl cache-cluster -am verify -Dit.test=AllocationsIT -Dtest=none"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false"
                + " -Dkeyslot.allocations.renew=true";

        /** JDKs differ by 1 %. */
        private static final int TOLERANCE_PERCENT = 10;

        /** Half of the smallest object: what other threads allocate meanwhile. */
        private static final int TOLERANCE_BYTES = 8;

        private static final String COMMENT = "#";
        private static final Pattern EQUALS = Pattern.compile(" = ");

        ExpectedAllocations {
            bytesByPath = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByPath));
        }

        static ExpectedAllocations read(Path file) throws IOException {
            return new ExpectedAllocations(Files.readAllLines(file).stream()
                    .filter(line -> !line.startsWith(COMMENT))
                    .map(line -> EQUALS.split(line, 2))
                    .collect(Collectors.toMap(
                            pair -> pair[0], pair -> Long.valueOf(pair[1]), (one, other) -> other, TreeMap::new)));
        }

        void write(Path file) throws IOException {
            List<String> lines = new ArrayList<>();
            lines.add(COMMENT + " Bytes that a call allocates, without escape analysis. Written by");
            lines.add(COMMENT + " " + RENEWAL);
            bytesByPath.forEach((path, bytes) -> lines.add(path + " = " + bytes));
            Files.write(file, lines);
        }

        /** Returns what is wrong with what was measured, a line for each path; empty if nothing is. */
        List<String> problems(Map<String, Long> measured) {
            SortedMap<String, Long> all = new TreeMap<>(measured);
            all.putAll(bytesByPath);
            return all.keySet().stream()
                    .flatMap(path -> problem(path, bytesByPath.get(path), measured.get(path)).stream())
                    .toList();
        }

        private static Optional<String> problem(String path, @Nullable Long expected, @Nullable Long bytes) {
            if (expected == null) {
                return Optional.of("%s allocates %d bytes, but no figure is expected".formatted(path, bytes));
            }
            if (bytes == null) {
                return Optional.of("%s was not measured, expected are %d bytes".formatted(path, expected));
            }
            if (bytes <= expected + Math.max(TOLERANCE_BYTES, expected * TOLERANCE_PERCENT / 100)) {
                return Optional.empty();
            }
            return Optional.of("%s allocates %d bytes, expected are %d (and at most %d %% more)"
                    .formatted(path, bytes, expected, TOLERANCE_PERCENT));
        }
    }
}
