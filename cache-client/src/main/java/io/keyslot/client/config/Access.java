// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

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

    public Access(Login login, TlsOptions tls) {
        this(login, Login.NONE, tls);
    }

    /** Returns these options, with the given ones in place of those that are not set. */
    public Access or(Access others) {
        return new Access(
                login.equals(Login.NONE) ? others.login : login,
                sentinels.equals(Login.NONE) ? others.sentinels : sentinels,
                tls.or(others.tls));
    }
}
