// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.libraries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The libraries without any server. */
class EmbeddedLibrariesIT extends LibraryScenarios {
    @BeforeAll
    static void openManagers(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("keyslot.yaml"), """
                engine: embedded
                caches:
                  sessions: { codec: jdk }
                  rights: { codec: jdk }
                  aggregated:
                    codec: jdk
                    keyType: java.lang.String
                    valueType: org.apache.camel.support.DefaultExchangeHolder
                """);
        use(file.toUri(), file.toUri());
    }
}
