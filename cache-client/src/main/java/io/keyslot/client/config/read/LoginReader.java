// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Login;
import io.keyslot.client.config.value.ValueType;
import java.util.Optional;

/** Reads {@code connection}: who logs in at partitions whose address does not say it. */
final class LoginReader {
    private static final String USERNAME = "username";
    private static final String PASSWORD = "password";

    private LoginReader() {}

    static Login read(Section section) {
        Optional<String> username = section.read(USERNAME, ValueType.NAME);
        Optional<String> password = section.read(PASSWORD, ValueType.NAME);
        if (username.isPresent() && password.isEmpty()) {
            section.problem(USERNAME, "is set, but connection.password is not: nobody can log in without one");
            return Login.NONE;
        }
        return new Login(username.orElse(null), password.orElse(null));
    }
}
