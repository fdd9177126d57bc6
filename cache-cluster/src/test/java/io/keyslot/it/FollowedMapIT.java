// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.Client;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.catalogue.InstancesCatalogue;
import io.keyslot.client.catalogue.InstancesCatalogue.InstanceCopies;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Clients of real servers follow the map of a catalogue, which survives what the servers forget. */
@Tag("thorough")
@SideBySide
class FollowedMapIT {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final PartitionId P4 = new PartitionId("p4");
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final URI DEFAULT = URI.create("followed");

    // Before the first logger of this process: commands say less than applications.
    static {
        System.setProperty("org.slf4j.simpleLogger.log.io.keyslot.client", "info");
        System.setProperty("org.slf4j.simpleLogger.log.io.keyslot.client.health", "info");
    }

    private final LocalServers servers = TestServers.none();
    private final List<LocalServer> three = servers.start(3);
    private final List<Client> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Client::close);
        servers.close();
    }

    private Properties properties(List<LocalServer> of) {
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty(
                "keyslot.partitions", of.stream().map(LocalServer::uri).collect(Collectors.joining(",")));
        return properties;
    }

    private Client client() {
        return client(three);
    }

    private Client client(List<LocalServer> of) {
        Properties properties = properties(of);
        Client client = new ClientAssembly()
                .assemble(
                        "client" + clients.size(),
                        ConfigurationLoader.load(
                                DEFAULT, DEFAULT, getClass().getClassLoader(), properties, name -> null),
                        properties);
        clients.add(client);
        return client;
    }

    private static CatalogueSource source(Client client) {
        return (CatalogueSource) client.source();
    }

    private static Catalogue catalogue(Client client) {
        return source(client).catalogue();
    }

    private static long versionAt(Client client) {
        return source(client).map().version();
    }

    private static PartitionMap heavier(PartitionMap map, String operation) {
        int weight = map.partition(P1).orElseThrow().weight();
        return map.next(
                new MapCommit(operation, "test", "", Instant.EPOCH),
                content -> content.change(P1, weighed -> weighed.withWeight(weight + 1)));
    }

    private static PartitionMap map(CatalogueAnswer answer) {
        assertThat(answer).isInstanceOf(CatalogueAnswer.Ok.class);
        return ((CatalogueAnswer.Ok) answer).map();
    }

    private static PartitionMap read(Catalogue catalogue) throws Exception {
        return map(catalogue.read().get(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private static PartitionMap change(Catalogue catalogue, String operation) throws Exception {
        PartitionMap next = heavier(read(catalogue), operation);
        return map(catalogue.compareAndSet(next).get(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private static void flush(LocalServer server) {
        RedisClient plain = RedisClient.create(server.uri());
        try {
            plain.connect().sync().flushall();
        } finally {
            plain.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** Without a call, and so without a refusal: by the hint, long before the next look at what counts. */
    @Test
    void anIdleClient_followsSoon() throws Exception {
        Client operator = client();
        Client idle = client();
        long version = change(catalogue(operator), "first").version();
        await().atMost(LIMIT).until(() -> versionAt(idle) == version);

        change(catalogue(operator), "second");

        await().atMost(Duration.ofMillis(3_500)).until(() -> versionAt(idle) == version + 1);
    }

    /** The file stays as it was: what a move leaves behind is no reason to delete anything. One line says that a newer map is followed. */
    @Test
    void whoStartsWithTheFileItAlwaysHad_followsTheMap_afterAnyMove() throws Exception {
        try (LogLines log = new LogLines();
                OpenCatalogue operator = OpenCatalogue.of(properties(three))) {
            Client lasting = client();
            List<Function<Planner, Plan>> plans = List.of(
                    planner -> planner.move(SlotSet.parse("0-99"), P2),
                    planner -> planner.move(SlotSet.parse("100-5460"), P2),
                    planner -> planner.add(MappedPartition.active(
                            P4, PartitionUriParser.uri(servers.start().uri()), 1)),
                    planner -> planner.weigh(Map.of(P4, 3)),
                    planner -> planner.remove(P3),
                    planner -> planner.move(SlotSet.parse("0-5460"), P1));
            for (Function<Planner, Plan> request : plans) {
                Plan plan = request.apply(new Planner(operator.maps().read(), PlanFacts.NONE));
                new KeyslotAdmin(operator)
                        .apply(plan, MovePace.FULL, progress -> {})
                        .requireFinished();
                Client later = client();
                long newest = operator.maps().read().version();
                await().atMost(LIMIT).until(() -> versionAt(later) == newest && versionAt(lasting) == newest);
                await().atMost(LIMIT)
                        .until(() -> later.router().statuses().stream()
                                .allMatch(partition -> partition.state() == PartitionState.HEALTHY));
            }

            assertThat(log.with("FLUSH")).isEmpty();
            assertThat(log.with("is missing")).isEmpty();
            if (!LoggerFactory.getLogger(CatalogueSource.class).isInfoEnabled()) {
                return; // a class that ran before in this process has made the logger, for warnings only
            }
            assertThat(log.with("is newer than that of the configuration, and is followed"))
                    .hasSize(plans.size() + 2);
            // Two lines for each plan, in the logs of the operator and of each client, and not one for each map.
            assertThat(log.with("slots begin to move")).isNotEmpty();
            assertThat(log.with("Slot map ")).hasSizeLessThan(2 * plans.size() * (plans.size() + 2));
            assertThat(log.with("0-")).noneMatch(line -> line.contains("p1=0-"));
        }
    }

    @Test
    void oneServerAfterTheOtherForgets_andTheMapIsKept() throws Exception {
        Client operator = client();
        client();
        InstancesCatalogue catalogue = (InstancesCatalogue) catalogue(operator);
        long version = change(catalogue, "first").version();

        for (int server = 0; server < 3; server++) {
            flush(three.get(server));
            version++;
            String operation = "after-" + server;
            long expected = version;
            await().atMost(LIMIT)
                    .untilAsserted(() ->
                            assertThat(change(catalogue, operation).version()).isEqualTo(expected));
            await().atMost(LIMIT).until(() -> {
                InstanceCopies copies = catalogue.copies().get(10, TimeUnit.SECONDS);
                return copies.lost().isEmpty() && copies.silent().isEmpty();
            });
        }
    }
}
