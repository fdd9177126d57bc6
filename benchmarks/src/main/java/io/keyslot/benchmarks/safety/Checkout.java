// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the sources are from which this program was built.
 *
 * @param home the directory of the checkout
 */
record Checkout(Path home) {
    private static final String REPLACEMENTS = "benchmarks/src/safety";

    /**
     * Finds the checkout in which the jar or the classes of this program are.
     *
     * @throws IllegalStateException if they are in none
     */
    static Checkout ofThisProgram() {
        Path program = program();
        for (Path directory = program; directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve(REPLACEMENTS))) {
                return new Checkout(directory);
            }
        }
        throw new IllegalStateException(
                "%s is not in a checkout, whose sources are needed; run ./keyslot bench safety there"
                        .formatted(program));
    }

    private static Path program() {
        try {
            return Path.of(Checkout.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The class path has a place that is no path", e);
        }
    }

    /** Returns the client's sources. */
    Path client() {
        return home.resolve("cache-client/src/main/java");
    }

    /** Returns the methods of a client without a feature: sources with their own bodies only, in the same packages. */
    Path replacements(SafetyFeature feature) {
        return home.resolve(REPLACEMENTS).resolve(feature.label());
    }
}
