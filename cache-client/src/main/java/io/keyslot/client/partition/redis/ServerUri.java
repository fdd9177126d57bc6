// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is, and who we are there.
 *
 * <p>Neither {@code toString} nor an error shows the credentials; an error does not even quote the text, because nobody
 * knows where in a malformed one the password is.
 */
final class ServerUri {
    private static final Set<String> PLAIN = Set.of("redis", "valkey");
    private static final Set<String> ENCRYPTED = Set.of("rediss", "valkeys");
    private static final int DEFAULT_PORT = 6379;

    private final boolean encrypted;
    private final String host;
    private final int port;
    private final int database;
    private final @Nullable Credentials credentials;

    private ServerUri(URI uri) {
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
     * Reads {@code redis://user:password@host:port/database}; {@code rediss}, {@code valkey} and {@code valkeys} are
     * the other schemes. Everything but scheme and host may be left out. What is reserved in the password is
     * percent-encoded.
     *
     * @throws IllegalArgumentException if it is not of this form; the message does not quote it
     */
    static ServerUri parse(String text) {
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

    /** Returns whether the connection is to be encrypted. */
    boolean isEncrypted() {
        return encrypted;
    }

    /** Returns the address without credentials. */
    String address() {
        return (encrypted ? "rediss://" : "redis://") + host + ":" + port + (database == 0 ? "" : "/" + database);
    }

    /** Returns whether the address says who logs in. */
    boolean hasLogin() {
        return credentials != null;
    }

    /**
     * Returns the same for Lettuce. With encryption, the server's certificate must be for this host.
     *
     * @param given who logs in, null for whom the address names
     */
    RedisURI toRedisUri(String clientName, Duration handshakeTimeout, @Nullable Credentials given) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(host.startsWith("[") ? host.substring(1, host.length() - 1) : host)
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
