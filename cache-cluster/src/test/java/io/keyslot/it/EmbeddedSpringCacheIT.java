// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The Spring Boot application without any server. */
@SuppressWarnings("NullAway.Init") // set by JUnit
class EmbeddedSpringCacheIT extends SpringCacheScenarios {
    @TempDir
    private Path folder;

    @Override
    String configuration() {
        try {
            return Files.writeString(folder.resolve("keyslot.yaml"), "engine: embedded\n")
                    .toUri()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
