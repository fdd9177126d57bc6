// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import java.util.List;

/**
 * What an application is like whose slots move.
 *
 * @param partitions the addresses of its configuration, which do not name the server that comes later
 * @param entries how many entries there are that nobody changes
 * @param valueBytes the length of a value
 * @param jvms how many processes there are
 * @param threads how many threads each of them has
 * @param callsPerSecond how many calls each process makes, 0 for as many as it can
 */
record LoadOptions(List<String> partitions, int entries, int valueBytes, int jvms, int threads, int callsPerSecond) {
    LoadOptions {
        partitions = List.copyOf(partitions);
    }

    /** Returns the words that {@link #parse} reads. */
    List<String> words() {
        return List.of(
                String.join(",", partitions),
                Integer.toString(entries),
                Integer.toString(valueBytes),
                Integer.toString(jvms),
                Integer.toString(threads),
                Integer.toString(callsPerSecond));
    }

    static LoadOptions parse(List<String> words) {
        return new LoadOptions(
                List.of(words.get(0).split(",", -1)),
                Integer.parseInt(words.get(1)),
                Integer.parseInt(words.get(2)),
                Integer.parseInt(words.get(3)),
                Integer.parseInt(words.get(4)),
                Integer.parseInt(words.get(5)));
    }
}
