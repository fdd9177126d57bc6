// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;

/** Makes each Docker Compose service with an image of Redis or Valkey a partition, in the order of their names. */
final class KeyslotComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<KeyslotConnectionDetails> {
    private static final String[] IMAGES = {"redis", "redis/redis-stack", "redis/redis-stack-server", "valkey/valkey"};
    private static final int PORT = 6379;

    KeyslotComposeConnectionDetailsFactory() {
        super(IMAGES);
    }

    @Override
    protected KeyslotConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new OfService(source.getRunningService());
    }

    private static final class OfService extends DockerComposeConnectionDetails implements NamedConnectionDetails {
        private final String name;
        private final String address;
        private final @Nullable SslBundle bundle;

        OfService(RunningService service) {
            super(service);
            this.name = service.name();
            this.address = "%s:%d".formatted(service.host(), service.ports().get(PORT));
            this.bundle = getSslBundle(service);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<String> uris() {
            return List.of((bundle == null ? "redis://" : "rediss://") + address);
        }

        @Override
        public @Nullable SslBundle sslBundle() {
            return bundle;
        }
    }
}
