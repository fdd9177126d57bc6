// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import javax.cache.CacheException;

/**
 * The configuration cannot be used. The message lists every problem on a line of its own, with the place where it was
 * written; passwords are not in it.
 */
public final class ConfigurationException extends CacheException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    ConfigurationException(String origin, List<String> problems) {
        super("The configuration has %s: %s%n%s"
                .formatted(
                        problems.size() == 1 ? "1 problem" : problems.size() + " problems",
                        origin,
                        String.join(System.lineSeparator(), problems)));
        this.problems = List.copyOf(problems);
    }

    /** For a configuration that cannot be found. */
    ConfigurationException(String problem) {
        super(problem);
        this.problems = List.of(problem);
    }

    /** For a configuration that cannot be read. */
    ConfigurationException(String problem, Throwable cause) {
        super(problem, cause);
        this.problems = List.of(problem);
    }

    /** Returns the problems, as in the message. */
    public List<String> problems() {
        return problems;
    }
}
