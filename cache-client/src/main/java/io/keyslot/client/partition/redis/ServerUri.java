// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, with credentials.
 *
 * <p>Neither {@code toString} nor an error shows the credentials. An error does not quote the text at all, because the
 * place of the password in a malformed address is unknown.
 */
final class ServerUri {
    private static final Set<String> PLAIN = Set.of("redis", "valkey");
    private static final Set<String> ENCRYPTED = Set.of("rediss", "valkeys");
    private static final int DEFAULT_PORT = 6379;

    private static final Pattern WATCHED = Pattern.compile(
            "(?<scheme>[a-z]+)\\+sentinel://(?<login>[^/@]*@)?(?<hosts>[^/@]+)/(?<name>[^/]+)(?<tail>/\\d*)?");

    private final boolean encrypted;
    private final String service; // empty without sentinels
    private final List<ServerUri> sentinels;
    private final String host;
    private final int port;
    private final int database;
    private final @Nullable Credentials credentials;

    private ServerUri(ServerUri place, String host, int port) {
        this(place, host, port, "", List.of());
    }

    private ServerUri(ServerUri place, String host, int port, String service, List<ServerUri> sentinels) {
        this.encrypted = place.encrypted;
        this.service = service;
        this.sentinels = sentinels;
        this.host = host;
        this.port = port;
        this.database = place.database;
        this.credentials = place.credentials;
    }

    private ServerUri(URI uri) {
        this.service = "";
        this.sentinels = List.of();
        this.encrypted = ENCRYPTED.contains(uri.getScheme());
        String login = uri.getUserInfo();
        int colon = login == null ? -1 : login.indexOf(':');
        this.credentials = login == null || colon + 1 == login.length()
                ? null
                : new Credentials(colon > 0 ? login.substring(0, colon) : null, login.substring(colon + 1));
        this.host = uri.getHost();
        this.port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        this.database = database(uri.getPath());
    }

    /**
     * Parses {@code redis://user:password@host:port/database}, where the scheme may also be {@code rediss},
     * {@code valkey} or {@code valkeys}, or {@code redis+sentinel://user:password@host:26379,host:26379/name/database},
     * where every port is required. Everything but scheme and host is optional. Reserved characters in the password are
     * percent-encoded.
     *
     * @throws IllegalArgumentException if it is not of this form; the message does not quote it
     */
    static ServerUri parse(String text) {
        Matcher watched = WATCHED.matcher(text);
        return watched.matches() ? watched(watched) : single(text);
    }

    private static ServerUri watched(Matcher text) {
        String scheme = text.group("scheme") + "://";
        String login = text.group("login") == null ? "" : text.group("login");
        String tail = text.group("tail") == null ? "" : text.group("tail");
        List<ServerUri> sentinels = Arrays.stream(text.group("hosts").split(",", -1))
                .map(host -> single(scheme + host))
                .toList();
        ServerUri first = sentinels.get(0);
        return new ServerUri(
                single(scheme + login + "in.place.of" + tail), first.host, first.port, text.group("name"), sentinels);
    }

    private static ServerUri single(String text) {
        URI uri;
        try {
            uri = new URI(text).parseServerAuthority();
        } catch (URISyntaxException e) {
            // The exception quotes the text, so it is not kept as a cause.
            throw malformed(e.getReason());
        }
        if (uri.getScheme() == null || !(PLAIN.contains(uri.getScheme()) || ENCRYPTED.contains(uri.getScheme()))) {
            throw malformed("the scheme must be redis, rediss, valkey or valkeys");
        }
        if (uri.getHost() == null) {
            throw malformed("there is no host");
        }
        if (uri.getQuery() != null || uri.getFragment() != null) {
            throw malformed("there is something after the database; settings do not belong into the address");
        }
        return new ServerUri(uri);
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        try {
            return Integer.parseUnsignedInt(path.substring(1));
        } catch (NumberFormatException e) {
            throw malformed("the path must be the number of a database");
        }
    }

    private static IllegalArgumentException malformed(String reason) {
        return new IllegalArgumentException(
                "Address of a server: must be like redis://user:password@host:6379/0, but " + reason);
    }

    boolean isEncrypted() {
        return encrypted;
    }

    /** Returns the sentinels that know the address of the server; empty if this address is its own. */
    List<ServerUri> sentinels() {
        return sentinels;
    }

    String service() {
        return service;
    }

    /** Returns the server at the address that sentinels have named, otherwise equal to this one. */
    ServerUri at(String foundHost, int foundPort) {
        boolean isV6 = foundHost.indexOf(':') >= 0 && !foundHost.startsWith("[");
        return new ServerUri(this, isV6 ? "[" + foundHost + "]" : foundHost, foundPort);
    }

    String address() {
        if (!sentinels.isEmpty()) {
            String hosts = sentinels.stream()
                    .map(sentinel -> sentinel.host + ":" + sentinel.port)
                    .collect(Collectors.joining(","));
            return (encrypted ? "rediss" : "redis") + "+sentinel://" + hosts + "/" + service
                    + (database == 0 ? "" : "/" + database);
        }
        return (encrypted ? "rediss://" : "redis://") + host + ":" + port + (database == 0 ? "" : "/" + database);
    }

    InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    boolean hasLogin() {
        return credentials != null;
    }

    /** Converts this to Lettuce's URI, with the given credentials or, if null, those of the address. */
    RedisURI toRedisUri(String clientName, Duration handshakeTimeout, @Nullable Credentials given) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(unresolved().getHostString())
                .withPort(port)
                .withDatabase(database)
                .withSsl(encrypted)
                .withVerifyPeer(SslVerifyMode.FULL)
                .withClientName(clientName)
                .withTimeout(handshakeTimeout);
        Credentials login = given == null ? credentials : given;
        if (login != null && login.username() != null) {
            uri.withAuthentication(login.username(), login.password().toCharArray());
        } else if (login != null) {
            uri.withPassword(login.password().toCharArray());
        }
        return uri.build();
    }

    @Override
    public String toString() {
        return address();
    }
}
