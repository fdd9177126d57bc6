// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A password in a file that is read again when it changes. Safe for use by several threads. */
final class PasswordFile implements CredentialsProvider {
    /** How long a change may go unnoticed while there are connections. */
    static final Duration CHECK_AGAIN = Duration.ofSeconds(1);

    private final @Nullable String username;
    private final ReadAgain<String> password;

    private PasswordFile(@Nullable String username, ReadAgain<String> password) {
        this.username = username;
        this.password = password;
    }

    /** Reads the file for the first time. A line break at its end is not part of the password. */
    public static PasswordFile of(@Nullable String username, Path file)
            throws BadValueException, IOException, GeneralSecurityException {
        KeyMaterial.existing(file);
        return new PasswordFile(username, ReadAgain.of(List.of(file), () -> read(file)));
    }

    private static String read(Path file) throws BadValueException, IOException {
        String text = new String(ReadAgain.bytes(file), StandardCharsets.UTF_8);
        String password = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        password = password.endsWith("\r") ? password.substring(0, password.length() - 1) : password;
        if (password.isEmpty() || password.indexOf('\n') >= 0) {
            throw new BadValueException("names a file that does not have one line with a password");
        }
        return password;
    }

    @Override
    public CompletionStage<Credentials> credentials(String partition) {
        return CompletableFuture.completedFuture(new Credentials(username, password.get()).askAgainAfter(CHECK_AGAIN));
    }

    @Override
    public String toString() {
        return "the password in " + password;
    }
}
