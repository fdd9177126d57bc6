// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.access;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user and a password, or a token in its place. Immutable; its text holds no password.
 *
 * @param username null for the default user
 * @param password not empty
 * @param askAgain after how long the {@link CredentialsProvider} is asked again while there are connections; null for not
 *     before the next connect. Shorter than a second counts as a second
 * @since 1.0
 */
public record Credentials(
        @Nullable String username,
        String password,
        @Nullable Duration askAgain) {
    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if the password is empty, or the time is not positive
     */
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

    /** Creates credentials that are asked for at each connect only. */
    public Credentials(@Nullable String username, String password) {
        this(username, password, null);
    }

    /**
     * Returns the same, to be asked for again after a time while there are connections. For a token: well before it ends.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Credentials askAgainAfter(Duration time) {
        return new Credentials(username, password, time);
    }

    /** Returns whether user and password are the same. */
    public boolean logInAs(Credentials other) {
        return Objects.equals(username, other.username) && password.equals(other.password);
    }

    @Override
    public String toString() {
        return (username == null ? "the default user" : username) + " with a password";
    }
}
