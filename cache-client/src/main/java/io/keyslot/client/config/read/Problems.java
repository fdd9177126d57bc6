// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.ConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with a configuration, so that it can be reported at once. For one thread. */
public final class Problems {
    private final List<Problem> found = new ArrayList<>();

    private record Problem(Location where, String text) {}

    /** Adds a problem. The text must hold neither keys nor passwords: see {@link Shown}. */
    public void add(Location where, String text) {
        found.add(new Problem(where, text));
    }

    /**
     * Throws if there are any: those of the file in the order of its lines, then those of the properties.
     *
     * @param origin where the configuration comes from, for the first line of the message
     */
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
