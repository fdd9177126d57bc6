// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.jcache.Threads;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Passwords and tokens that change while eight threads work: no call is lost. */
@SideBySide
class RotatedCredentialsIT {
    private static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern AUTHS = Pattern.compile("cmdstat_auth:calls=(\\d+)");

    @TempDir
    private Path directory = Path.of("");

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start();
    private final RedisClient plain = RedisClient.create(server.uri());
    private final RedisCommands<String, String> admin = plain.connect().sync();

    @BeforeEach
    void letIn() {
        acl("SETUSER", "app", "on", ">first", "~*", "&*", "+@all");
    }

    @AfterEach
    void close() {
        plain.shutdown();
        servers.close();
    }

    private void acl(String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            arguments.add(word);
        }
        if (words[0].equals("DELUSER")) {
            admin.aclDeluser(words[1]);
        } else {
            admin.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), arguments);
        }
    }

    /** Returns how often connections have logged in anew. */
    private int logins() {
        Matcher calls = AUTHS.matcher(admin.info("commandstats"));
        return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
    }

    private long connectionsOf(String user) {
        return admin.clientList()
                .lines()
                .filter(line -> line.contains(" name=keyslot:") && line.contains(" user=" + user + " "))
                .count();
    }

    /** Threads that put and get, and note what failed. */
    private static final class Work implements AutoCloseable {
        private final AtomicBoolean goesOn = new AtomicBoolean(true);
        private final AtomicLong calls = new AtomicLong();
        private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();

        Work(Cache<String, String> cache) {
            for (int i = 0; i < THREADS; i++) {
                String name = "t" + i;
                Thread thread = new Thread(() -> run(cache, name), "rotated-" + i);
                threads.add(thread);
                thread.start();
            }
        }

        private void run(Cache<String, String> cache, String name) {
            for (int i = 0; goesOn.get(); i++) {
                try {
                    String key = name + ":" + i % 50;
                    cache.put(key, "v" + i);
                    String found = cache.get(key);
                    if (!("v" + i).equals(found)) {
                        failures.add(key + " is " + found);
                    }
                } catch (CacheException e) {
                    failures.add(e.toString());
                }
                calls.addAndGet(2);
            }
        }

        /** Waits for calls that begin after this moment. */
        void awaitMore() {
            long before = calls.get();
            await().atMost(PATIENCE).until(() -> calls.get() > before + 2L * THREADS || !failures.isEmpty());
        }

        @Override
        public void close() throws InterruptedException {
            goesOn.set(false);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private CacheManager open(String name, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("keyslot.partitions.p1.uri", server.uri());
        return KeyslotManagers.openMapped(name, all);
    }

    private static Cache<String, String> cache(CacheManager manager) {
        return manager.createCache("c", new MutableConfiguration<>());
    }

    @Test
    void passwordInAFile_isReplacedWithoutALostCall() throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "first\n");
        Map<String, String> settings =
                Map.of("keyslot.connection.username", "app", "keyslot.connection.password.file", file.toString());
        try (CacheManager manager = open("rotated-file", settings);
                Work work = new Work(cache(manager))) {
            work.awaitMore();
            String before = "first";
            for (String next : List.of("second", "third", "fourth")) {
                int logins = logins();
                acl("SETUSER", "app", ">" + next);
                Files.writeString(file, next);
                await().atMost(PATIENCE).until(() -> logins() > logins);
                acl("SETUSER", "app", "<" + before);
                work.awaitMore();
                before = next;
            }
            assertThat(work.failures).isEmpty();

            // The password that counts now is that of the next connection too.
            admin.clientList()
                    .lines()
                    .filter(line -> line.contains(" user=app "))
                    .forEach(line -> admin.clientKill(line.replaceFirst("(?s).* addr=(\\S+) .*", "$1")));
            work.failures.clear(); // of those whose answers were lost with the connection
            await().atMost(PATIENCE).until(() -> connectionsOf("app") > 0);
            work.awaitMore();
        }
    }

    /** A file that is ahead of the server: connections stay what they are, and log in when the server knows. */
    @Test
    void passwordThatTheServerDoesNotKnowYet_changesNothingUntilItDoes() throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "first");
        Map<String, String> settings = Map.of(
                "keyslot.partitions.p1.connection.username",
                "app",
                "keyslot.partitions.p1.connection.password.file",
                file.toString());
        try (CacheManager manager = open("rotated-early", settings);
                Work work = new Work(cache(manager))) {
            work.awaitMore();
            int logins = logins();
            Files.writeString(file, "second");
            await().atMost(PATIENCE).until(() -> logins() > logins + 1); // refused, and tried again
            work.awaitMore();
            acl("SETUSER", "app", ">second", "<first");
            int refused = logins();
            await().atMost(PATIENCE).until(() -> logins() > refused);
            work.awaitMore();

            assertThat(work.failures).isEmpty();
        }
    }

    /** Tokens that end, and connections that are dropped with them, as identity services do it. */
    private final class Tokens implements RedisCredentialsProvider {
        private final Sinks.Many<RedisCredentials> all = Sinks.many().replay().latest();
        private final AtomicReference<RedisCredentials> newest = new AtomicReference<>();

        String issue(int number) {
            String user = "token-" + number;
            acl("SETUSER", user, "on", ">secret-" + number, "~*", "&*", "+@all");
            RedisCredentials issued = RedisCredentials.just(user, "secret-" + number);
            newest.set(issued);
            all.tryEmitNext(issued);
            return user;
        }

        @Override
        public Mono<RedisCredentials> resolveCredentials() {
            return all.asFlux().next();
        }

        @Override
        public boolean supportsStreaming() {
            return true;
        }

        @Override
        public Flux<RedisCredentials> credentials() {
            return all.asFlux();
        }
    }

    /** As docs/access.md shows it. */
    private static CredentialsProvider ofLettuce(RedisCredentialsProvider provider) {
        return partition -> provider.resolveCredentials()
                .map(found -> new Credentials(found.getUsername(), new String(found.getPassword()))
                        .askAgainAfter(Duration.ofSeconds(1)))
                .toFuture();
    }

    @Test
    void tokens_areReplacedBeforeTheyEnd() throws Exception {
        Tokens tokens = new Tokens();
        String before = tokens.issue(0);
        try (CacheManager manager = open("rotated-tokens", Map.of("keyslot.credentials", ofLettuce(tokens)));
                Work work = new Work(cache(manager))) {
            work.awaitMore();
            for (int i = 1; i <= 4; i++) {
                String next = tokens.issue(i);
                String ended = before;
                await().atMost(PATIENCE).until(() -> connectionsOf(ended) == 0 && connectionsOf(next) > 0);
                acl("DELUSER", ended);
                work.awaitMore();
                before = next;
            }
            assertThat(work.failures).isEmpty();
        }
    }

    /** Who does not answer is a reason like any other, and nothing waits for it longer than a connect may take. */
    @Test
    void providerThatFails_isNamed() {
        CredentialsProvider failing =
                partition -> CompletableFuture.failedFuture(new IllegalStateException("the vault is sealed"));
        try (CacheManager manager = open(
                "rotated-failing",
                Map.of(
                        "keyslot.credentials",
                        failing,
                        "keyslot.startup.wait",
                        "0ms",
                        "keyslot.deadlines.connect",
                        "1s"))) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(manager.unwrap(PartitionedCacheManager.class)
                                    .partitions()
                                    .get(0)
                                    .problem())
                            .contains("credentials provider", "the vault is sealed"));
        }
    }

    /** An application may block all threads of the JVM's common pool; Lettuce uses it unless it is avoided. */
    @Test
    void blockedCommonPool_stopsNothing() throws Exception {
        try (OtherJvm other = OtherJvm.start(
                List.of("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2", "-XX:TieredStopAtLevel=1"),
                WithoutCommonPool.class,
                server.uri().replace("redis://", "redis://app:first@"))) {
            other.awaitSuccess();
        }
    }

    /** Logs in and works while tasks that never end have the common pool. */
    static final class WithoutCommonPool {
        private WithoutCommonPool() {}

        @SuppressWarnings("unchecked") // the view has the types of its cache
        public static void main(String[] addresses) throws Exception {
            CountDownLatch blocked = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                ForkJoinPool.commonPool().execute(() -> {
                    blocked.countDown();
                    Threads.await(new CountDownLatch(1));
                });
            }
            blocked.await();
            try (CacheManager manager = KeyslotManagers.open("no-pool", List.of(addresses), Map.of())) {
                PartitionedCache<String, String> cache = manager.createCache(
                                "values",
                                new PartitionedConfiguration<String, String>()
                                        .setNear(NearOptions.ofEntries(100))
                                        .setFeed(FeedOptions.defaults()))
                        .unwrap(PartitionedCache.class);
                CompletableFuture<String> heard = new CompletableFuture<>();
                FeedSubscription unused = cache.subscribe(
                        "copy",
                        FeedStart.earliest(),
                        batch -> batch.changes().forEach(change -> heard.complete(change.key())));
                cache.putAll(Map.of("a", "1"));
                assertThat(cache.getAll(Set.of("a"))).isEqualTo(Map.of("a", "1"));
                assertThat(cache.getAsync("a").toCompletableFuture().get(30, TimeUnit.SECONDS))
                        .isEqualTo("1");
                assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo("a");
            }
        }
    }
}
