// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Login;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** Reads a login: a user, and a password as text or in a file. */
final class LoginReader {
    private static final String USERNAME = "username";
    private static final String PASSWORD = "password";
    private static final String FILE = "file";

    private LoginReader() {}

    static Login read(Section section) {
        Optional<String> username = section.read(USERNAME, ValueType.NAME);
        if (section.node(PASSWORD).orElse(null) instanceof Mapping) {
            return ofFile(section.section(PASSWORD), username);
        }
        Optional<String> password = section.read(PASSWORD, ValueType.NAME);
        if (username.isPresent() && password.isEmpty()) {
            section.problem(
                    USERNAME,
                    "is set, but %s is not: nobody can log in without one".formatted(section.pathOf(PASSWORD)));
            return Login.NONE;
        }
        return new Login(username.orElse(null), password.orElse(null));
    }

    private static Login ofFile(Section password, Optional<String> username) {
        Optional<Path> file = password.read(FILE, TlsReader.FILE);
        if (file.isEmpty()) {
            if (password.node(FILE).isEmpty()) {
                password.problem(FILE, "is missing: name the file that the password is in");
            }
            return Login.NONE;
        }
        try {
            return Login.asking(PasswordFile.of(username.orElse(null), file.get()));
        } catch (BadValueException | IOException | GeneralSecurityException e) {
            password.problem(FILE, FileProblem.of(e));
        }
        return Login.NONE;
    }
}
