// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.List;

/** Thrown if a map, or a change of one, is not allowed. Nothing was changed. */
public final class InvalidMapException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 20;

    private final transient List<String> problems;

    public InvalidMapException(List<String> problems) {
        super("Map: " + shown(problems));
        this.problems = List.copyOf(problems);
    }

    private static String shown(List<String> problems) {
        String first = String.join("; ", problems.subList(0, Math.min(MOST_SHOWN, problems.size())));
        return problems.size() <= MOST_SHOWN ? first : first + "; and %d more".formatted(problems.size() - MOST_SHOWN);
    }

    /** Returns all problems, never empty. */
    public List<String> problems() {
        return problems == null ? List.of(String.valueOf(getMessage())) : problems;
    }
}
