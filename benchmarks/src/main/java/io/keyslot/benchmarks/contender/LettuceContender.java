// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an application would write itself: Lettuce's synchronous commands, over one shared connection to each server.
 * Bulk operations use all servers in parallel; entries that expire are written by a pipeline of {@code SET}s, others by
 * {@code MSET}.
 */
final class LettuceContender implements Contender {
    private static final byte[] NOTHING = {};
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ValueForm form;
    private final Lifetime lifetime;
    private final SetArgs expiring;
    private final RedisClient client;
    private final List<StatefulRedisConnection<byte[], byte[]>> connections = new ArrayList<>();
    private final Routing routing;
    private final String compareAndSet;
    private final String compareAndSetBoth;

    LettuceContender(Conditions conditions, ValueForm form) {
        this.form = form;
        this.lifetime = conditions.lifetime();
        this.expiring = lifetime.isLimited() ? SetArgs.Builder.px(lifetime.millis()) : new SetArgs();
        this.client = RedisClient.create();
        this.routing = new Routing(conditions.servers().size());
        conditions.servers().forEach(server -> {
            RedisURI uri = RedisURI.create(server);
            uri.setTimeout(TIMEOUT);
            connections.add(client.connect(ByteArrayCodec.INSTANCE, uri));
        });
        this.compareAndSet = load(LuaScripts.COMPARE_AND_SET);
        this.compareAndSetBoth = load(LuaScripts.COMPARE_AND_SET_BOTH);
    }

    private String load(String script) {
        byte[] bytes = script.getBytes(StandardCharsets.US_ASCII);
        return connections.stream()
                .map(connection -> connection.sync().scriptLoad(bytes))
                .reduce((one, same) -> one)
                .orElseThrow();
    }

    private StatefulRedisConnection<byte[], byte[]> connection(byte[] key) {
        return connections.get(routing.server(key));
    }

    @Override
    public @Nullable Object get(long id) {
        byte[] key = Keys.bytes(id);
        byte[] value = connection(key).sync().get(key);
        return value == null ? null : form.read(value);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        byte[] key = Keys.bytes(id);
        byte[] value = form.bytes(customer);
        connection(key).sync().set(key, value, expiring);
    }

    @Override
    public Map<Long, ?> getAll(Batch batch) {
        List<Routing.Share> shares = routing.split(batch);
        List<RedisFuture<List<KeyValue<byte[], byte[]>>>> answers = new ArrayList<>(shares.size());
        shares.forEach(share -> answers.add(async(share).mget(share.keys())));
        Map<Long, Object> entries = new HashMap<>(batch.size() * 2);
        for (int i = 0; i < shares.size(); i++) {
            List<KeyValue<byte[], byte[]>> answer = await(answers.get(i));
            for (int j = 0; j < answer.size(); j++) {
                if (answer.get(j).hasValue()) {
                    entries.put(
                            batch.ids().get(shares.get(i).place(j)),
                            form.read(answer.get(j).getValue()));
                }
            }
        }
        return entries;
    }

    @Override
    public void putAll(Batch batch) {
        if (lifetime.isLimited()) {
            setAll(batch);
        } else {
            List<RedisFuture<?>> answers = new ArrayList<>();
            routing.split(batch).forEach(share -> answers.add(async(share).mset(values(batch, share))));
            answers.forEach(LettuceContender::await);
        }
    }

    private void setAll(Batch batch) {
        List<SetPipeline> pipelines = new ArrayList<>();
        for (Routing.Share share : routing.split(batch)) {
            SetPipeline pipeline = new SetPipeline(connections.get(share.server()), expiring);
            for (int i = 0; i < share.size(); i++) {
                pipeline.add(share.key(i), value(batch, share, i));
            }
            pipeline.send();
            pipelines.add(pipeline);
        }
        pipelines.forEach(pipeline -> pipeline.await(TIMEOUT));
    }

    @SuppressWarnings("ArrayAsKeyOfSetOrMap") // the parameter of MSET, in which nothing is looked up
    private Map<byte[], byte[]> values(Batch batch, Routing.Share share) {
        Map<byte[], byte[]> values = new LinkedHashMap<>(share.size() * 2);
        for (int i = 0; i < share.size(); i++) {
            values.put(share.key(i), value(batch, share, i));
        }
        return values;
    }

    private RedisAsyncCommands<byte[], byte[]> async(Routing.Share share) {
        return connections.get(share.server()).async();
    }

    private byte[] value(Batch batch, Routing.Share share, int i) {
        return form.bytes(batch.values().get(share.place(i)));
    }

    private static <T> T await(RedisFuture<T> answer) {
        return LettuceFutures.awaitOrCancel(answer, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public long invoke(long id) {
        byte[] key = Keys.bytes(id);
        while (true) {
            byte[] before = connection(key).sync().get(key);
            ValueForm.Visit visit = form.visit(before);
            Long replaced = connection(key)
                    .sync()
                    .evalsha(compareAndSet, ScriptOutputType.INTEGER, new byte[][] {key}, before, visit.value());
            if (replaced == 1) {
                return visit.visits();
            }
        }
    }

    @Override
    public long transaction(long group, EncodedCustomer initial) {
        RedisCommands<byte[], byte[]> commands = connection(Keys.bytes(group)).sync();
        byte[][] keys = {Keys.account(group, "a"), Keys.account(group, "b")};
        while (true) {
            List<KeyValue<byte[], byte[]>> before = commands.mget(keys);
            byte[] first = before.get(0).getValueOrElse(NOTHING);
            byte[] second = before.get(1).getValueOrElse(NOTHING);
            ValueForm.Visit firstVisit = form.visit(first.length == 0 ? form.bytes(initial) : first);
            ValueForm.Visit secondVisit = form.visit(second.length == 0 ? form.bytes(initial) : second);
            Long replaced = commands.evalsha(
                    compareAndSetBoth,
                    ScriptOutputType.INTEGER,
                    keys,
                    first,
                    second,
                    firstVisit.value(),
                    secondVisit.value());
            if (replaced == 1) {
                return firstVisit.visits() + secondVisit.visits();
            }
        }
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        client.shutdown(Duration.ZERO, TIMEOUT);
    }
}
