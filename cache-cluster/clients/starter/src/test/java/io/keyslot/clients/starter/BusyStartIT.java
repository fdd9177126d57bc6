// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.TestServers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** On a busy machine, an application with the default deadlines starts without declaring a healthy server missing. */
@Tag("thorough")
class BusyStartIT {
    private static final int STARTS = 20;
    private static final int BUSY_LOOPS = 10;

    @Test
    void noHealthyServer_isMissing() throws Exception {
        List<Process> loops = new ArrayList<>();
        try (TestServers servers = TestServers.start(3)) {
            for (int i = 0; i < BUSY_LOOPS; i++) {
                loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            for (int i = 0; i < STARTS; i++) {
                assertStarts(servers.uris());
            }
        } finally {
            loops.forEach(Process::destroyForcibly);
        }
    }

    private static void assertStarts(List<String> uris) {
        try (ConfigurableApplicationContext application = new SpringApplication(Library.class)
                .run("--server.port=0", "--keyslot.partitions=" + String.join(",", uris))) {
            assertThat(application.getBean(PartitionedCacheManager.class).partitions())
                    .extracting(PartitionStatus::state)
                    .doesNotContain(PartitionState.MISSING);
            assertThat(application
                            .getBean(MeterRegistry.class)
                            .find("keyslot.partition.transitions")
                            .tag("to", "missing")
                            .counters())
                    .extracting(Counter::count)
                    .isEmpty();
        }
    }
}
