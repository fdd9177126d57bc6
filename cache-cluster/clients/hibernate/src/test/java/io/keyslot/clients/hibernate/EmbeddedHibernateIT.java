// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The second level cache without any server. */
class EmbeddedHibernateIT extends HibernateScenarios {
    @BeforeAll
    static void openFactory(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("keyslot.yaml"), "engine: embedded\n");
        use(open(file.toUri(), "embedded", true));
    }
}
