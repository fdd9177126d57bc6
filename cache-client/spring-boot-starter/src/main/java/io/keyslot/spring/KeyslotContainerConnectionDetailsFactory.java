// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Makes each Redis or Valkey container with {@code @ServiceConnection} a partition. */
final class KeyslotContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, KeyslotConnectionDetails> {
    private static final List<String> IMAGES =
            List.of("redis", "redis/redis-stack", "redis/redis-stack-server", "valkey/valkey");
    private static final int PORT = 6379;

    KeyslotContainerConnectionDetailsFactory() {
        super(IMAGES);
    }

    @Override
    protected KeyslotConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new OfContainer(source);
    }

    private static final class OfContainer extends ContainerConnectionDetails<Container<?>>
            implements KeyslotConnectionDetails {
        OfContainer(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public List<String> uris() {
            String scheme = sslBundle() == null ? "redis" : "rediss";
            return List.of("%s://%s:%d"
                    .formatted(scheme, getContainer().getHost(), getContainer().getMappedPort(PORT)));
        }

        @Override
        public @Nullable SslBundle sslBundle() {
            return super.getSslBundle();
        }
    }
}
