// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import org.jspecify.annotations.Nullable;

/**
 * Who logs in at partitions whose address does not say it. Its text holds no password.
 *
 * @param username null for the default user
 * @param password null if nobody logs in; never for a message
 */
public record Login(@Nullable String username, @Nullable String password) {
    /** Nobody logs in. */
    public static final Login NONE = new Login(null, null);

    public Login {
        if (username != null && password == null) {
            throw new IllegalArgumentException("A login has a user, and no password");
        }
    }

    @Override
    public String toString() {
        return password == null ? "nobody" : (username == null ? "the default user" : username) + " with a password";
    }
}
