// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of three servers sends what it likes: the process lives, with little memory, and the other two are used. */
@Tag("thorough")
class HostileServerIT {
    private static final int CALLS = 1_500;

    /** The reason for which a start is refused, as for any wrong port, if the first bytes are of no reply. */
    private static final String NOT_REDIS = "does not speak the protocol of Redis";

    @ParameterizedTest
    @ValueSource(strings = {">2147483647\r\n", "*1\r\n", ">1\r\n+a\r\n", "random"})
    void othersAreUsed_whateverOneSends(String sent) throws Exception {
        try (LocalServers local = TestServers.none();
                ServerSocket hostile = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread sender = new Thread(() -> accept(hostile, sent));
            sender.setDaemon(true);
            sender.start();
            List<String> arguments = new ArrayList<>(List.of("redis://127.0.0.1:" + hostile.getLocalPort()));
            local.start(2).stream().map(LocalServer::uri).forEach(arguments::add);
            try (OtherJvm other = OtherJvm.start(
                    List.of("-Xmx128m", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1"),
                    Using.class,
                    arguments.toArray(String[]::new))) {
                other.awaitSuccess();
                List<String> lines = other.remainingLines();
                String last = lines.get(lines.size() - 1);
                if (last.contains(NOT_REDIS)) {
                    assertThat(sent).as("what stops a start").isEqualTo("random");
                    return;
                }
                assertThat(Integer.parseInt(last))
                        .as("of %d calls to the other two", CALLS)
                        .isLessThanOrEqualTo(CALLS / 100);
            }
        }
    }

    private static void accept(ServerSocket hostile, String sent) {
        while (!hostile.isClosed()) {
            try {
                Socket client = hostile.accept();
                Thread flood = new Thread(() -> flood(client, sent));
                flood.setDaemon(true);
                flood.start();
            } catch (IOException e) {
                return; // closed: the test is over
            }
        }
    }

    private static void flood(Socket client, String sent) {
        byte[] bytes = new byte[sent.length() * 1_000];
        if (sent.equals("random")) {
            new Random(client.getPort()).nextBytes(bytes);
        } else {
            bytes = sent.repeat(1_000).getBytes(StandardCharsets.ISO_8859_1);
        }
        try (client;
                OutputStream out = client.getOutputStream()) {
            while (true) {
                out.write(bytes);
            }
        } catch (IOException e) {
            // It hung up.
        }
    }

    /** The process that is attacked. Prints how many calls to the two good servers failed. */
    static final class Using {
        private Using() {}

        @SuppressWarnings("unchecked") // the view has the types of its cache
        public static void main(String[] addresses) {
            try (CacheManager manager = KeyslotManagers.open("hostile", List.of(addresses), Map.of())) {
                PartitionedCache<String, String> cache = manager.createCache(
                                "values", new PartitionedConfiguration<String, String>())
                        .unwrap(PartitionedCache.class);
                int failed = 0;
                int calls = 0;
                for (int key = 0; calls < CALLS; key++) {
                    String name = "key " + key;
                    if (!cache.explain(name).partition().name().equals("p1")) {
                        calls++;
                        failed += isDone(cache, name) ? 0 : 1;
                    }
                }
                System.out.println(failed);
            } catch (CacheException refused) {
                System.out.println(String.valueOf(refused.getMessage()).replace('\n', ' '));
            }
        }

        private static boolean isDone(PartitionedCache<String, String> cache, String name) {
            try {
                cache.put(name, name);
                return name.equals(cache.get(name));
            } catch (CacheException e) {
                return false;
            }
        }
    }
}
