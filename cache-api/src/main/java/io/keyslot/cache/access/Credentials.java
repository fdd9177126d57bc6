// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.access;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user with a password, or with a token in its place. Immutable; {@code toString} contains no password.
 *
 * @param username null for the default user
 * @param password not empty
 * @param askAgain the time after which the {@link CredentialsProvider} is called again while there are connections;
 *     null to call it only before each connect. Less than a second counts as a second
 */
public record Credentials(
        @Nullable String username,
        String password,
        @Nullable Duration askAgain) {
    /** Throws {@code IllegalArgumentException} if the password is empty, or the time is not positive. */
    public Credentials {
        Objects.requireNonNull(password, "password");
        if (password.isEmpty()) {
            throw new IllegalArgumentException("Credentials: the password is empty");
        }
        if (askAgain != null && (askAgain.isNegative() || askAgain.isZero())) {
            throw new IllegalArgumentException(
                    "Credentials: asked for again after %s, must be longer than nothing".formatted(askAgain));
        }
    }

    /** Creates credentials for which the provider is called only before each connect. */
    public Credentials(@Nullable String username, String password) {
        this(username, password, null);
    }

    /**
     * Returns these credentials with a time after which the provider is called again. For a token, choose it well
     * before the token expires.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Credentials askAgainAfter(Duration time) {
        return new Credentials(username, password, time);
    }

    /** Returns whether user and password are equal. */
    public boolean logInAs(Credentials other) {
        return Objects.equals(username, other.username) && password.equals(other.password);
    }

    @Override
    public String toString() {
        return (username == null ? "the default user" : username) + " with a password";
    }
}
