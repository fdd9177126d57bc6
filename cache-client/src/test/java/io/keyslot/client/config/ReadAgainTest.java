// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStoreException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A content is not read again only if it was refused; what happens to a file while it is read refuses nothing. */
class ReadAgainTest {
    @TempDir
    private Path folder = Path.of("");

    private int attempts;

    /** How it fails to make something of the new content for the first time. */
    private enum Failure {
        UNREADABLE,
        BAD_VALUE,
        BAD_KEY,
        UNEXPECTED;

        void fail() throws IOException, BadValueException, GeneralSecurityException {
            switch (this) {
                case UNREADABLE -> throw new IOException("as meant");
                case BAD_VALUE -> throw new BadValueException("is meant to be bad");
                case BAD_KEY -> throw new KeyStoreException("as meant");
                default -> throw new IllegalStateException("as meant");
            }
        }
    }

    /** What happens to the file meanwhile, before it has the new content again. */
    private enum Change {
        NONE,
        REMOVED,
        HALF,
        FORMER;

        void apply(Path file) throws IOException {
            switch (this) {
                case REMOVED -> Files.delete(file);
                case HALF -> Files.writeString(file, "ne");
                case FORMER -> Files.writeString(file, "old");
                default -> {}
            }
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(Failure.values())
                .flatMap(failure -> Stream.of(Change.values()).map(change -> Arguments.of(failure, change)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void contentIsRead_unlessItWasRefused(Failure failure, Change change) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "old");
        ReadAgain<String> secret = ReadAgain.of(List.of(file), () -> {
            if (++attempts == 2) {
                change.apply(file);
                failure.fail();
            }
            return Files.readString(file);
        });
        assertThat(secret.get()).isEqualTo("old");

        Files.writeString(file, "new");
        assertThat(secret.get()).isEqualTo("old");
        Files.writeString(file, "new");

        boolean isRefused = change == Change.NONE && failure != Failure.UNREADABLE;
        assertThat(secret.get()).isEqualTo(isRefused ? "old" : "new");
        assertThat(secret.get()).isEqualTo(isRefused ? "old" : "new");
        assertThat(attempts).isEqualTo(isRefused ? 2 : 3);
    }
}
