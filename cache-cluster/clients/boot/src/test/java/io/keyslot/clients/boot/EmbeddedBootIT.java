// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The application without any server. */
class EmbeddedBootIT extends BootScenarios {
    @BeforeAll
    static void startApplication(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("keyslot.yaml"), """
                engine: embedded
                caches:
                  books: {}
                  bestsellers: {}
                  shelves: {}
                  failures: { codec: jdk }
                """);
        use(BookShop.start(file.toUri().toString()));
    }
}
