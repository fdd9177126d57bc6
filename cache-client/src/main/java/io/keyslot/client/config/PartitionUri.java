// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.Access.Login;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of an instance and the login there; {@link #toString} masks the password.
 *
 * @param sentinels know the address of the instance, which has host and port of the first of them until then; null if
 *     the address is that of the instance
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

    /** The service name of an instance, and the addresses of its sentinels, without a login. */
    public record Sentinels(String service, List<PartitionUri> places) {
        public Sentinels {
            places = List.copyOf(places);
        }

        @Override
        public String toString() {
            return places.stream().map(PartitionUri::address).collect(Collectors.joining(",")) + "/" + service;
        }
    }

    public PartitionUri(
            boolean tls, String host, int port, int database, @Nullable String username, @Nullable String password) {
        this(tls, null, host, port, database, username, password);
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

    /** Returns the URL of the server: without the login, and without the database if that is 0. */
    public String url() {
        return scheme() + address() + (database == 0 ? "" : "/" + database);
    }

    private String scheme() {
        return (tls ? "rediss" : "redis") + (sentinels == null ? "://" : "+sentinel://");
    }

    @Override
    public String toString() {
        String user = username == null
                ? ""
                : URLEncoder.encode(username, StandardCharsets.UTF_8).replace("+", "%20");
        return scheme() + (password == null ? "" : user + ":***@") + address() + "/" + database;
    }
}
