// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * When, where and with what a run was made.
 *
 * @param date in ISO-8601
 * @param command as it was written
 * @param jdk the version of the JVM that measured
 * @param system name, version and architecture
 * @param processors how many it had
 * @param server the program that served, and its version
 * @param libraries their versions, in the order of their names
 * @param method rounds and seconds
 */
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

    /** Returns what a reader of a table must know, in one line. */
    public String line() {
        return "%s, JDK %s, %s, %d processors, %s. %s".formatted(date, jdk, system, processors, server, method);
    }
}
