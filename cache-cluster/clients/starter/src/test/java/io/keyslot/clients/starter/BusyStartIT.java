// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** On a busy machine, applications with the default deadlines start without declaring a healthy server missing. */
@Tag("thorough")
class BusyStartIT {
    private static final int STARTS = 20;
    private static final int BUSY_LOOPS = 10;

    /** One start in a JVM of its own, which has loaded and compiled nothing yet. */
    static final class ColdStart {
        private static final Duration AT_MOST = Duration.ofSeconds(60);

        private ColdStart() {}

        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext application =
                    new SpringApplication(Library.class).run(arguments)) {
                PartitionedCacheManager manager = application.getBean(PartitionedCacheManager.class);
                await().atMost(AT_MOST)
                        .untilAsserted(() -> assertThat(manager.partitions())
                                .extracting(PartitionStatus::state)
                                .containsOnly(PartitionState.HEALTHY));
            }
        }
    }

    @Test
    void noHealthyServer_isMissing(@TempDir Path folder) throws Exception {
        List<Process> loops = new ArrayList<>();
        try (TestServers servers = TestServers.start(3)) {
            for (int i = 0; i < BUSY_LOOPS; i++) {
                loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            for (int i = 0; i < STARTS; i++) {
                assertStarts(servers.uris(), folder.resolve("log-" + i));
            }
        } finally {
            loops.forEach(Process::destroyForcibly);
        }
    }

    private static void assertStarts(List<String> uris, Path log) throws Exception {
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ColdStart.class.getName(),
                        "--server.port=0",
                        "--keyslot.partitions=" + String.join(",", uris))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(application.waitFor(2, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            application.destroyForcibly();
        }
        assertThat(Files.readAllLines(log))
                .as("its log")
                .anyMatch(line -> line.contains("engine instances, 3 partitions"))
                .noneMatch(line -> line.contains(" is missing"));
        assertThat(application.exitValue()).isZero();
    }
}
