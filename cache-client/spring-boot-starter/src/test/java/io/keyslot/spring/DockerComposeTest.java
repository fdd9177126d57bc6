// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.lifecycle.DockerComposeServicesReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** What Spring Boot does once services run, which are said here: Docker is not needed. */
class DockerComposeTest {
    private static final String LISTENER = "org.springframework.boot.docker.compose.service.connection."
            + "DockerComposeServiceConnectionsApplicationListener";

    /** A service that runs, with its port at this one of the host. */
    private record Service(String name, ImageReference image, ConnectionPorts ports, Map<String, String> labels)
            implements RunningService {
        Service(String name, String image, int port, Map<String, String> labels) {
            this(name, ImageReference.of(image), new Mapped(port), labels);
        }

        Service(String name, String image, int port) {
            this(name, image, port, Map.of());
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public Map<String, String> env() {
            return Map.of();
        }
    }

    private record Mapped(int port) implements ConnectionPorts {
        @Override
        public int get(int containerPort) {
            assertThat(containerPort).isEqualTo(6379);
            return port;
        }

        @Override
        public List<Integer> getAll() {
            return List.of(port);
        }

        @Override
        public List<Integer> getAll(String protocol) {
            return getAll();
        }
    }

    private static Stream<String> partitionsOf(RunningService... services) throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("given", Map.of("keyslot.startup.wait", "0ms")));
            context.register(KeyslotAutoConfiguration.class);
            connect(context, List.of(services));
            context.refresh();
            return context.getBean(PartitionedCacheManager.class).partitions().stream()
                    .map(PartitionStatus::address)
                    .toList()
                    .stream();
        }
    }

    /** Makes beans of the services, as Spring Boot does it. */
    @SuppressWarnings("unchecked") // it listens to these events
    private static void connect(ApplicationContext context, List<RunningService> services) throws Exception {
        Constructor<?> listener = Class.forName(LISTENER).getDeclaredConstructor();
        listener.setAccessible(true);
        Constructor<DockerComposeServicesReadyEvent> event =
                DockerComposeServicesReadyEvent.class.getDeclaredConstructor(ApplicationContext.class, List.class);
        event.setAccessible(true);
        ((ApplicationListener<ApplicationEvent>) listener.newInstance())
                .onApplicationEvent(event.newInstance(context, services));
    }

    @Test
    void servicesOfRedisAndValkey_arePartitions_inTheOrderOfTheirNames() throws Exception {
        assertThat(partitionsOf(
                        new Service("shop-c-1", "redis:8.0", 3),
                        new Service("shop-a-1", "valkey/valkey:9", 1),
                        new Service("shop-d-1", "memcached:1.6", 5),
                        new Service("shop-b-1", "redis/redis-stack-server", 2)))
                .containsExactly("redis://127.0.0.1:1", "redis://127.0.0.1:2", "redis://127.0.0.1:3");
    }

    @Test
    void imageOfOnesOwn_isNamedByItsLabel() throws Exception {
        assertThat(partitionsOf(new Service(
                        "shop-a-1",
                        "registry.example/cache",
                        1,
                        Map.of("org.springframework.boot.service-connection", "redis"))))
                .containsExactly("redis://127.0.0.1:1");
    }
}
