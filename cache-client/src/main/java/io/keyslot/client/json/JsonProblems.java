// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects the problems of a document, to report them together. Bounded for any document. */
public final class JsonProblems {
    private static final int MOST = 100;
    private static final int LONGEST = 300;

    private final List<String> found = new ArrayList<>();

    public void add(String path, String problem) {
        if (found.size() < MOST) {
            String line = (path + ": " + problem).replaceAll("\\p{Cntrl}", " ");
            found.add(line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line);
        }
    }

    /** Returns the result of the supplier, or reports its exception and returns empty. */
    public <T> Optional<T> make(String path, Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (IllegalArgumentException e) {
            add(path, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    public List<String> all() {
        return List.copyOf(found);
    }
}
