// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.contender.SetPipeline;
import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Compares groups of Keyslot with plain commands of Lettuce without a codec, on one server. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(1)
@Threads(1)
public class GroupBenchmark {
    private static final int GROUPS = 1_000;
    private static final int PUTS = 20;
    private static final int RANGE = 50;
    private static final int FILLED_AT_ONCE = 500;
    private static final int ROOT_OF_ROWS = 2 * GROUPS;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BenchmarkServers servers = BenchmarkServers.open(1);
    private final RedisClient client = RedisClient.create();
    private final URI server = servers.uris().get(0);
    private final StatefulRedisConnection<byte[], byte[]> lettuce =
            client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(server));
    private final PartitionedCacheManager manager = KeyslotProvider.open("groups", server.toString());
    private final PartitionedCache<EntityKey, Customer> orders = create("order", false);
    private final PartitionedCache<EntityKey, Customer> rowsOfOrders = create("row", true);
    private final List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
    private final Random random = new Random(1);
    private final EntityKey[][] orderKeys = members("order", 0);
    private final EntityKey[][] rowKeys = members("row", 0);
    private final byte[][][] storedKeys = Stream.of(members("order", GROUPS))
            .map(group -> Stream.of(group).map(GroupBenchmark::stored).toArray(byte[][]::new))
            .toArray(byte[][][]::new);
    private List<String> ids = List.of();
    private byte[][] storedRows = {};

    @Param("100000")
    private int rows;

    public GroupBenchmark() {}

    GroupBenchmark(int rows) {
        this.rows = rows;
    }

    private PartitionedCache<EntityKey, Customer> create(String name, boolean indexed) {
        PartitionedConfiguration<EntityKey, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setGroupedBy("customer").setIndexed(indexed).setCodecFactory(CustomerCodec::new);
        configuration.setTypes(EntityKey.class, Customer.class);
        return manager.createCache(name, configuration);
    }

    private static EntityKey[][] members(String type, int first) {
        return IntStream.range(first, first + GROUPS)
                .mapToObj(customer -> IntStream.range(0, PUTS)
                        .mapToObj(number -> key(type, customer, number))
                        .toArray(EntityKey[]::new))
                .toArray(EntityKey[][]::new);
    }

    @Setup
    public void prepare() {
        ids = IntStream.range(0, rows).mapToObj(GroupBenchmark::id).toList();
        storedRows = IntStream.range(0, rows)
                .mapToObj(row -> stored(key("row", ROOT_OF_ROWS, row)))
                .toArray(byte[][]::new);
        for (int first = 0; first < rows; first += FILLED_AT_ONCE) {
            Map<EntityKey, Customer> batch = new HashMap<>();
            for (int row = first; row < Math.min(rows, first + FILLED_AT_ONCE); row++) {
                batch.put(key("row", ROOT_OF_ROWS, row), sample().customer());
            }
            rowsOfOrders.putAll(batch);
        }
    }

    private static String id(int number) {
        return "%06d".formatted(number);
    }

    private static EntityKey key(String type, int customer, int number) {
        return EntityKey.of(type, id(number)).in(EntityKey.of("customer", customer));
    }

    private static byte[] stored(EntityKey key) {
        return key.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private EncodedCustomer sample() {
        return samples.get(random.nextInt(samples.size()));
    }

    private Duel duel() {
        return new Duel(servers.processes().stream().map(ServerProcess::pid).toList(), System::nanoTime);
    }

    /** Puts 20 entries of a group in a transaction, against 20 {@code SET}s in one flush. */
    @Benchmark
    public void transactionAgainstSets() {
        duel().round("transaction", () -> transact(orders, orderKeys), "sets", this::set);
    }

    /** Puts 20 indexed rows of a group in a transaction, against 20 {@code SET}s in one flush. */
    @Benchmark
    public void transactionOfRowsAgainstSets() {
        duel().round("transaction", () -> transact(rowsOfOrders, rowKeys), "sets", this::set);
    }

    /** Reads 50 rows of one large group in order, against {@code MGET} of the same keys, without decoding. */
    @Benchmark
    public void rangeAgainstMget() {
        duel().round("range", this::range, "mget", this::mget);
    }

    void transact(PartitionedCache<EntityKey, Customer> cache, EntityKey[][] keys) {
        int customer = random.nextInt(GROUPS);
        manager.group(EntityKey.of("customer", customer)).transactWithoutResult(tx -> {
            GroupEntries<EntityKey, Customer> entries = tx.entries(cache);
            for (EntityKey key : keys[customer]) {
                entries.put(key, sample().customer());
            }
        });
    }

    void set() {
        SetPipeline pipeline = new SetPipeline(lettuce, new SetArgs());
        for (byte[] key : storedKeys[random.nextInt(GROUPS)]) {
            pipeline.add(key, sample().bytes());
        }
        pipeline.send();
        pipeline.await(TIMEOUT);
    }

    void range() {
        int start = random.nextInt(rows - RANGE);
        check(manager.group(EntityKey.of("customer", ROOT_OF_ROWS))
                .rows("row", Customer.class)
                .from(ids.get(start))
                .limit(RANGE)
                .toMap()
                .size());
    }

    void mget() {
        int start = random.nextInt(rows - RANGE);
        byte[][] keys = Arrays.copyOfRange(storedRows, start, start + RANGE);
        check(lettuce.sync().mget(keys).stream().filter(KeyValue::hasValue).count());
    }

    private static void check(long found) {
        if (found != RANGE) {
            throw new IllegalStateException("%d rows were found, must be %d".formatted(found, RANGE));
        }
    }

    @TearDown
    public void end() {
        manager.close();
        lettuce.close();
        client.shutdown();
        servers.close();
    }
}
