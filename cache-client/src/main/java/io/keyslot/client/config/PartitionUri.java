// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.Access.Login;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The address of an instance and the login there. Immutable; {@link #toString} masks the password. */
public final class PartitionUri {
    public static final int DEFAULT_PORT = 6379;

    public static final int SENTINEL_PORT = 26379;

    /** The service name of an instance, and the {@code host:port} of its sentinels; IPv6 addresses in brackets. */
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

    /** Returns this URI with sentinels that know the address; host and port remain those of the first sentinel. */
    public PartitionUri watchedBy(Sentinels watching) {
        return new PartitionUri(this, watching, new Login(username, password));
    }

    public @Nullable Sentinels sentinels() {
        return sentinels;
    }

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

    public int database() {
        return database;
    }

    public @Nullable String username() {
        return username;
    }

    /** Returns the password in plain text, null if there is none. Never for a message. */
    public @Nullable String password() {
        return password;
    }

    public PartitionUri withDefault(Login login) {
        return password != null || username != null || login.password() == null
                ? this
                : new PartitionUri(this, sentinels, login);
    }

    public PartitionUri at(String otherHost, int otherPort) {
        return new PartitionUri(tls, otherHost, otherPort, database, username, password);
    }

    public PartitionUri withoutLogin() {
        return new PartitionUri(this, sentinels, Login.NONE);
    }

    /** Returns host and port, or the addresses and the service of the sentinels, for messages. */
    public String address() {
        return sentinels == null ? place() : sentinels.toString();
    }

    private String place() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Returns the whole URI with the password. Never for a message. */
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

    @Override
    public String toString() {
        return text(password -> "***");
    }
}
