// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.RedisConnection;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@SideBySide
class RedisResourcesIT {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    @Test
    void close_afterUse_leavesNoThreadBehind() throws Exception {
        try (TestServers servers = TestServers.start(2)) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            RedisFixture fixture = new RedisFixture();
            RedisFixture.done(fixture.connect(servers.uri(0)), RedisFixture.put("a", "one"));
            fixture.connect(servers.uri(1)).close();
            assertThat(threadsBesides(before)).isNotEmpty().allMatch(Thread::isDaemon);

            fixture.close();

            // In this thread, because a thread for the waiting would be one more.
            Awaitility.await()
                    .pollInSameThread()
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(threadsBesides(before)).isEmpty());
        }
    }

    @Test
    void connectorsThatShareResources_outliveEachOther() throws Exception {
        try (TestServers servers = TestServers.start(2);
                RedisFixture fixture = new RedisFixture()) {
            RedisConnector first = fixture.connector(servers.uri(0));
            RedisConnection second = fixture.connect(servers.uri(1));
            RedisFixture.connect(first);

            first.close();

            assertThat(RedisFixture.done(second, RedisFixture.put("a", "one"))).isTrue();
        }
    }

    private static Set<Thread> threadsBesides(Set<Thread> before) {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeAll(before);
        return threads;
    }
}
