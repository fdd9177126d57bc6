// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.time.SystemTicker;
import io.keyslot.client.time.Ticker;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a partition is asked, no class of those that change entries has called another one that called it back. */
class CallsGoDownTest {
    private static final Pattern OURS =
            Pattern.compile("io[.]keyslot[.]client[.](?:jcache|change|writing|event)[.](\\w+).*");

    private final Set<List<String>> paths = new LinkedHashSet<>();
    private final Thread caller = Thread.currentThread();
    private final Ticker ticker = new SystemTicker();
    private final KeyslotCachingProvider provider =
            new KeyslotCachingProvider(new ClientAssembly(new RealTime(), this::partitions));

    @AfterEach
    void close() {
        provider.close();
    }

    /** What is done with a cache. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Call {
        GET(cache -> cache.get("a")),
        PUT(cache -> cache.put("a", "1")),
        PUT_IF_ABSENT(cache -> cache.putIfAbsent("a", "1")),
        GET_AND_PUT(cache -> cache.getAndPut("a", "1")),
        REPLACE(cache -> cache.replace("a", "1")),
        REPLACE_EQUAL(cache -> cache.replace("a", "0", "1")),
        REMOVE(cache -> cache.remove("a")),
        REMOVE_EQUAL(cache -> cache.remove("a", "0")),
        INVOKE(cache -> cache.invoke("a", (entry, arguments) -> {
            entry.setValue("1");
            return true;
        })),
        PUT_ALL(cache -> cache.putAll(Map.of("a", "1", "b", "1"))),
        REMOVE_ALL(cache -> cache.removeAll(Set.of("a", "b")));

        private final Consumer<Cache<String, String>> action;

        Call(Consumer<Cache<String, String>> action) {
            this.action = action;
        }
    }

    /** The engine's clock is asked where a path ends. */
    private EmbeddedPartitions partitions(ClientOptions options) {
        Map<PartitionId, EmbeddedPartition> partitions = new LinkedHashMap<>();
        options.partitions()
                .forEach(each -> partitions.put(
                        each.name(), new EmbeddedPartition(each.name(), 1_000_000, this::nanosAtTheEndOfAPath)));
        return new EmbeddedPartitions(partitions);
    }

    private long nanosAtTheEndOfAPath() {
        if (Thread.currentThread().equals(caller)) {
            paths.add(StackWalker.getInstance()
                    .walk(frames -> classesOf(
                            frames.map(StackWalker.StackFrame::getClassName).toList())));
        }
        return ticker.nanos();
    }

    /** Returns our classes from the caller down, each once for as long as it calls itself. */
    private static List<String> classesOf(List<String> frames) {
        List<String> classes = new ArrayList<>();
        for (int i = frames.size() - 1; i >= 0; i--) {
            Matcher matcher = OURS.matcher(frames.get(i));
            if (matcher.matches()
                    && !matcher.group(1).endsWith("Test")
                    && (classes.isEmpty() || !classes.get(classes.size() - 1).equals(matcher.group(1)))) {
                classes.add(matcher.group(1));
            }
        }
        return classes;
    }

    private void assertGoesDown(Call call, PartitionedConfiguration<String, String> configuration) {
        record(call, configuration);
        assertThat(paths).isNotEmpty().allSatisfy(path -> assertThat(path).doesNotHaveDuplicates());
    }

    private void record(Call call, PartitionedConfiguration<String, String> configuration) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.engine", "embedded");
        Cache<String, String> cache =
                provider.getCacheManager(null, null, properties).createCache("texts", configuration);
        cache.put("a", "0");
        paths.clear();

        call.action.accept(cache);
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private static PartitionedConfiguration<String, String> listenedTo() {
        PartitionedConfiguration<String, String> configuration = configuration();
        configuration.addCacheEntryListenerConfiguration(new RecordingListener<String, String>().synchronous());
        return configuration;
    }

    private static PartitionedConfiguration<String, String> writingThrough() {
        PartitionedConfiguration<String, String> configuration = configuration();
        configuration.setWriteThrough(true).setCacheWriterFactory(RecordingWriter::new);
        return configuration;
    }

    @ParameterizedTest
    @EnumSource
    void callThatNobodyHears_goesDown(Call call) {
        assertGoesDown(call, configuration());
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PUT_ALL", "REMOVE_ALL"})
    void callThatIsListenedTo_goesDown(Call call) {
        assertGoesDown(call, listenedTo());
    }

    @ParameterizedTest
    @EnumSource(names = {"PUT_ALL", "REMOVE_ALL"})
    void bulkCallThatIsListenedTo_turnsBackOnceForEachOfItsChanges(Call call) {
        record(call, listenedTo());
        assertThat(paths)
                .extracting(path -> path.size() - Set.copyOf(path).size())
                .contains(1)
                .allMatch(turns -> turns <= 1);
    }

    @ParameterizedTest
    @EnumSource
    void callOfACacheThatWritesThrough_goesDown(Call call) {
        assertGoesDown(call, writingThrough());
    }

    @ParameterizedTest
    @EnumSource
    void callOfACacheThatWritesBehind_goesDown(Call call) {
        assertGoesDown(call, writingThrough().setWriteBehind(WriteBehindOptions.defaults()));
    }
}
