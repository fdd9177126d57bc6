// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/**
 * Who this client is at partitions, and whom it trusts. Immutable; its text holds no password.
 *
 * @param login at servers whose address does not say it
 * @param sentinels at sentinels
 * @param tls where a connection is encrypted
 */
public record Access(Login login, Login sentinels, TlsOptions tls) {
    /** Nobody logs in anywhere, and trusted is whom the JVM trusts. */
    public static final Access NONE = new Access(Login.NONE, Login.NONE, TlsOptions.defaults());

    /** Creates one without a login at sentinels. */
    public Access(Login login, TlsOptions tls) {
        this(login, Login.NONE, tls);
    }

    /** Returns what is said here, and for what is not said here what the others say. */
    public Access or(Access others) {
        return new Access(
                login.equals(Login.NONE) ? others.login : login,
                sentinels.equals(Login.NONE) ? others.sentinels : sentinels,
                tls.or(others.tls));
    }
}
