// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server refuses one command for good, for each command that caches and groups use: every operation is right, or throws an
 * exception that names the command. None ends as if the partition were missing.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class ForbiddenCommandsIT {
    private static final Set<String> KEYS = new TreeSet<>(Set.of("a", "b", "none"));
    private static final EntityKey ROOT = EntityKey.of("customer", 1);
    private static final Duration SEEDED = Duration.ofMinutes(10);
    private static final long LONGER_MILLIS = Duration.ofMinutes(30).toMillis();
    private static final Pattern USED = Pattern.compile("cmdstat_([a-z|_]+):");

    private static final Pattern BLOCK = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

    private TestServers servers;
    private CacheManager admin;

    /** How a cache is configured. */
    private enum Kind {
        PLAIN,
        PENDING_DELETES,
        LOADING,
        WRITING,
        TOUCHED,
        CHANGING;

        PartitionedConfiguration<String, String> configuration() {
            PartitionedConfiguration<String, String> made =
                    new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
            Factory<ExpiryPolicy> touching = AccessedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR);
            switch (this) {
                case PLAIN -> {}
                case PENDING_DELETES -> made.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
                case LOADING -> {
                    made.setCacheLoaderFactory(() -> MapLoader.answering(key -> "loaded " + key));
                    made.setReadThrough(true);
                }
                case WRITING -> {
                    made.setCacheWriterFactory(RecordingWriter::new);
                    made.setWriteThrough(true).setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
                }
                case TOUCHED -> made.setExpiryPolicyFactory(touching);
                case CHANGING -> made.setExpiryPolicyFactory(ChangingTimes::new);
            }
            return made;
        }

        String cacheName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Its answers are never the same, so that each is asked for. */
    private static final class ChangingTimes implements ExpiryPolicy {
        private static javax.cache.expiry.Duration aboutAnHour() {
            return new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, 3_600_000 + System.nanoTime() % 1000);
        }

        @Override
        public javax.cache.expiry.Duration getExpiryForCreation() {
            return aboutAnHour();
        }

        @Override
        public javax.cache.expiry.Duration getExpiryForAccess() {
            return aboutAnHour();
        }

        @Override
        public javax.cache.expiry.Duration getExpiryForUpdate() {
            return aboutAnHour();
        }
    }

    private interface CacheCall {
        @Nullable
        Object run(PartitionedCache<String, String> cache) throws Exception;
    }

    private interface GroupCall {
        @Nullable
        Object run(CacheGroup group) throws Exception;
    }

    private static Map<String, CacheCall> cacheCalls() {
        Map<String, CacheCall> calls = new LinkedHashMap<>();
        calls.put("get", cache -> cache.get("a"));
        calls.put("get of none", cache -> cache.get("none"));
        calls.put("getAll", cache -> new TreeMap<>(cache.getAll(KEYS)));
        calls.put("containsKey", cache -> cache.containsKey("a"));
        calls.put("put", cache -> {
            cache.put("a", "new");
            return null;
        });
        calls.put("put for a time", cache -> {
            cache.put("none", "new", Duration.ofHours(1));
            return null;
        });
        calls.put("putAll", cache -> {
            cache.putAll(Map.of("a", "new", "none", "new"));
            return null;
        });
        calls.put("putIfAbsent", cache -> List.of(cache.putIfAbsent("a", "new"), cache.putIfAbsent("none", "new")));
        calls.put("getAndPut", cache -> cache.getAndPut("a", "new"));
        calls.put("replace", cache -> cache.replace("a", "new"));
        calls.put("replace old", cache -> cache.replace("a", "old a", "new"));
        calls.put("getAndReplace", cache -> cache.getAndReplace("a", "new"));
        calls.put("remove", cache -> cache.remove("a"));
        calls.put("remove old", cache -> cache.remove("a", "old a"));
        calls.put("getAndRemove", cache -> cache.getAndRemove("a"));
        calls.put("removeAll keys", cache -> {
            cache.removeAll(Set.of("a", "none"));
            return null;
        });
        calls.put("removeAll", cache -> {
            cache.removeAll();
            return null;
        });
        calls.put("clear", cache -> {
            cache.clear();
            return null;
        });
        calls.put(
                "iterator",
                cache -> StreamSupport.stream(cache.spliterator(), false)
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .sorted()
                        .toList());
        calls.put("scan", cache -> cache.scan(entry -> true, 10, null).entries().size());
        calls.put(
                "invoke",
                cache -> cache.invoke("a", (entry, arguments) -> {
                    String before = entry.getValue();
                    entry.setValue("invoked");
                    return before;
                }));
        calls.put(
                "invoke that removes",
                cache -> cache.invoke("a", (entry, arguments) -> {
                    entry.remove();
                    return entry.exists();
                }));
        calls.put(
                "invoke that reads",
                cache -> cache.invoke("a", (entry, arguments) -> String.valueOf(entry.getValue())));
        calls.put(
                "invokeAll",
                cache -> cache
                        .invokeAll(Set.of("a", "none"), (entry, arguments) -> {
                            entry.setValue("invoked");
                            return "done";
                        })
                        .values()
                        .stream()
                        .map(result -> String.valueOf(result.get()))
                        .toList());
        return calls;
    }

    private static Map<String, GroupCall> groupCalls() {
        Map<String, GroupCall> calls = new LinkedHashMap<>();
        calls.put("rows", group -> {
            GroupRows<String> rows = group.rows("row", String.class);
            rows.put("new", "new");
            rows.put("short", "new", Duration.ofHours(1));
            return List.of(String.valueOf(rows.get("1")), rows.remove("1"), rows.ids());
        });
        calls.put("list", group -> {
            var list = group.list("list", String.class);
            list.addLast("2");
            list.addFirst("0");
            list.set(0, "zero");
            list.addAll(List.of("3", "4"));
            list.retain(0, 3);
            return List.of(
                    String.valueOf(list.get(1)),
                    list.subList(0, 2),
                    String.valueOf(list.takeLast(Duration.ofMillis(10))),
                    String.valueOf(list.pollFirst()),
                    list.toList(),
                    list.remove("1"),
                    String.valueOf(list.peekLast()),
                    list.size());
        });
        calls.put("hash", group -> {
            var hash = group.hash("hash", String.class, String.class);
            RemoteHash<String, Long> numbers = group.hash("hash", String.class, Long.class);
            return List.of(
                    String.valueOf(hash.put("new", "new")),
                    hash.putIfAbsent("new", "other"),
                    hash.containsKey("1"),
                    hash.keySet(),
                    hash.getAll(List.of("1", "2")),
                    numbers.increment("number", 2),
                    String.valueOf(hash.remove("number")),
                    hash.removeAll(List.of("2")),
                    String.valueOf(hash.get("1")),
                    hash.size(),
                    new TreeMap<>(hash.toMap()));
        });
        calls.put("set", group -> {
            var set = group.set("set", String.class);
            return List.of(
                    set.add("new"),
                    set.addAll(List.of("3")),
                    set.contains("1"),
                    set.remove("1"),
                    set.removeAll(List.of("3")),
                    set.size(),
                    set.toSet());
        });
        calls.put("sorted set", group -> {
            var set = group.sortedSet("sorted", String.class);
            return List.of(
                    set.add("new", 2),
                    set.increment("1", 3),
                    set.score("1"),
                    set.rank("1"),
                    set.count(0, 10),
                    set.byRank(0, 5).size(),
                    set.byScore(0, 10, 5).size(),
                    set.byRankDescending(0, 5).size(),
                    set.byScoreDescending(0, 10, 5).size(),
                    set.byElement("a", "z", 5),
                    set.remove("new"),
                    set.removeByScore(90, 100),
                    String.valueOf(set.pollFirst()),
                    String.valueOf(set.pollLast()),
                    set.size());
        });
        calls.put("counter", group -> {
            var counter = group.counter("counter");
            return List.of(counter.addAndGet(2), counter.getAndSet(7), counter.get());
        });
        calls.put("members", group -> List.of(group.members().size(), group.count()));
        calls.put(
                "getAll",
                group -> new TreeMap<>(group.getAll().entrySet().stream()
                        .collect(Collectors.toMap(entry -> entry.getKey().toString(), Map.Entry::getValue))));
        calls.put("removeAll", CacheGroup::removeAll);
        calls.put(
                "transact",
                group -> group.transact(transaction -> {
                    transaction.list("list", String.class).addLast("2");
                    return transaction.counter("counter").addAndGet(1);
                }));
        calls.put("lock", group -> {
            try (GroupLock.Held held = group.lock()
                    .tryLock(Duration.ofSeconds(10), Duration.ofSeconds(1))
                    .orElseThrow()) {
                return held.transact(
                        transaction -> transaction.counter("counter").addAndGet(1));
            }
        });
        return calls;
    }

    /** What came of an operation, and what there was afterwards. */
    private record Outcome(
            @Nullable String result, String state, @Nullable Throwable failure) {
        /** Where the database has been written first, an entry that cannot be stored may be missing. */
        boolean isLike(Outcome right, boolean mayMiss) {
            List<String> expected = List.of(right.state.split(", "));
            List<String> left = List.of(state.split(", "));
            return Objects.equals(result, right.result)
                    && expected.size() == left.size()
                    && IntStream.range(0, left.size())
                            .allMatch(i -> left.get(i).equals(expected.get(i))
                                    || (mayMiss && left.get(i).matches("\\[?-]?")));
        }
    }

    @BeforeEach
    void open() throws IOException {
        servers = TestServers.start(1);
        admin = KeyslotManagers.openPatiently("forbidden-admin", servers.uris());
        for (Kind kind : Kind.values()) {
            admin.createCache(kind.cacheName(), kind.configuration());
        }
        ask("ACL", "SETUSER", "app", "on", ">password", "~*", "&*", "+@all");
    }

    @AfterEach
    void close() throws Exception {
        admin.close();
        servers.close();
    }

    private String ask(String... command) throws IOException {
        return Resp.run(servers.ports().get(0), command);
    }

    private CacheManager openAs(String user) {
        CacheManager app = KeyslotManagers.openPatiently(
                "forbidden-" + user,
                servers.uris().stream()
                        .map(uri -> uri.replace("redis://", "redis://" + user + ":password@"))
                        .toList());
        for (Kind kind : Kind.values()) {
            app.createCache(kind.cacheName(), kind.configuration());
        }
        return app;
    }

    private static PartitionedCache<String, String> cache(CacheManager manager, Kind kind) {
        @SuppressWarnings("unchecked")
        PartitionedCache<String, String> cache =
                manager.getCache(kind.cacheName(), String.class, String.class).unwrap(PartitionedCache.class);
        return cache;
    }

    private static CacheGroup group(CacheManager manager) {
        return manager.unwrap(PartitionedCacheManager.class).group(ROOT);
    }

    /** Runs every operation, each on what was stored before; returns what came of them by their names. */
    private Map<String, Outcome> runAll(CacheManager app, String denied) throws IOException {
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            for (Map.Entry<String, CacheCall> call : cacheCalls().entrySet()) {
                PartitionedCache<String, String> seeded = cache(admin, kind);
                seeded.putAll(Map.of("a", "old a", "b", "old b"), SEEDED);
                seeded.remove("none");
                Outcome outcome =
                        outcome(() -> String.valueOf(call.getValue().run(cache(app, kind))), () -> stateOf(kind));
                outcomes.put(kind + " " + call.getKey(), outcome);
                if (kind == Kind.WRITING && outcome.failure() != null) {
                    letDelete(cache(app, kind), denied);
                }
            }
        }
        for (Map.Entry<String, GroupCall> call : groupCalls().entrySet()) {
            seedGroup();
            outcomes.put(
                    "group " + call.getKey(),
                    outcome(() -> String.valueOf(call.getValue().run(group(app))), this::stateOfGroup));
        }
        return outcomes;
    }

    /** What the writer has changed and the server has refused is out of date there, and not used before it is deleted. */
    private void letDelete(PartitionedCache<String, String> cache, String denied) throws IOException {
        ask("ACL", "SETUSER", "app", "+@all");
        await().ignoreExceptions()
                .until(() -> KEYS.stream().filter(cache::containsKey).count() <= KEYS.size());
        ask("ACL", "SETUSER", "app", "-" + denied);
    }

    private interface Question<T extends @Nullable Object> {
        T ask() throws Exception;
    }

    private static Outcome outcome(Question<String> call, Question<String> state) {
        String result = null;
        Throwable failure = null;
        try {
            result = call.ask();
        } catch (Exception e) {
            failure = e;
        }
        try {
            return new Outcome(result, state.ask(), failure);
        } catch (Exception e) {
            throw new AssertionError("the state cannot be read", e);
        }
    }

    private String stateOf(Kind kind) throws IOException {
        List<String> state = new ArrayList<>();
        for (String key : KEYS) {
            long left = Long.parseLong(ask("PTTL", kind.cacheName() + ":" + key));
            PartitionedCache<String, String> cache = cache(admin, kind);
            state.add(
                    cache.containsKey(key)
                            ? key + "=" + cache.get(key) + (left < 0 || left > LONGER_MILLIS ? " long" : " short")
                            : "-");
        }
        return state.toString();
    }

    private void seedGroup() {
        CacheGroup group = group(admin);
        group.removeAll();
        group.rows("row", String.class).put("1", "row");
        group.list("list", String.class).addLast("1");
        group.hash("hash", String.class, String.class).put("1", "hash");
        group.set("set", String.class).add("1");
        group.sortedSet("sorted", String.class).add("1", 1);
        group.counter("counter").set(1);
    }

    private String stateOfGroup() {
        CacheGroup group = group(admin);
        return List.of(
                        group.rows("row", String.class).ids(),
                        group.list("list", String.class).toList(),
                        new TreeMap<>(
                                group.hash("hash", String.class, String.class).toMap()),
                        group.set("set", String.class).toSet(),
                        group.sortedSet("sorted", String.class).toList(),
                        group.counter("counter").get())
                .toString();
    }

    @Test
    void everyOperation_isRightOrNamesTheCommand() throws Exception {
        ask("CONFIG", "RESETSTAT");
        Map<String, Outcome> right;
        try (CacheManager app = openAs("app")) {
            right = runAll(app, "config");
        }
        assertThat(right)
                .allSatisfy((name, outcome) ->
                        assertThat(outcome.failure()).as(name).isNull());
        Set<String> used = USED.matcher(ask("INFO", "commandstats"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        used.removeAll(Set.of("config|resetstat", "hello", "auth", "info"));
        assertThat(used).contains("get", "set", "evalsha", "unlink", "scan", "zadd");

        List<String> wrong = new ArrayList<>();
        try (CacheManager app = openAs("app")) {
            for (String command : used) {
                ask("ACL", "SETUSER", "app", "-" + command);
                runAll(app, command).forEach((name, outcome) -> {
                    String problem = problem(command, right.get(name), outcome, name.startsWith(Kind.WRITING.name()));
                    if (problem != null) {
                        wrong.add("-%s: %s: %s".formatted(command, name, problem));
                    }
                });
                ask("ACL", "SETUSER", "app", "+@all");
                await().ignoreExceptions().until(() -> {
                    cache(app, Kind.PLAIN).put("a", "again");
                    return "again".equals(cache(app, Kind.PLAIN).get("a"));
                });
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "~*",
                "~keyslot:* ~plain:* ~pending_deletes:* ~loading:* ~writing:* ~touched:* ~changing:* ~customer:* ~list:* ~hash:*"
                        + " ~set:* ~sorted:* ~counter:* ~row:*"
            })
    void userOfTheManual_mayDoEverything(String keys) throws Exception {
        Map<String, Outcome> right;
        try (CacheManager app = openAs("app")) {
            right = runAll(app, "config");
        }
        List<String> rules = new ArrayList<>(rulesOfTheManual());
        rules.remove("~*");
        rules.addAll(List.of(keys.split(" ")));
        ask(rules.toArray(String[]::new));

        List<String> wrong = new ArrayList<>();
        try (CacheManager app = openAs("keyslot")) {
            runAll(app, "config").forEach((name, outcome) -> {
                String problem = outcome.failure() == null
                        ? problem("", right.get(name), outcome, false)
                        : "" + outcome.failure();
                if (problem != null) {
                    wrong.add("%s: %s".formatted(name, problem));
                }
            });
        }

        assertThat(wrong).isEmpty();
    }

    /** Returns the command that makes the user, with the rights for groups. */
    private static List<String> rulesOfTheManual() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        String access = page.substring(page.indexOf("## Access rules"), page.indexOf("### Some uses only"));
        return BLOCK.matcher(access)
                .results()
                .flatMap(block -> Stream.of(block.group(1).strip().split("\\s+")))
                .toList();
    }

    private static @Nullable String problem(String command, @Nullable Outcome right, Outcome outcome, boolean mayMiss) {
        if (right == null) {
            return "is not known";
        }
        Throwable failure = outcome.failure();
        if (failure == null) {
            return outcome.isLike(right, mayMiss)
                    ? null
                    : "answered %s and left %s instead of %s and %s"
                            .formatted(outcome.result(), outcome.state(), right.result(), right.state());
        }
        return String.valueOf(failure.getMessage()).contains(command.toUpperCase(Locale.ROOT))
                ? null
                : "does not name the command: " + failure;
    }
}
