// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.ConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the problems of a configuration, to report them together. Not thread-safe. */
public final class Problems {
    private final List<Problem> found = new ArrayList<>();

    private record Problem(Location where, String text) {}

    /** Adds a problem. The text must contain no keys and passwords: see {@link Shown}. */
    public void add(Location where, String text) {
        found.add(new Problem(where, text));
    }

    /** Throws if there are problems: those of the file in the order of its lines, then those of the properties. */
    public void throwIfAny(String origin) {
        if (!found.isEmpty()) {
            throw new ConfigurationException(origin, inOrder());
        }
    }

    public List<String> inOrder() {
        return found.stream()
                .sorted(Comparator.comparing(Problem::where))
                .map(problem -> problem.where() + ": " + problem.text())
                .toList();
    }
}
