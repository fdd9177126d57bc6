// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for what the contenders print, of which a user needs to know only if one fails. */
record LogDirectory(Path path) {
    static LogDirectory create() {
        try {
            return new LogDirectory(Files.createTempDirectory("keyslot-bench-"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a directory for logs", e);
        }
    }

    void remove() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove the logs", e);
        }
    }
}
