// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.ArrayList;
import java.util.List;
import javax.cache.CacheException;

/**
 * The configuration cannot be used. The message lists the problems on lines of their own, up to a hundred, with the
 * places where they were written; passwords are not in it.
 */
public final class ConfigurationException extends CacheException {
    private static final long serialVersionUID = 1L;

    /** More say nothing that the first ones do not, and would fill the log. */
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

    /** For a configuration that cannot be found. */
    public ConfigurationException(String problem) {
        super(problem);
        this.problems = List.of(problem);
    }

    /** For a configuration that cannot be read. */
    public ConfigurationException(String problem, Throwable cause) {
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

    /** Returns the problems, as in the message: the first hundred, and how many more there are. */
    public List<String> problems() {
        return problems;
    }
}
