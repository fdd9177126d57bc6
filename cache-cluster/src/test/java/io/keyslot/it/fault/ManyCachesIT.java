// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten thousand caches come and go, as with a bug of an application: what they held is given back. */
@Tag("thorough")
@SideBySide
class ManyCachesIT {
    private static final int CACHES = 10_000;

    /** What the first caches cost for good: classes, meters, the code of the compiler. */
    private static final int WARM_UP = 500;

    /** One kilobyte per cache that is gone would be ten megabytes. */
    private static final long MOST_BYTES_MORE = 8 << 20;

    private static final int LARGEST = 25;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Pattern OURS = Pattern.compile("name=keyslot:");

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

    @Test
    void tenThousandCaches_leaveNeitherThreadsNorConnectionsNorHeap() throws Exception {
        try (TestServers servers = TestServers.start(3);
                CacheManager manager = KeyslotManagers.open("many", servers.uris(), KeyslotManagers.LONG_DEADLINES)) {
            comeAndGo(manager, WARM_UP);
            Set<String> threads = threads();
            long connections = connections(servers.ports());
            long heap = usedHeap();

            comeAndGo(manager, CACHES);

            assertThat(manager.getCacheNames()).isEmpty();
            await("threads as before")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(threads()).hasSizeLessThanOrEqualTo(threads.size()));
            assertThat(connections(servers.ports())).as("connections").isEqualTo(connections);
            await("heap as before")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(usedHeap() - heap)
                            .as("more heap than before, with most of it in\n%s", largestClasses())
                            .isLessThan(MOST_BYTES_MORE));
        }
    }

    @Test
    void closedManagers_leaveNeitherThreadsNorConnections() throws Exception {
        try (TestServers servers = TestServers.start(3)) {
            openAndClose(servers.uris());
            Set<String> threads = threads();

            for (int i = 0; i < 20; i++) {
                openAndClose(servers.uris());
            }

            await("threads as before")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(threads()).hasSizeLessThanOrEqualTo(threads.size()));
            await("no connection is left").atMost(PATIENCE).until(() -> connections(servers.ports()) == 0);
        }
    }

    private static void openAndClose(List<String> addresses) {
        try (CacheManager manager = KeyslotManagers.open("brief", addresses, KeyslotManagers.LONG_DEADLINES)) {
            comeAndGo(manager, 1);
        }
    }

    private static void comeAndGo(CacheManager manager, int count) {
        MutableConfiguration<String, String> configuration = new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setStatisticsEnabled(true)
                .setManagementEnabled(true);
        for (int i = 0; i < count; i++) {
            String name = "cache" + i;
            Cache<String, String> cache = manager.createCache(name, configuration);
            if (i % 100 == 0) {
                cache.put("key", "value");
                assertThat(cache.get("key")).isEqualTo("value");
                cache.remove("key");
            }
            if (i % 2 == 0) {
                cache.close();
            } else {
                manager.destroyCache(name);
            }
        }
    }

    /** Returns the names of our threads; those of the JVM come and go as it likes. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("keyslot") || name.startsWith("lettuce"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long connections(List<Integer> ports) throws Exception {
        long ours = 0;
        for (int port : ports) {
            ours += OURS.matcher(Resp.run(port, "CLIENT", "LIST")).results().count();
        }
        return ours;
    }

    private static String largestClasses() throws Exception {
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {null},
                        new String[] {String[].class.getName()});
        return String.valueOf(histogram).lines().limit(LARGEST).collect(Collectors.joining("\n"));
    }

    private long usedHeap() {
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
