// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The circumstances of a run. The date is in ISO-8601. */
public record RunFacts(
        String date,
        String command,
        String jdk,
        String system,
        int processors,
        String server,
        Map<String, String> libraries,
        String method) {
    public RunFacts {
        libraries = Collections.unmodifiableMap(new TreeMap<>(libraries));
    }

    /** Returns the most important facts in one line. */
    public String line() {
        return "%s, JDK %s, %s, %d processors, %s. %s".formatted(date, jdk, system, processors, server, method);
    }
}
