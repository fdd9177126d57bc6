// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.ArrayList;
import java.util.List;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration cannot be used. The message lists up to a hundred problems, one a line, each with its
 * location; it contains no passwords.
 */
public final class ConfigurationException extends CacheException {
    private static final long serialVersionUID = 1L;

    private static final int MOST_LISTED = 100;

    private final List<String> problems;

    public ConfigurationException(String origin, List<String> found) {
        this(origin, found.size(), listed(found));
    }

    private ConfigurationException(String origin, int count, List<String> problems) {
        super("The configuration has %s: %s%n%s"
                .formatted(
                        count == 1 ? "1 problem" : count + " problems",
                        origin,
                        String.join(System.lineSeparator(), problems)));
        this.problems = List.copyOf(problems);
    }

    public ConfigurationException(String problem) {
        super(problem);
        this.problems = List.of(problem);
    }

    public ConfigurationException(String problem, @Nullable Throwable cause) {
        super(problem, cause);
        this.problems = List.of(problem);
    }

    private static List<String> listed(List<String> found) {
        if (found.size() <= MOST_LISTED) {
            return found;
        }
        List<String> first = new ArrayList<>(found.subList(0, MOST_LISTED));
        first.add("and %d more".formatted(found.size() - MOST_LISTED));
        return first;
    }

    /** Returns the problems, as in the message: the first hundred, and the number of further ones. */
    public List<String> problems() {
        return problems;
    }
}
