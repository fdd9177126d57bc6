// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in at partitions whose address does not say it. Its text holds no password.
 *
 * @param username null for the default user
 * @param password null if nobody logs in, or somebody else says who does; never for a message
 * @param provider says at each connect who logs in; null if user and password stay the same
 */
public record Login(
        @Nullable String username,
        @Nullable String password,
        @Nullable CredentialsProvider provider) {
    /** Nobody logs in. */
    public static final Login NONE = new Login(null, null);

    public Login {
        if (username != null && password == null) {
            throw new IllegalArgumentException("A login has a user, and no password");
        }
        if (password != null && provider != null) {
            throw new IllegalArgumentException("A login has a password, and somebody who says another one");
        }
    }

    /** Creates the login of a user whose password stays the same. */
    public Login(@Nullable String username, @Nullable String password) {
        this(username, password, null);
    }

    /** Returns a login about which somebody is asked at each connect. */
    public static Login asking(CredentialsProvider provider) {
        return new Login(null, null, provider);
    }

    /** Returns what says who logs in; empty if nobody does. */
    public Optional<CredentialsProvider> credentials() {
        if (provider != null || password == null) {
            return Optional.ofNullable(provider);
        }
        Credentials same = new Credentials(username, password);
        return Optional.of(partition -> CompletableFuture.completedFuture(same));
    }

    @Override
    public String toString() {
        return provider != null
                ? "who is asked for at each connect"
                : password == null ? "nobody" : (username == null ? "the default user" : username) + " with a password";
    }
}
