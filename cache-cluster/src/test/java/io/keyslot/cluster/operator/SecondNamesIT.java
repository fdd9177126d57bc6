// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.PlanSteps;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that nobody has used yet, under several names and addresses, of which some do not say who they are. */
@SideBySide
class SecondNamesIT {
    private static final int CASES = 12;
    private static final int DATABASES = 2;
    private static final List<String> HOSTS = List.of("127.0.0.1", "localhost");

    private final LocalServers servers = TestServers.none();
    private final RedisClient client = RedisClient.create();

    @AfterEach
    void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        servers.close();
    }

    private LocalServer startHidden() {
        return servers.start("--rename-command", "INFO", "");
    }

    private static ClientOptions options(String... addresses) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        URI uri = URI.create("test");
        return ConfigurationLoader.load(
                uri, uri, SecondNamesIT.class.getClassLoader(), properties, Map.<String, String>of()::get);
    }

    /** One address of the data of one database of one server. */
    private record Named(int server, int database, String host, int port) {
        String uri() {
            return "redis://%s:%d/%d".formatted(host, port, database);
        }

        boolean isSameAs(Named other) {
            return server == other.server && database == other.database;
        }
    }

    private static MappedPartition partition(int number, Named named) {
        return MappedPartition.active(new PartitionId("p" + number), PartitionUriParser.uri(named.uri()), 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {14, 129})
    void namesOfTheSameData_areFound_andNoOthers_andNothingIsLeft(long seed) {
        List<LocalServer> all = List.of(servers.start(), servers.start(), startHidden(), startHidden());
        List<Named> addresses = new ArrayList<>();
        for (int server = 0; server < all.size(); server++) {
            for (int database = 0; database < DATABASES; database++) {
                for (String host : HOSTS) {
                    addresses.add(
                            new Named(server, database, host, all.get(server).port()));
                }
            }
        }
        Random random = new Random(seed);
        int found = 0;
        try (OpenCatalogue catalogue = OpenCatalogue.of(options(all.get(0).uri()));
                Instances instances = new Instances(catalogue)) {
            for (int i = 0; i < CASES; i++) {
                Collections.shuffle(addresses, random);
                found += compare(
                        instances, addresses.subList(0, 2 + random.nextInt(5)), "seed %d, case %d".formatted(seed, i));
            }
        }

        assertThat(found).as("the cases have some").isPositive();
        all.forEach(server -> assertThat(keysOf(server)).isEmpty());
    }

    /** The first is there, the others are added one after the other. Returns how many were known under another name. */
    private static int compare(Instances instances, List<Named> addresses, String which) {
        SecondNames names = new SecondNames(instances);
        names.know(partition(0, addresses.get(0)));
        List<Named> known = new ArrayList<>(addresses.subList(0, 1));
        int found = 0;
        for (int i = 1; i < addresses.size(); i++) {
            Named added = addresses.get(i);
            Optional<Named> same = known.stream().filter(added::isSameAs).findFirst();

            Optional<MappedPartition> told = names.add(partition(i, added));

            assertThat(told.map(partition -> String.valueOf(partition.address())))
                    .as("%s: %s after %s", which, added.uri(), known)
                    .isEqualTo(
                            same.map(named -> String.valueOf(partition(0, named).address())));
            if (same.isEmpty()) {
                known.add(added);
            } else {
                found++;
            }
        }
        return found;
    }

    private List<String> keysOf(LocalServer server) {
        List<String> keys = new ArrayList<>();
        for (int database = 0; database < DATABASES; database++) {
            try (StatefulRedisConnection<String, String> plain =
                    client.connect(RedisURI.create(server.uri() + "/" + database))) {
                keys.addAll(plain.sync().keys("*"));
            }
        }
        return keys;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void planForAnInstanceThatNobodyHasUsed_isRefused_ifItIsAPartitionByAnotherName(boolean isHidden) throws Exception {
        LocalServer one = isHidden ? startHidden() : servers.start();
        LocalServer two = isHidden ? startHidden() : servers.start();
        try (OpenCatalogue catalogue = OpenCatalogue.of(options(one.uri(), two.uri()))) {
            PartitionMap map = catalogue.maps().read();
            Plan plan = new Planner(map, PlanFacts.NONE).add(added(3, two));

            refused(catalogue, plan, "p3 at redis://localhost:" + two.port(), "the instance is p2 already");

            assertThat(catalogue.maps().read()).isEqualTo(map);
        }
        assertThat(keysOf(one)).isEmpty();
        assertThat(keysOf(two)).isEmpty();
    }

    @Test
    void planThatAddsOneInstanceTwice_isRefused() throws Exception {
        LocalServer one = servers.start();
        LocalServer fresh = servers.start();
        try (OpenCatalogue catalogue = OpenCatalogue.of(options(one.uri()))) {
            PartitionMap map = catalogue.maps().read();
            MappedPartition second =
                    MappedPartition.active(new PartitionId("p2"), PartitionUriParser.uri(fresh.uri()), 1);
            Plan single = new Planner(map, PlanFacts.NONE).add(second);
            Plan twice = new Plan(
                    single.base(),
                    single.request(),
                    new PlanSteps(List.of(second, added(3, fresh)), List.of()),
                    single.moves(),
                    single.back(),
                    single.shares(),
                    single.bytes(),
                    single.warnings(),
                    single.drain());

            refused(catalogue, twice, "p3 at redis://localhost:" + fresh.port(), "the instance is p2 already");

            assertThat(catalogue.maps().read()).isEqualTo(map);
        }
        assertThat(keysOf(fresh)).isEmpty();
    }

    private static MappedPartition added(int number, LocalServer server) {
        return MappedPartition.active(
                new PartitionId("p" + number),
                PartitionUriParser.uri(server.uri().replace("127.0.0.1", "localhost")),
                1);
    }

    private static void refused(OpenCatalogue catalogue, Plan plan, String... why) {
        assertThatThrownBy(() -> new PlanApplication(catalogue).apply(plan, MovePace.FULL))
                .isInstanceOf(RefusedException.class)
                .hasMessageContainingAll(why);
    }
}
