// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.EpollProvider;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The options of Lettuce. Its defaults suit a database: wait, reconnect, send again. A cache fails at once. */
final class LettuceOptions {
    private static final Logger LOG = LoggerFactory.getLogger(LettuceOptions.class);

    private static final int ROOM_FOR_HANDSHAKE = 64;

    /** The time that the kernel waits for an acknowledgment; needs Netty's epoll transport. */
    private static final Duration TCP_USER_TIMEOUT = Duration.ofSeconds(5);

    private LettuceOptions() {}

    static ClientOptions of(Duration connectTimeout, TlsOptions tls) {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .suspendReconnectOnProtocolFailure(true)
                .protocolVersion(ProtocolVersion.RESP3)
                .requestQueueSize(CommandWriter.MAX_IN_FLIGHT + ROOM_FOR_HANDSHAKE)
                .useHashIndexQueue(false)
                // Timeouts has one timer per connection; Lettuce has one per command and never cancels it.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socketOptions(connectTimeout))
                .sslOptions(sslOptions(connectTimeout, tls));
        disableMaintenanceNotifications(options);
        return options.build();
    }

    /** Converts an address to Lettuce's, with the given credentials or, if null, those of the address. */
    static RedisURI uri(
            PartitionUri server, String clientName, Duration handshakeTimeout, @Nullable Credentials given) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(server.host())
                .withPort(server.port())
                .withDatabase(server.database())
                .withSsl(server.tls())
                .withVerifyPeer(SslVerifyMode.FULL)
                .withClientName(clientName)
                .withTimeout(handshakeTimeout);
        String username = given == null ? server.username() : given.username();
        String password = given == null ? server.password() : given.password();
        if (password != null) {
            // Lettuce resolves any other provider in the JVM's common pool, in which the application may block.
            uri.withAuthentication(new StaticCredentialsProvider(username, password.toCharArray()));
        }
        return uri.build();
    }

    private static SslOptions sslOptions(Duration connectTimeout, TlsOptions tls) {
        return SslOptions.builder()
                .jdkSslProvider()
                .handshakeTimeout(connectTimeout)
                .sslContext(context -> encrypt(context, tls.material()))
                .sslParameters(() -> parameters(tls))
                .build();
    }

    /** Runs for each connection, because certificates may have been renewed. */
    private static void encrypt(SslContextBuilder context, TlsOptions.Material material) {
        context.keyManager(material.identity()).trustManager(material.trusted());
        if (!material.protocols().isEmpty()) {
            context.protocols(material.protocols());
        }
        if (!material.ciphers().isEmpty()) {
            context.ciphers(material.ciphers());
        }
    }

    /** The JVM compares the certificate with the requested server name first, then with the host. */
    private static SSLParameters parameters(TlsOptions tls) {
        SSLParameters parameters = new SSLParameters();
        tls.serverName().ifPresent(name -> parameters.setServerNames(List.of(new SNIHostName(name))));
        return parameters;
    }

    private static SocketOptions socketOptions(Duration connectTimeout) {
        return SocketOptions.builder()
                .connectTimeout(connectTimeout)
                .keepAlive(true)
                .tcpNoDelay(true)
                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                        .enable(EpollProvider.isAvailable())
                        .tcpUserTimeout(TCP_USER_TIMEOUT)
                        .build())
                .build();
    }

    /** Notifications would move a connection to another server. Lettuce 6 has neither them nor the option. */
    private static void disableMaintenanceNotifications(ClientOptions.Builder options) {
        try {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (NoSuchMethodError | NoClassDefFoundError beforeVersion7) {
            LOG.debug("This Lettuce has no maintenance notifications", beforeVersion7);
        }
    }
}
