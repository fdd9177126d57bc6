// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.ServerLine;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application whose instance has data of somebody else: it does not start, or it leaves that data alone. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class ForeignDataIT {
    private static final String KEY = "k";
    private static final String STORED = "customer:" + KEY;
    private static final Set<String> NOT_ABOUT_ENTRIES = Set.of(
            "close",
            "destroy",
            "unwrap",
            "getConfiguration",
            "getName",
            "getCacheManager",
            "registerCacheEntryListener",
            "deregisterCacheEntryListener",
            "spliterator",
            "forEach",
            "flushWrites",
            "takeFirst",
            "takeLast",
            "pollFirst",
            "async",
            "rows");

    @AutoClose
    private static LocalServers servers;

    private static LocalServer server;

    private final List<CacheManager> managers = new ArrayList<>();
    private ServerDialogue admin;
    private Planted planted;

    @BeforeAll
    static void startServer() {
        servers = TestServers.none();
        server = servers.start();
    }

    @BeforeEach
    void talk() throws Exception {
        admin = ServerDialogue.with(server);
        admin.ask("FLUSHALL");
        planted = new Planted(admin);
    }

    @AfterEach
    void close() throws Exception {
        managers.forEach(CacheManager::close);
        admin.close();
    }

    @ParameterizedTest
    @EnumSource
    void instanceWithDataOfAForeignClient_isRefused_andStaysAsItIs(Planted.Kind kind) throws Exception {
        planted.plant(STORED, kind);

        assertThatThrownBy(() -> open(Map.of("keyslot.caches.customer.ttl", "1h")))
                .isInstanceOf(CacheException.class)
                .hasMessageContainingAll(
                        "holds 1 key and",
                        "no record of Keyslot",
                        "customer:",
                        "a database or instances of its own",
                        "adoptInstances: always");

        assertThat(planted.changed()).isEmpty();
        assertThat(admin.ask("DBSIZE")).isEqualTo(1L);
    }

    @ParameterizedTest
    @EnumSource
    void nameThatKeyslotHasReserved_isRefusedWhateverIsSaid(Planted.Kind kind) throws Exception {
        for (String name : List.of("keyslot:{customer:99}", "keyslot:{customer:99}:index")) {
            planted.plant(name, kind);

            assertThatThrownBy(() -> open(always()))
                    .isInstanceOf(CacheException.class)
                    .hasMessageContainingAll("keyslot:", "a database or an instance of its own");

            assertThat(planted.changed()).isEmpty();
            assertThat(admin.ask("DBSIZE")).isEqualTo(1L);
            planted.pull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void recordOfAForeignClient_isRefusedWhateverIsSaid(Planted.Kind kind) throws Exception {
        planted.plant("keyslot:meta", kind);

        assertThatThrownBy(() -> open(always()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("keyslot:meta");

        assertThat(planted.changed()).isEmpty();
        assertThat(admin.ask("DBSIZE")).isEqualTo(1L);
    }

    /** Of keys that are gone, a server counts those that it has not looked at. */
    @Test
    void instanceWhoseKeysHaveExpired_isBlank() throws Exception {
        admin.ask("DEBUG", "SET-ACTIVE-EXPIRE", "0");
        admin.ask("SET", "somebody", "x", "PX", "1");

        assertThat(open(Map.of())).isNotNull();
    }

    /** Others may write what they have agreed on before the first who stores something comes. */
    @Test
    void instanceThatRemembersOnlyTheMap_isBlank() throws Exception {
        admin.ask("HSET", "keyslot:map:", "gen", "1-0123456789abcdef");

        open(Map.of()).put(KEY, "ours");

        assertThat(admin.ask("HEXISTS", "keyslot:meta", "strangers")).isEqualTo(0L);
    }

    @Test
    void manyKeysOfAForeignClient_costAStartAThousandLooks() throws Exception {
        String plant = "for i = 1, 33000 do if i % 2 == 0 then redis.call('SET', 'session:' .. i, i) "
                + "else redis.call('HSET', 'session:' .. i, 'f', i) end end return 1";
        admin.ask("EVAL", plant, "0");
        admin.ask("CONFIG", "RESETSTAT");

        PartitionedCache<String, String> cache = open(always());

        cache.put(KEY, "ours");
        assertThat(cache.get(KEY)).isEqualTo("ours");
        assertThat(calls("getrange"))
                .isPositive()
                .isLessThan(2_500); // it is looked at twice before something is written
        assertThat(calls("hget")).isLessThan(2_000);
        assertThat(admin.ask("HGET", "keyslot:meta", "strangers")).isEqualTo("possible");
    }

    private long calls(String command) throws IOException {
        return String.valueOf(admin.ask("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void instanceThatHasLostItsRecord_isNotAForeignClient() throws Exception {
        open(Map.of()).put(KEY, "ours");
        admin.ask("SET", "somebody", "x");
        managers.forEach(CacheManager::close);
        admin.ask("DEL", "keyslot:meta");

        PartitionedCache<String, String> cache = open(Map.of());

        assertThat(cache.get(KEY)).isNull(); // of another life
        cache.put(KEY, "again");
        assertThat(cache.get(KEY)).isEqualTo("again");
        assertThat(admin.ask("HGET", "keyslot:meta", "strangers")).isEqualTo("possible");
    }

    @Test
    void instanceThatIsFlushedUnderItsClients_isTakenAsBefore() throws Exception {
        PartitionedCache<String, String> cache = open(Map.of());
        cache.put(KEY, "before");

        admin.ask("FLUSHALL");
        admin.ask("SET", "customer:other", "x");
        // Within a second of use the connection finds out.
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            try {
                cache.put(KEY, "after");
            } catch (RuntimeException e) {
                return false; // the partition's epoch has changed
            }
            return Long.valueOf(1).equals(admin.ask("EXISTS", "keyslot:meta"));
        });

        assertThat(admin.ask("HGET", "keyslot:meta", "strangers")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void adoptedInstance_keepsWhatForeignClientsHave_whateverIsCalled(Planted.Kind kind) throws Exception {
        admin.ask("SET", "somebody", "x");
        List<String> violations = new ArrayList<>();
        for (Configured configured : Configured.values()) {
            admin.ask("FLUSHALL");
            planted.pull();
            planted.plant(STORED, kind);
            PartitionedCache<String, String> cache = open(always(), configured);
            callAll(cache, PartitionedCache.class, violations, configured + " " + kind, method -> true);
            cache.getCacheManager().destroyCache("customer");
            if (!planted.changed().isEmpty()) {
                violations.add(configured + " " + kind + " destroyCache");
            }
            managers.forEach(CacheManager::close);
        }

        assertThat(violations).isEmpty();
    }

    /** The price of plain puts that cost nothing. */
    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    void instanceThatWasBlank_keepsWhatComesLater_butForPuts(Planted.Kind kind) throws Exception {
        List<String> violations = new ArrayList<>();
        for (Configured configured : Configured.values()) {
            admin.ask("FLUSHALL");
            PartitionedCache<String, String> cache = open(Map.of(), configured);
            planted.pull();
            planted.plant(STORED, kind);
            callAll(
                    cache,
                    PartitionedCache.class,
                    violations,
                    configured + " " + kind,
                    method ->
                            !Set.of("put", "putAll", "putAsync", "putAllAsync").contains(method.getName()));
            cache.getCacheManager().destroyCache("customer");
            if (!planted.changed().isEmpty()) {
                violations.add(configured + " " + kind + " destroyCache");
            }
            managers.forEach(CacheManager::close);
        }

        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void adoptedInstance_keepsWhatForeignClientsHave_whateverAGroupDoes(Planted.Kind kind) throws Exception {
        Map<String, Function<CacheGroup, ?>> handles = new LinkedHashMap<>();
        handles.put("cart:{customer:99}", group -> group.hash("cart", String.class, Long.class));
        handles.put("recent:{customer:99}", group -> group.list("recent", String.class));
        handles.put("tags:{customer:99}", group -> group.set("tags", String.class));
        handles.put("board:{customer:99}", group -> group.sortedSet("board", String.class));
        handles.put("visits:{customer:99}", group -> group.counter("visits"));
        handles.put("customer:99", group -> group);
        for (String key : handles.keySet()) {
            planted.plant(key, kind);
        }
        List<String> violations = new ArrayList<>();
        PartitionedCacheManager manager = manager(always());
        CacheGroup group = manager.group(EntityKey.of("customer", 99));
        handles.forEach((key, handle) -> {
            Object target = Objects.requireNonNull(handle.apply(group));
            Class<?> type = Stream.of(target.getClass().getInterfaces())
                    .filter(face -> face.getPackageName().equals("io.keyslot.cache"))
                    .findFirst()
                    .orElseThrow();
            callAll(target, type, violations, key + " " + kind, method -> true);
        });

        assertThat(violations).isEmpty();
    }

    @Test
    void answerToWhoWouldStore_saysWhatIsThereAndWhatToDo() throws Exception {
        planted.plant(STORED, Planted.Kind.HASH);
        PartitionedCache<String, String> cache = open(always());

        for (Runnable call : List.<Runnable>of(
                () -> cache.put(KEY, "v"), () -> cache.putIfAbsent(KEY, "v"), () -> cache.getAndPut(KEY, "v"))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageContainingAll("Cache customer", "has not stored", "a database of its own");
        }
        assertThat(cache.get(KEY)).isNull();
        assertThat(cache.containsKey(KEY)).isFalse();
        assertThat(cache.remove(KEY)).isFalse();
        assertThat(cache.getAndRemove(KEY)).isNull();
    }

    /** How a cache is configured. */
    enum Configured {
        PLAIN,
        EXPIRING,
        WITH_LISTENER,
        READ_AND_WRITE_THROUGH,
        JOURNALING
    }

    private static Map<String, String> always() {
        return Map.of("keyslot.adoptInstances", "always");
    }

    private PartitionedCache<String, String> open(Map<String, String> settings) {
        return open(settings, Configured.PLAIN);
    }

    private PartitionedCache<String, String> open(Map<String, String> settings, Configured configured) {
        PartitionedConfiguration<String, String> configuration =
                new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
        switch (configured) {
            case PLAIN -> {}
            case EXPIRING -> configuration.setTimeToLive(Duration.ofHours(1));
            case WITH_LISTENER ->
                configuration.addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        FactoryBuilder.factoryOf(new Listener()), null, true, true));
            case READ_AND_WRITE_THROUGH -> {
                configuration.setReadThrough(true).setWriteThrough(true);
                configuration.setCacheLoaderFactory(() -> MapLoader.answering(key -> "loaded"));
                configuration.setCacheWriterFactory(RecordingWriter::new);
            }
            case JOURNALING -> configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
        }
        PartitionedCacheManager manager = manager(settings);
        Cache<String, String> present = manager.getCache("customer", String.class, String.class);
        Cache<String, String> cache = present == null ? manager.createCache("customer", configuration) : present;
        return (PartitionedCache<String, String>) cache;
    }

    private PartitionedCacheManager manager(Map<String, String> settings) {
        CacheManager manager =
                KeyslotManagers.openPatiently("strangers-" + managers.size(), List.of(server.uri()), settings);
        managers.add(manager);
        return manager.unwrap(PartitionedCacheManager.class);
    }

    /** Calls each method of the type that is about what is stored, with all the arguments that are given for its parameters. */
    private void callAll(Object target, Class<?> type, List<String> violations, String where, Predicate<Method> which) {
        Method[] methods = type.getMethods();
        Arrays.sort(methods, Comparator.comparing(Method::toString));
        for (Method method : methods) {
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            if (isStatic
                    || method.getDeclaringClass() == Object.class
                    || NOT_ABOUT_ENTRIES.contains(method.getName())) {
                continue;
            }
            if (which.test(method)) {
                for (List<Object> arguments : argumentsOf(method)) {
                    String outcome = call(target, method, arguments.toArray());
                    try {
                        if (!planted.changed().isEmpty()) {
                            violations.add(where + ": " + method + arguments + " " + outcome);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        }
    }

    private static String call(Object target, Method method, @Nullable Object... arguments) {
        try {
            Object answer = method.invoke(target, arguments);
            if (answer instanceof CompletionStage<?> stage) {
                answer = stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
            } else if (answer instanceof Iterator<?> entries) {
                while (entries.hasNext()) {
                    entries.next();
                    entries.remove();
                }
            }
            return "answered " + answer;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            return "failed with " + e.getCause();
        } catch (CompletionException | ExecutionException e) {
            return "failed with " + e.getCause();
        } catch (ReflectiveOperationException | InterruptedException | TimeoutException e) {
            throw new AssertionError(method + " with " + Arrays.toString(arguments), e);
        }
    }

    private static List<List<Object>> argumentsOf(Method method) {
        List<List<Object>> all = new ArrayList<>(List.of(List.of()));
        int position = 0;
        for (Class<?> type : method.getParameterTypes()) {
            List<List<Object>> longer = new ArrayList<>();
            for (Object value : valuesOf(type, position, method)) {
                for (List<Object> before : all) {
                    List<Object> arguments = new ArrayList<>(before);
                    arguments.add(value);
                    longer.add(arguments);
                }
            }
            all = longer;
            position++;
        }
        return all;
    }

    /** A type that is not here fails the test: what takes it would not be tried. */
    private static List<Object> valuesOf(Class<?> type, int position, Method method) {
        if (type == Object.class) {
            boolean isOfHash = method.getDeclaringClass().getSimpleName().equals("RemoteHash");
            return List.of(position == 0 ? KEY : isOfHash ? (Object) 7L : "new");
        }
        if (type == Map.class) {
            return switch (method.getDeclaringClass().getSimpleName()) {
                case "RemoteHash" -> List.of(Map.of(KEY, 7L));
                case "RemoteSortedSet" -> List.of(Map.of(KEY, 7.0));
                default -> List.of(Map.of(KEY, "new", KEY + "2", "new"));
            };
        }
        if (type == EntryProcessor.class) {
            EntryProcessor<Object, Object, Object> set = (entry, arguments) -> {
                entry.setValue("new");
                return "set";
            };
            EntryProcessor<Object, Object, Object> remove = (entry, arguments) -> {
                entry.remove();
                return "removed";
            };
            return List.of(set, remove);
        }
        Map<Class<?>, Object> others = Map.ofEntries(
                Map.entry(Set.class, Set.of(KEY, KEY + "2")),
                Map.entry(Collection.class, List.of(KEY)),
                Map.entry(Duration.class, Duration.ofHours(1)),
                Map.entry(Object[].class, new Object[0]),
                Map.entry(boolean.class, true),
                Map.entry(int.class, 1),
                Map.entry(long.class, 1L),
                Map.entry(double.class, 1.0),
                Map.entry(String.class, "name"),
                Map.entry(Class.class, String.class),
                Map.entry(FeedStart.class, FeedStart.latest()),
                Map.entry(Predicate.class, (Predicate<Object>) entry -> true),
                Map.entry(Comparator.class, Comparator.comparing(Object::toString)),
                Map.entry(ScanOptions.class, ScanOptions.defaults()),
                Map.entry(CompletionListener.class, new Completion()),
                Map.entry(GroupWork.class, (GroupWork<Object>) transaction -> "done"),
                Map.entry(Consumer.class, (Consumer<GroupTransaction>) transaction -> {
                    transaction.hash("cart", String.class, Long.class).put(KEY, 7L);
                }),
                Map.entry(EntityKey.class, EntityKey.of("customer", 99)));
        Object value = others.get(type);
        if (value == null) {
            throw new AssertionError("No argument for " + type + " of " + method);
        }
        return List.of(value);
    }

    private static final class Completion implements CompletionListener {
        @Override
        public void onCompletion() {}

        @Override
        public void onException(Exception e) {}
    }

    /** Hears and does nothing. */
    static final class Listener
            implements CacheEntryCreatedListener<String, String>,
                    CacheEntryRemovedListener<String, String>,
                    Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}
    }

    /** What strangers have in a server, and whether it is still there byte for byte. Not safe for use by several threads. */
    private static final class Planted {
        private static final String DUMPS = "local all = {} for i, key in ipairs(KEYS) do"
                + " all[i] = tostring(redis.call('DUMP', key)) .. redis.call('PTTL', key) end return all";

        /** What may be under a key. */
        enum Kind {
            TEXT,
            EMPTY,
            LONG_TEXT,
            LIKE_AN_ENVELOPE,
            ENVELOPE_OF_ANOTHER_KEY,
            HASH,
            LIST,
            SET,
            SORTED_SET,
            STREAM;

            private List<List<byte[]>> commands(byte[] key) {
                return switch (this) {
                    case TEXT -> List.of(words("SET", key, "x"));
                    case EMPTY -> List.of(words("SET", key, ""));
                    case LONG_TEXT -> List.of(words("SET", key, "{\"name\":\"Ada Lovelace\",\"born\":1815}"));
                    case LIKE_AN_ENVELOPE -> List.of(words("SET", key, "\1" + "\0".repeat(20) + "\1 and more"));
                    case ENVELOPE_OF_ANOTHER_KEY ->
                        List.of(List.of(
                                bytes("SET"),
                                key,
                                Envelope.of(4_711, bytes("value")).toBytes(EncodedKey.of("of:another"), 1)));
                    case HASH -> List.of(words("HSET", key, "field", "value"));
                    case LIST -> List.of(words("RPUSH", key, "one", "two"));
                    case SET -> List.of(words("SADD", key, "one", "two"));
                    case SORTED_SET -> List.of(words("ZADD", key, "0", "order::1", "1", "two"));
                    case STREAM -> List.of(words("XADD", key, "1-1", "field", "value"));
                };
            }
        }

        private final ServerDialogue server;
        private final Map<String, byte[]> keys = new LinkedHashMap<>();
        private final Map<String, Object> before = new LinkedHashMap<>();

        Planted(ServerDialogue server) {
            this.server = server;
        }

        void plant(String key, Kind kind) throws IOException {
            for (List<byte[]> command : kind.commands(bytes(key))) {
                Object answer = server.ask(command);
                if (answer instanceof ServerLine.Refused refused) {
                    throw new AssertionError(refused.text());
                }
            }
            keys.put(key, bytes(key));
            before.put(key, dump(List.of(bytes(key))).get(0));
        }

        /** Removes all of it. */
        void pull() throws IOException {
            for (byte[] key : keys.values()) {
                server.ask(List.of(bytes("DEL"), key));
            }
            keys.clear();
            before.clear();
        }

        /** Returns the names under which there is something else now, or nothing. */
        Set<String> changed() throws IOException {
            List<Object> now = dump(List.copyOf(keys.values()));
            Set<String> changed = new TreeSet<>();
            int i = 0;
            for (String key : keys.keySet()) {
                if (!now.get(i).equals(before.get(key))) {
                    changed.add(key);
                }
                i++;
            }
            return changed;
        }

        private List<Object> dump(List<byte[]> of) throws IOException {
            List<byte[]> words = new ArrayList<>(List.of(bytes("EVAL"), bytes(DUMPS), bytes("" + of.size())));
            words.addAll(of);
            Object answer = server.ask(words);
            if (!(answer instanceof List<?> list)) {
                throw new AssertionError("" + answer);
            }
            List<Object> dumps = new ArrayList<>();
            for (@Nullable Object one : list) {
                dumps.add("" + one);
            }
            return dumps;
        }

        private static List<byte[]> words(String command, byte[] key, String... others) {
            List<byte[]> words = new ArrayList<>(List.of(bytes(command), key));
            for (String other : others) {
                words.add(other.getBytes(StandardCharsets.ISO_8859_1));
            }
            return words;
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
