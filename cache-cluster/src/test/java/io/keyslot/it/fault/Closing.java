// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/** Closes what was opened, the last first, also if some of it cannot be closed or was the last that could be opened. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes something over, and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Returns a directory that is deleted in the end, with all that is in it. */
    Path directory(String prefix) throws IOException {
        Path directory = Files.createTempDirectory(prefix);
        opened.push(() -> delete(directory));
        return directory;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Closes all because of a failure, which gets what fails besides. */
    void after(Throwable failure) {
        try {
            close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }

    /** Throws the first failure, the others suppressed. */
    @Override
    public void close() throws Exception {
        Exception first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
