// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A partition that refuses commands over several slots. */
@SideBySide
class CrossSlotIT {
    private final TestServers servers = TestServers.start(1);
    private final OneSlotProxy proxy;
    private final PartitionedCacheManager manager;

    CrossSlotIT() throws Exception {
        proxy = new OneSlotProxy(servers.ports().get(0));
        manager =
                KeyslotManagers.openPatiently("one-slot", List.of(proxy.uri())).unwrap(PartitionedCacheManager.class);
    }

    @AfterEach
    void close() throws Exception {
        manager.close();
        proxy.close();
        servers.close();
    }

    private static PartitionedConfiguration<Long, String> configuration() {
        return new PartitionedConfiguration<Long, String>()
                .setTypes(Long.class, String.class)
                .setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR));
    }

    @Test
    void callsAboutManyKeys_useOneSlotPerCommand_afterTheFirstRefusal() {
        PartitionedCache<Long, String> plain = manager.createCache("plain", configuration());
        PartitionedCache<Long, String> near =
                manager.createCache("near", configuration().setNear(NearOptions.ofEntries(1000)));
        Map<Long, String> values = LongStream.range(0, 100).boxed().collect(Collectors.toMap(id -> id, id -> "v" + id));
        for (PartitionedCache<Long, String> cache : List.of(plain, near)) {
            cache.putAll(values);
            assertThat(cache.getAll(values.keySet())).isEqualTo(values);
            cache.putAll(values, Duration.ofMinutes(1));
            cache.removeAll(Set.of(1L, 2L, 3L));
            assertThat(cache.getAll(values.keySet())).hasSize(97);
            assertThat(cache.replace(5L, "v5", "w5")).isTrue();
            cache.clear();
            assertThat(cache.getAll(values.keySet())).isEmpty();
        }
        manager.group(EntityKey.of("customer", 99)).transactWithoutResult(transaction -> {
            transaction.counter("visits").incrementAndGet();
            transaction.list("history", String.class).addLast("one");
        });

        assertThat(proxy.refused()).isBetween(1, 3); // once for each kind that was in flight at the first one
    }

    /**
     * A server as the clustering policy Enterprise of Redis Software and Azure shows it: it refuses commands with keys of several
     * slots, except some. A refused command is replaced by one that fails, so that the order of the replies stays.
     */
    private static final class OneSlotProxy implements AutoCloseable {
        private static final Set<String> ALLOWED = Set.of("DEL", "MSET", "MGET", "EXISTS", "UNLINK", "TOUCH");
        private static final String REFUSED =
                "return redis.error_reply('CROSSSLOT Keys in request do not hash to the same slot')";

        private final ServerSocket door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new ArrayList<>(); // guarded by itself
        private final AtomicInteger refused = new AtomicInteger();
        private final int server;

        OneSlotProxy(int server) throws IOException {
            this.server = server;
            start(this::accept);
        }

        String uri() {
            return "redis://127.0.0.1:" + door.getLocalPort();
        }

        int refused() {
            return refused.get();
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (IOException e) {
                            return; // one side has closed the connection
                        }
                    },
                    "one-slot-proxy");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() throws IOException {
            while (!door.isClosed()) {
                Socket client = door.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), server);
                synchronized (sockets) {
                    sockets.add(client);
                    sockets.add(to);
                }
                start(() -> copy(to, client));
                start(() -> filter(client, to));
            }
        }

        private static void copy(Socket from, Socket to) throws IOException {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            }
        }

        private void filter(Socket from, Socket to) throws IOException {
            try (from;
                    to) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
                while (true) {
                    List<byte[]> words = new ArrayList<>();
                    for (int left = number(in); left > 0; left--) {
                        words.add(in.readNBytes(number(in)));
                        in.skipNBytes(2);
                    }
                    if (isOverSlots(words)) {
                        refused.incrementAndGet();
                        words = List.of(bytes("EVAL"), bytes(REFUSED), bytes("0"));
                    }
                    write(to.getOutputStream(), words);
                }
            }
        }

        /** Reads the line of a length: {@code *3} or {@code $5}. */
        private static int number(DataInputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.readByte(); next != '\n'; next = in.readByte()) {
                line.append((char) next);
            }
            return Integer.parseInt(line.substring(1).trim());
        }

        private static void write(OutputStream out, List<byte[]> words) throws IOException {
            ByteArrayOutputStream command = new ByteArrayOutputStream();
            command.writeBytes(bytes("*" + words.size() + "\r\n"));
            for (byte[] word : words) {
                command.writeBytes(bytes("$" + word.length + "\r\n"));
                command.writeBytes(word);
                command.writeBytes(bytes("\r\n"));
            }
            out.write(command.toByteArray());
        }

        private static boolean isOverSlots(List<byte[]> words) {
            String name = text(words.get(0)).toUpperCase(Locale.ROOT);
            int first = switch (name) {
                case "EVAL", "EVALSHA" -> 3;
                case "MSETEX" -> 2;
                default -> 1;
            };
            int count = switch (name) {
                case "EVAL", "EVALSHA" -> Integer.parseInt(text(words.get(2)));
                case "MSETEX" -> Integer.parseInt(text(words.get(1)));
                default -> 0;
            };
            int step = name.equals("MSETEX") ? 2 : 1;
            return !ALLOWED.contains(name)
                    && words.stream()
                                    .skip(first)
                                    .limit((long) count * step)
                                    .filter(key -> step == 1 || words.indexOf(key) % 2 == 0)
                                    .map(HashSlot::of)
                                    .distinct()
                                    .count()
                            > 1;
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        private static String text(byte[] word) {
            return new String(word, StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            door.close();
            synchronized (sockets) {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }
}
