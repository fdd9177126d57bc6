// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** Jedis with a pool of connections to each server, and Kryo. Bulk operations use one server after the other. */
final class JedisContender implements Contender {
    /** Enough that no thread waits for a connection. */
    private static final int CONNECTIONS = 64;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Lifetime lifetime;
    private final SetParams expiring;
    private final List<RedisClient> clients;
    private final Routing routing;
    private final byte[] compareAndSet;

    JedisContender(Conditions conditions) {
        lifetime = conditions.lifetime();
        expiring = lifetime.isLimited() ? SetParams.setParams().px(lifetime.millis()) : SetParams.setParams();
        clients = conditions.servers().stream()
                .map(server -> RedisClient.builder()
                        .hostAndPort(new HostAndPort(server.getHost(), server.getPort()))
                        .poolConfig(pool())
                        .build())
                .toList();
        routing = new Routing(clients.size());
        String script = LuaScripts.COMPARE_AND_SET;
        compareAndSet = clients.stream()
                .map(client -> client.scriptLoad(script, ""))
                .reduce((one, same) -> one)
                .orElseThrow()
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static ConnectionPoolConfig pool() {
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(CONNECTIONS);
        config.setMaxIdle(CONNECTIONS);
        config.setMaxWait(TIMEOUT);
        return config;
    }

    private RedisClient client(byte[] key) {
        return clients.get(routing.server(key));
    }

    @Override
    public @Nullable Object get(long id) {
        byte[] key = Keys.bytes(id);
        byte[] value = client(key).get(key);
        return value == null ? null : ValueForm.KRYO.read(value);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        byte[] key = Keys.bytes(id);
        byte[] value = ValueForm.KRYO.bytes(customer);
        client(key).set(key, value, expiring);
    }

    @Override
    public Map<Long, ?> getAll(Batch batch) {
        Map<Long, Object> entries = new HashMap<>(batch.size() * 2);
        for (Routing.Share share : routing.split(batch)) {
            List<byte[]> values = clients.get(share.server()).mget(share.keys());
            for (int i = 0; i < values.size(); i++) {
                byte[] value = values.get(i);
                if (value != null) {
                    entries.put(batch.ids().get(share.place(i)), ValueForm.KRYO.read(value));
                }
            }
        }
        return entries;
    }

    @Override
    public void putAll(Batch batch) {
        for (Routing.Share share : routing.split(batch)) {
            if (lifetime.isLimited()) {
                pipeline(batch, share);
            } else {
                byte[][] keysAndValues = new byte[share.size() * 2][];
                for (int i = 0; i < share.size(); i++) {
                    keysAndValues[2 * i] = share.key(i);
                    keysAndValues[2 * i + 1] = value(batch, share, i);
                }
                clients.get(share.server()).mset(keysAndValues);
            }
        }
    }

    private void pipeline(Batch batch, Routing.Share share) {
        try (Pipeline pipeline = clients.get(share.server()).pipelined()) {
            for (int i = 0; i < share.size(); i++) {
                pipeline.set(share.key(i), value(batch, share, i), expiring);
            }
            pipeline.sync();
        }
    }

    private static byte[] value(Batch batch, Routing.Share share, int i) {
        return ValueForm.KRYO.bytes(batch.values().get(share.place(i)));
    }

    @Override
    public long invoke(long id) {
        byte[] key = Keys.bytes(id);
        while (true) {
            byte[] before = client(key).get(key);
            ValueForm.Visit visit = ValueForm.KRYO.visit(before);
            Object replaced = client(key).evalsha(compareAndSet, 1, key, before, visit.value());
            if (Long.valueOf(1).equals(replaced)) {
                return visit.visits();
            }
        }
    }

    @Override
    public void close() {
        clients.forEach(RedisClient::close);
    }
}
