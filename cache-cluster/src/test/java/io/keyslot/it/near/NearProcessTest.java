// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether what must not be found is found out. */
class NearProcessTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @TempDir
    private Path directory;

    private VersionBoard board() throws IOException {
        return VersionBoard.open(directory.resolve("board"), 2);
    }

    @Test
    void newestVersion_hasNoAge() throws IOException {
        try (VersionBoard board = board()) {
            board.ended(1, 1, 10);

            assertThat(board.age(1, 2, 100)).isZero();
            assertThat(board.age(0, 1, 100)).isZero();
        }
    }

    @Test
    void endedVersion_isAsOldAsItsEnd_forEveryProcess() throws IOException {
        try (VersionBoard board = board();
                VersionBoard ofAnother = board()) {
            board.ended(1, 1, 10);

            assertThat(ofAnother.age(1, 1, 100)).isEqualTo(90);
            assertThat(ofAnother.age(1, 1, 5)).isZero();
        }
    }

    @Test
    void versionThatIsNotRememberedAnyMore_isAtLeastAsOldAsTheOneInItsPlace() throws IOException {
        try (VersionBoard board = board()) {
            for (long version = 1; version < 20_000; version++) {
                board.ended(0, version, version);
            }

            assertThat(board.age(0, 1, 20_000)).isEqualTo(20_000 - 19_457);
        }
    }

    @Test
    void oldVersion_andVersionOlderThanAnother_areObjectedTo() throws IOException {
        try (VersionBoard board = board()) {
            NearProcess process = new NearProcess(key -> 1L, keys -> Map.of(), board, SECOND);
            Ages ages = new Ages();

            process.read(0, ages);
            board.ended(0, 1, System.nanoTime());
            process.read(0, ages);
            assertThat(process.objections()).isEmpty();

            board.ended(0, 1, System.nanoTime() - 2 * SECOND);
            process.read(0, ages);
            assertThat(process.objections())
                    .singleElement()
                    .asString()
                    .startsWith("version 1 of key-0, which had ended");

            process.knows(0, 2);
            process.read(0, ages);
            assertThat(process.objections()).contains("version 1 of key-0, after version 2");
            assertThat(ages.count()).isEqualTo(4);
        }
    }
}
