// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.Access.Login;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The address of an instance and the login there; {@link #toString} masks the password.
 *
 * @param host the name or the IP address, in lower case; an IPv6 address without brackets
 * @param password in plain text, null if there is none; never for a message
 */
public record PartitionUri(
        boolean tls,
        @Nullable Sentinels sentinels,
        String host,
        int port,
        int database,
        @Nullable String username,
        @Nullable String password) {
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

    public PartitionUri(
            boolean tls, String host, int port, int database, @Nullable String username, @Nullable String password) {
        this(tls, null, host, port, database, username, password);
    }

    /** Returns this URI with sentinels that know the address; host and port remain those of the first sentinel. */
    public PartitionUri watchedBy(Sentinels watching) {
        return new PartitionUri(tls, watching, host, port, database, username, password);
    }

    public PartitionUri withDefault(Login login) {
        return password != null || username != null || login.password() == null
                ? this
                : new PartitionUri(tls, sentinels, host, port, database, login.username(), login.password());
    }

    public PartitionUri at(String otherHost, int otherPort) {
        return new PartitionUri(tls, otherHost, otherPort, database, username, password);
    }

    public PartitionUri withoutLogin() {
        return new PartitionUri(tls, sentinels, host, port, database, null, null);
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
    public String toString() {
        return text(password -> "***");
    }
}
