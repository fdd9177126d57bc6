// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.ConfigNode.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads {@code connection} and {@code tls}, of all partitions or of one. */
record AccessReader(Section section) {
    private static final String USERNAME = "username";
    private static final String PASSWORD = "password";
    private static final String FILE = "file";

    /** Reads the sections; {@code isEncrypted} is whether they are for all partitions, and one uses encryption. */
    Access read(boolean isEncrypted) {
        TlsOptions tls = new TlsReader(section.section("tls"), System::getProperty).read(isEncrypted);
        Section connection = section.section("connection");
        return new Access(login(connection), login(connection.section("sentinel")), tls);
    }

    private static Login login(Section section) {
        Optional<String> username = section.read(USERNAME, String.class);
        if (section.node(PASSWORD).orElse(null) instanceof Mapping) {
            return ofFile(section.section(PASSWORD), username);
        }
        Optional<String> password = section.read(PASSWORD, String.class);
        if (username.isPresent() && password.isEmpty()) {
            section.problem(USERNAME, "is set, but %s is not: a login needs both".formatted(section.pathOf(PASSWORD)));
            return Login.NONE;
        }
        return new Login(username.orElse(null), password.orElse(null));
    }

    private static Login ofFile(Section password, Optional<String> username) {
        Optional<Path> file = password.read(FILE, Path.class);
        if (file.isEmpty()) {
            if (password.node(FILE).isEmpty()) {
                password.problem(FILE, "is missing: name the file that the password is in");
            }
            return Login.NONE;
        }
        try {
            return Login.asking(PasswordFile.of(username.orElse(null), file.get()));
        } catch (BadValueException | IOException | GeneralSecurityException e) {
            password.problem(FILE, BadValueException.describe(e));
        }
        return Login.NONE;
    }

    /** A password in a file that is read again when it changes. Safe for use by several threads. */
    private record PasswordFile(@Nullable String username, ReadAgain<String> password) implements CredentialsProvider {
        /** How long a change may go unnoticed while there are connections. */
        static final Duration CHECK_AGAIN = Duration.ofSeconds(1);

        /** Reads the file for the first time. A line break at its end is not part of the password. */
        static PasswordFile of(@Nullable String username, Path file)
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
            return CompletableFuture.completedFuture(
                    new Credentials(username, password.get()).askAgainAfter(CHECK_AGAIN));
        }

        @Override
        public String toString() {
            return "the password in " + password;
        }
    }
}
