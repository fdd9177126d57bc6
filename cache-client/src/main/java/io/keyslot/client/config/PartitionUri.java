// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The address of an instance and how to log in there. Immutable.
 *
 * <p>The password leaves it only through {@link #password} and {@link #reveal}; {@link #toString} masks it.
 */
public final class PartitionUri {
    /** The port of an address that names none. */
    public static final int DEFAULT_PORT = 6379;

    /** The port of a sentinel whose address names none. */
    public static final int SENTINEL_PORT = 26379;

    /**
     * Sentinels that say where the instance is.
     *
     * @param service what they call it
     * @param addresses {@code host:port} of each, at least one; IPv6 addresses in brackets
     */
    public record Sentinels(String service, List<String> addresses) {
        public Sentinels {
            addresses = List.copyOf(addresses);
        }

        @Override
        public String toString() {
            return String.join(",", addresses) + "/" + service;
        }
    }

    private final boolean tls;
    private final @Nullable Sentinels sentinels;
    private final String host;
    private final int port;
    private final int database;
    private final @Nullable String username;
    private final @Nullable String password;

    public PartitionUri(
            boolean tls, String host, int port, int database, @Nullable String username, @Nullable String password) {
        this.tls = tls;
        this.sentinels = null;
        this.host = host;
        this.port = port;
        this.database = database;
        this.username = username;
        this.password = password;
    }

    private PartitionUri(PartitionUri place, @Nullable Sentinels sentinels, Login login) {
        this.tls = place.tls;
        this.sentinels = sentinels;
        this.host = place.host;
        this.port = place.port;
        this.database = place.database;
        this.username = login.username();
        this.password = login.password();
    }

    /** Returns the same of an instance of which sentinels say where it is; host and port are those of the first of them. */
    public PartitionUri watchedBy(Sentinels watching) {
        return new PartitionUri(this, watching, new Login(username, password));
    }

    /** Returns the sentinels that say where the instance is, null if the address says it. */
    public @Nullable Sentinels sentinels() {
        return sentinels;
    }

    /** Returns whether the connection is encrypted. */
    public boolean tls() {
        return tls;
    }

    /** Returns the name or the IP address of the host, in lower case; an IPv6 address without brackets. */
    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** Returns the number of the database in the instance. */
    public int database() {
        return database;
    }

    /** Returns who logs in, null for the default user. */
    public @Nullable String username() {
        return username;
    }

    /** Returns the password as it is, null if there is none. For the one who connects; never for a message. */
    public @Nullable String password() {
        return password;
    }

    /** Returns this address if it says who logs in, and otherwise the same with this login. */
    public PartitionUri withDefault(Login login) {
        return password != null || username != null || login.password() == null
                ? this
                : new PartitionUri(this, sentinels, login);
    }

    /** Returns how another server is reached by who logs in there in the same way. */
    public PartitionUri at(String otherHost, int otherPort) {
        return new PartitionUri(tls, otherHost, otherPort, database, username, password);
    }

    /** Returns this address with nobody who logs in. */
    public PartitionUri withoutLogin() {
        return new PartitionUri(this, sentinels, Login.NONE);
    }

    /** Returns host and port, or those of the sentinels and what they call the instance: what messages name. */
    public String address() {
        return sentinels == null ? place() : sentinels.toString();
    }

    private String place() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Returns the whole URI with the password. For the one who connects; never for a message. */
    public String reveal() {
        return text(PartitionUri::encoded);
    }

    private static String encoded(String secret) {
        return URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String text(UnaryOperator<String> secret) {
        String login = password == null
                ? ""
                : (username == null ? "" : encoded(username)) + ":" + secret.apply(password) + "@";
        return (tls ? "rediss" : "redis") + (sentinels == null ? "" : "+sentinel") + "://" + login + address() + "/"
                + database;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PartitionUri that
                && tls == that.tls
                && Objects.equals(sentinels, that.sentinels)
                && host.equals(that.host)
                && port == that.port
                && database == that.database
                && Objects.equals(username, that.username)
                && Objects.equals(password, that.password);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tls, host, port, database, username);
    }

    /** Returns the URI with {@code ***} in place of the password. */
    @Override
    public String toString() {
        return text(password -> "***");
    }
}
