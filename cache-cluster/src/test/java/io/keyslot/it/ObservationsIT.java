// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CommandContext;
import io.keyslot.cluster.local.TestServers;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On servers, each command is an observation within that of its call, by OpenTelemetry's names for databases. */
@SideBySide
class ObservationsIT {
    /** Has more digits than a port, so that an address never contains it. */
    private static final long CUSTOMER = 987_654_321L;

    /** Keeps what has ended, in its order. */
    private static final class Endings implements ObservationHandler<Observation.Context> {
        private final List<Observation.Context> contexts = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            contexts.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        <C> List<C> take(Class<C> type) {
            return contexts.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    private final TestServers servers = TestServers.start(3);
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Endings endings = new Endings();
    private final PartitionedCache<Long, String> cache = cache();

    private PartitionedCache<Long, String> cache() {
        registry.observationConfig().observationHandler(endings);
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        properties.put(Telemetry.OBSERVATION_REGISTRY, registry);
        CacheManager manager =
                provider.getCacheManager(URI.create("shop"), ObservationsIT.class.getClassLoader(), properties);
        return (PartitionedCache<Long, String>) manager.createCache(
                "customer", new MutableConfiguration<Long, String>().setTypes(Long.class, String.class));
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
        servers.close();
    }

    private static @Nullable Object parentOf(Observation.Context context) {
        return Objects.requireNonNull(context.getParentObservation()).getContextView();
    }

    @Test
    void commands_areWithinTheirCall_withTheNamesOfDatabases() {
        assertThat(endings.contexts)
                .as("what is sent by nobody's order is not observed")
                .isEmpty();
        cache.put(CUSTOMER, "Ada");

        CallContext call = endings.take(CallContext.class).get(0);
        CommandContext command = endings.take(CommandContext.class).get(0);

        assertThat(endings.contexts).containsExactly(command, call);
        assertThat(parentOf(command)).isSameAs(call);
        assertThat(command.getKind()).isEqualTo(Kind.CLIENT);
        assertThat(command.getName()).isEqualTo("db.client.operation.duration");
        assertThat(servers.uris())
                .anyMatch(uri -> uri.endsWith(":" + command.port()))
                .allMatch(uri -> uri.contains(command.host()));
        assertThat(command.getLowCardinalityKeyValues())
                .containsExactlyInAnyOrder(
                        KeyValue.of("db.system.name", "redis"),
                        KeyValue.of("db.namespace", "0"),
                        KeyValue.of("db.operation.name", "put"),
                        KeyValue.of("error.type", "none"),
                        KeyValue.of("keyslot.partition", command.partition().name()),
                        KeyValue.of("server.address", command.host()),
                        KeyValue.of("server.port", String.valueOf(command.port())));
        assertThat(command.getHighCardinalityKeyValues()).isEmpty();
        assertThat(endings.contexts.toString())
                .doesNotContain(String.valueOf(CUSTOMER))
                .doesNotContain("Ada");
    }

    @Test
    void commandsOfManyPartitions_andOfOtherThreads_areWithinTheirCall() {
        List<Long> keys = LongStream.range(0, 30).boxed().toList();

        cache.getAll(keys.stream().collect(Collectors.toSet()));
        cache.putAsync(1L, "one").toCompletableFuture().join();
        cache.invokeAll(keys.stream().collect(Collectors.toSet()), (entry, arguments) -> entry.getValue());

        List<CallContext> calls = endings.take(CallContext.class);
        assertThat(calls).extracting(CallContext::operation).containsExactly("getAll", "put", "invokeAll");
        List<CommandContext> commands = endings.take(CommandContext.class);
        assertThat(commands.stream()
                        .filter(command -> calls.get(0).equals(parentOf(command)))
                        .map(CommandContext::partition)
                        .distinct())
                .hasSize(3);
        assertThat(commands).allMatch(command -> calls.contains(parentOf(command)));
        assertThat(commands.stream().map(ObservationsIT::parentOf).distinct()).hasSize(3);
    }

    @Test
    void commandsOfGroups_ofTheirTransactions_andOfIterators_areWithinTheirCalls() {
        CacheGroup group = cache.group(1L);
        long sum = group.transact(transaction -> transaction.counter("visits").incrementAndGet());
        group.hash("names", String.class, String.class).put("a", "b");
        cache.explain(1L);
        for (Cache.Entry<Long, String> entry : cache) {
            assertThat(entry.getKey()).isPositive();
        }

        assertThat(sum).isEqualTo(1);
        assertThat(endings.take(CallContext.class))
                .extracting(CallContext::operation)
                .startsWith("counter.incrementAndGet", "group.transact", "hash.put", "explain", "iterator");
        assertThat(endings.take(CommandContext.class))
                .hasSizeGreaterThan(4)
                .allSatisfy(command -> assertThat(parentOf(command)).isInstanceOf(CallContext.class));
    }

    @Test
    void commandThatIsRefused_saysWhy() throws Exception {
        servers.close();
        String found = cache.get(99L);

        assertThat(found).isNull();
        CallContext call = endings.take(CallContext.class).get(0);
        assertThat(Objects.requireNonNull(call.getLowCardinalityKeyValue("cause"))
                        .getValue())
                .isEqualTo("partition_missing");
        assertThat(endings.take(CommandContext.class))
                .isNotEmpty()
                .allMatch(command -> command.failure() != null)
                .allMatch(command -> call.equals(parentOf(command)));
    }
}
