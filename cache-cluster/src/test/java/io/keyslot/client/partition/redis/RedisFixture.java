// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Connectors, and a plain client beside them that sees what is really stored. */
final class RedisFixture implements AutoCloseable {
    static final long MAP_VERSION = 1;
    static final PartitionId P1 = new PartitionId("p1");
    static final PartitionId P2 = new PartitionId("p2");
    static final SlotMap TWO = SlotMap.ofEqualShares(MAP_VERSION, List.of(P1, P2));

    /** Generous: these tests share two processors with others. */
    static final Deadlines PATIENT =
            new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));

    /** Returns the deadlines of tests, except that a command may take this long. */
    static Deadlines withCommand(Duration command) {
        return new Deadlines(PATIENT.call(), command, PATIENT.connect());
    }

    private static final long LIMIT_SECONDS = 20;
    private static final AtomicLong STAMPS = new AtomicLong(1_000);

    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private final List<PartitionConnector> connectors = new ArrayList<>();
    private final List<RedisClient> plainClients = new ArrayList<>();

    static PartitionIdentity identity() {
        return new PartitionIdentity(P1, TWO, "", false, Adoption.UNUSED);
    }

    RedisConnector connector(String uri) {
        return connector(uri, identity(), PATIENT);
    }

    RedisConnector connector(String uri, PartitionIdentity identity, Deadlines deadlines) {
        RedisConnector connector = RedisConnector.create(
                resources,
                new ServerAccess(
                        PartitionUriParser.uri(uri), TlsOptions.defaults(), Optional.empty(), Optional.empty()),
                identity,
                deadlines,
                "test");
        connectors.add(connector);
        return connector;
    }

    RedisConnection connect(String uri) throws Exception {
        return connect(connector(uri));
    }

    static RedisConnection connect(PartitionConnector connector) throws Exception {
        return (RedisConnection) connector.connect().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns why a connection could not be made. */
    static ConnectFailure failureOf(PartitionConnector connector) throws InterruptedException, TimeoutException {
        try {
            connector.connect().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("Connected to " + connector.address());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConnectFailure failure) {
                return failure;
            }
            throw new AssertionError("Failed otherwise", e);
        }
    }

    /** Returns commands that pass none of our checks. */
    RedisCommands<byte[], byte[]> plain(String uri) {
        RedisClient client = RedisClient.create(uri);
        plainClients.add(client);
        return client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    static <R> Reply<R> reply(PartitionConnection connection, Command<R> command) throws Exception {
        return connection
                .send(command, Route.plain(MAP_VERSION), Patience.UNLIMITED)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    static <R> R done(PartitionConnection connection, Command<R> command) throws Exception {
        Reply<R> reply = reply(connection, command);
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError("Not done, but " + reply);
    }

    static Command.Put put(String key, String value) {
        Envelope envelope = Envelope.of(STAMPS.incrementAndGet(), value.getBytes(StandardCharsets.UTF_8));
        return new Command.Put(EncodedKey.of(key), envelope, Expiry.NEVER, Expiry.NEVER);
    }

    static Command.Get get(String key) {
        return new Command.Get(EncodedKey.of(key));
    }

    /** Returns the value of an entry, or why there is none. */
    static String text(Lookup lookup) {
        Envelope envelope = lookup.envelope();
        return envelope == null
                ? lookup.outcome().name()
                : StandardCharsets.UTF_8.decode(envelope.payload()).toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        plainClients.forEach(RedisClient::shutdown);
        connectors.forEach(PartitionConnector::close);
        resources.close();
    }
}
