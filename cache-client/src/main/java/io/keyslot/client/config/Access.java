// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How this client logs in at servers, and which certificates it trusts. Immutable; {@code toString} shows no password.
 *
 * @param login for servers whose address contains no login
 * @param sentinels the login at sentinels
 * @param tls the settings of encrypted connections
 */
public record Access(Login login, Login sentinels, TlsOptions tls) {
    /** No login, and the trust store of the JVM. */
    public static final Access NONE = new Access(Login.NONE, Login.NONE, TlsOptions.defaults());

    /** Returns these options, with the given ones in place of those that are not set. */
    Access or(Access others) {
        return new Access(
                login.equals(Login.NONE) ? others.login : login,
                sentinels.equals(Login.NONE) ? others.sentinels : sentinels,
                tls.or(others.tls));
    }

    /**
     * The login at partitions whose address contains none. The provider, or null for a fixed login, supplies user and
     * password for each connect; a null user is the default user. {@link #toString} shows no password.
     */
    public record Login(
            @Nullable String username,
            @Nullable String password,
            @Nullable CredentialsProvider provider) {
        public static final Login NONE = new Login(null, null);

        public Login {
            if (username != null && password == null) {
                throw new IllegalArgumentException("A login has a user, and no password");
            }
            if (password != null && provider != null) {
                throw new IllegalArgumentException("A login has both a password and a credentials provider");
            }
        }

        public Login(@Nullable String username, @Nullable String password) {
            this(username, password, null);
        }

        public static Login asking(CredentialsProvider provider) {
            return new Login(null, null, provider);
        }

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
                    ? "a credentials provider"
                    : password == null
                            ? "no login"
                            : (username == null ? "the default user" : username) + " with a password";
        }
    }
}
