// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static io.keyslot.it.redis.RedisFixture.PATIENT;
import static io.keyslot.it.redis.RedisFixture.bytes;
import static io.keyslot.it.redis.RedisFixture.done;
import static io.keyslot.it.redis.RedisFixture.get;
import static io.keyslot.it.redis.RedisFixture.identity;
import static io.keyslot.it.redis.RedisFixture.put;
import static io.keyslot.it.redis.RedisFixture.reply;
import static io.keyslot.it.redis.RedisFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Deadlines;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.RedisConnection;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.large.Manifest;
import io.keyslot.client.partition.redis.large.Parts;
import io.keyslot.client.partition.redis.large.PartsKey;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How values in parts lie in a server, and what is seen of them while they change. */
class RedisLargeValueIT {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final EncodedKey KEY = EncodedKey.of("a");
    private static final Deadlines IMPATIENT = PATIENT.withCommand(Duration.ofMillis(400));
    private static final AtomicLong STAMPS = new AtomicLong();

    private final LocalServers servers = LocalServers.create();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private final RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private static Envelope envelope(int letter, int bytes) {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) letter);
        return Envelope.of(STAMPS.incrementAndGet(), payload);
    }

    private static Command.Put large(String key, int letter) {
        return new Command.Put(EncodedKey.of(key), envelope(letter, 3 * MEBIBYTE), Expiry.NEVER, Expiry.NEVER);
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        ScanIterator.scan(plain).forEachRemaining(key -> keys.add(new String(key, StandardCharsets.UTF_8)));
        keys.remove(InstanceRecord.KEY.text());
        return keys;
    }

    @Nested
    class Layout {
        @Test
        void largeValue_isOneHashUnderItsKey() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            Command.Put put = large("a", 'x');

            done(connection, put);

            assertThat(keys()).containsExactly("a");
            assertThat(plain.hkeys(bytes("a")))
                    .extracting(field -> new String(field, StandardCharsets.UTF_8))
                    .containsExactlyInAnyOrder("keyslot:manifest", "0", "1", "2", "3", "4", "5");
            assertThat(plain.hstrlen(bytes("a"), bytes("0"))).isEqualTo(Parts.PART_BYTES);
            assertThat(plain.hget(bytes("a"), Parts.MANIFEST_FIELD))
                    .isEqualTo(Manifest.of(put.envelope()).toBytes(KEY, connection.epoch()));
            assertThat(plain.pttl(bytes("a"))).isEqualTo(-1);
        }

        @Test
        void overwritingExpiringAndRemoving_leaveNoOtherKeyBehind() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, large("overwritten", 'x'));
            done(connection, large("overwritten", 'y'));
            done(connection, put("overwritten", "small"));
            done(connection, large("removed", 'x'));
            done(connection, new Command.RemoveAll(List.of(EncodedKey.of("removed"))));
            done(connection, large("taken", 'x'));
            assertThat(done(connection, new Command.GetAndRemove(EncodedKey.of("taken")))
                            .isFound())
                    .isTrue();
            Envelope lost = envelope('x', 3 * MEBIBYTE);
            assertThat(done(connection, new Command.CompareAndSet(EncodedKey.of("never"), 7, lost, Expiry.NEVER)))
                    .isFalse();

            assertThat(keys()).containsExactly("overwritten");
            assertThat(plain.strlen(bytes("overwritten"))).isPositive();
        }

        @Test
        void noCommandAndNoAnswer_hasMoreThanAPart() throws Exception {
            // The least that a server lets be set: what is larger is a protocol error.
            plain.configSet("proto-max-bulk-len", Integer.toString(MEBIBYTE));
            RedisConnection connection = fixture.connect(server.uri());

            done(connection, large("a", 'x'));

            assertThat(done(connection, get("a")).isFound()).isTrue();
        }
    }

    @Nested
    class Failures {
        /** Without the right to rename, the parts arrive and do not become the entry. */
        @Test
        void writerThatComesToNoEnd_leavesTheEntryAndAKeyThatExpires() throws Exception {
            plain.dispatch(
                    CommandType.ACL,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .add("SETUSER")
                            .add("limited")
                            .add("on")
                            .add(">secret")
                            .add("~*")
                            .add("+@all")
                            .add("-rename"));
            RedisConnection connection = fixture.connect("redis://limited:secret@127.0.0.1:" + server.port());
            done(connection, put("a", "before"));
            Command.Put put = large("a", 'x');

            assertThat(reply(connection, put)).isInstanceOf(Reply.Refused.class);

            EncodedKey parts = PartsKey.ofWrite(KEY, put.envelope().stamp());
            assertThat(text(done(connection, get("a")))).isEqualTo("before");
            assertThat(keys()).containsExactlyInAnyOrder("a", parts.text());
            assertThat(plain.pttl(parts.bytes())).isBetween(1L, (long) PartsKey.TIME_TO_LIVE_MILLIS);
        }

        @Test
        void fullServer_isNotWritable_andTheEntryStays() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, large("a", 'x'));
            plain.configSet("maxmemory", "1");

            assertThat(reply(connection, large("a", 'y')))
                    .isEqualTo(Reply.refused(
                            Refusal.NOT_WRITABLE, ServerError.parse("OOM").detail()));

            assertThat(payload(done(connection, get("a")))).containsOnly('x');
            assertThat(keys()).containsExactly("a");
        }

        @Test
        void timedOutWriteThatTheNetworkDeliversLate_isNotExecuted() throws Exception {
            try (HoldingProxy network = new HoldingProxy(server.port())) {
                RedisConnector connector = fixture.connector(network.uri(), identity(), IMPATIENT);
                RedisConnection first = RedisFixture.connect(connector);
                network.hold();
                assertThat(reply(first, large("a", 'x'))).isInstanceOf(Reply.Unknown.class);
                first.close();

                RedisConnection second = RedisFixture.connect(connector);
                done(second, put("a", "acknowledged"));
                network.release();
                done(second, get("b"));
                done(second, get("b"));

                assertThat(text(done(second, get("a")))).isEqualTo("acknowledged");
            }
        }

        @Test
        void partsThatDoNotComeInTime_areRefusedWithinTheTimeOfOneCommand() throws Exception {
            done(fixture.connect(server.uri()), large("a", 'x'));
            try (HoldingProxy network = new HoldingProxy(server.port())) {
                RedisConnection connection =
                        RedisFixture.connect(fixture.connector(network.uri(), identity(), IMPATIENT));
                network.changeAnswers(answer -> {
                    if (answer.contains("WRONGTYPE")) {
                        network.hold();
                    }
                    return answer;
                });

                Reply<Lookup> reply = reply(connection, get("a"));

                assertThat(reply)
                        .isInstanceOfSatisfying(
                                Reply.Refused.class,
                                refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_NOW));
            }
        }

        @Test
        void hashThatIsNotOurs_isNoEntryAndStays() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            plain.hset(bytes("a"), bytes("field"), bytes("value"));
            plain.hset(bytes("b"), Parts.MANIFEST_FIELD, bytes("value"));

            for (String key : List.of("a", "b")) {
                EncodedKey encoded = EncodedKey.of(key);
                Envelope small = put(key, "one").envelope();

                assertThat(done(connection, get(key)).outcome()).isEqualTo(Lookup.Outcome.MALFORMED);
                assertThat(done(connection, new Command.GetAndExpire(encoded, Expiry.NEVER))
                                .isFound())
                        .isFalse();
                assertThat(done(connection, new Command.Sizes(List.of(encoded))))
                        .containsExactly(0L);
                assertThat(done(connection, new Command.Describe(encoded))
                                .lookup()
                                .isFound())
                        .isFalse();
                assertThat(done(connection, new Command.CompareAndRemove(encoded, 7)))
                        .isFalse();
                assertThat(plain.hlen(bytes(key))).isOne();

                assertThat(reply(connection, new Command.CompareAndSet(encoded, 0, small, Expiry.NEVER)))
                        .isInstanceOfSatisfying(
                                Reply.Refused.class,
                                refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORBIDDEN));
                assertThat(done(connection, new Command.RemoveAll(List.of(encoded))))
                        .isZero();
                assertThat(done(connection, new Command.GetAndRemove(encoded)).isFound())
                        .isFalse();
                assertThat(plain.hlen(bytes(key))).isOne();
            }
        }

        @Test
        void valueWithoutOneOfItsParts_isReadWithAnotherLength() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, large("a", 'x'));
            plain.hdel(bytes("a"), bytes("3"));

            Lookup found = done(connection, get("a"));

            assertThat(found.isFound()).isTrue();
            assertThat(payload(found)).hasSize(3 * MEBIBYTE - Parts.PART_BYTES);
        }
    }

    /** Readers and scripts must draw the same line between entries and what is none, wherever a bit has changed. */
    @Nested
    class FlippedBits {
        @Test
        void manifest_isNoneForScriptsExactlyIfReadersSaySo() throws Exception {
            assertSameForAll(Envelope.of(4_711, new byte[] {1}));
        }

        @Test
        void timedManifest_isNoneForScriptsExactlyIfReadersSaySo() throws Exception {
            assertSameForAll(Envelope.timed(4_711, 1_700_000_000_000L, new byte[] {1}));
        }

        private void assertSameForAll(Envelope envelope) throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            byte[] whole = Manifest.of(envelope).toBytes(KEY, connection.epoch());
            plain.hset(KEY.bytes(), Parts.field(0), new byte[] {1});
            for (int bit = 0; bit < Envelope.HEADER_BYTES * Byte.SIZE; bit++) {
                byte[] flipped = whole.clone();
                flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
                plain.hset(KEY.bytes(), Parts.MANIFEST_FIELD, flipped);

                Reply<Lookup> read = reply(connection, get("a"));
                Reply<Boolean> expired =
                        reply(connection, new Command.CompareAndExpire(KEY, envelope.stamp(), Expiry.NEVER));

                assertThat(expired)
                        .describedAs("bit %d: %s", bit, read)
                        .isEqualTo(Replies.map(read, found -> found.stamp() == envelope.stamp()));
            }
        }
    }

    @Nested
    class Races {
        private static final int WRITES = 30;

        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong wholeReads = new AtomicLong();

        @Test
        void readers_seeOnlyWholeValues() throws Exception {
            done(fixture.connect(server.uri()), large("a", 'x'));
            ExecutorService executor = Executors.newFixedThreadPool(4);
            try {
                List<Future<Void>> readers = List.of(executor.submit(reader()), executor.submit(readerOfMany()));
                List<Future<Void>> writers =
                        List.of(executor.submit(writer('x', 3 * MEBIBYTE)), executor.submit(writer('y', 2 * MEBIBYTE)));
                for (Future<Void> writer : writers) {
                    writer.get(60, TimeUnit.SECONDS);
                }
                over.set(true);
                for (Future<Void> reader : readers) {
                    reader.get(60, TimeUnit.SECONDS);
                }
            } finally {
                over.set(true);
                executor.shutdownNow();
            }

            assertThat(wholeReads).hasPositiveValue();
            assertThat(keys()).containsExactly("a");
        }

        private Callable<Void> writer(int letter, int bytes) throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            return () -> {
                for (int i = 0; i < WRITES; i++) {
                    done(connection, new Command.Put(KEY, envelope(letter, bytes), Expiry.NEVER, Expiry.NEVER));
                }
                return null;
            };
        }

        private Callable<Void> reader() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            return () -> {
                while (!over.get()) {
                    check(reply(connection, get("a")));
                }
                return null;
            };
        }

        private Callable<Void> readerOfMany() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            return () -> {
                while (!over.get()) {
                    Reply<List<Lookup>> reply = reply(connection, new Command.GetAll(List.of(EncodedKey.of("b"), KEY)));
                    check(
                            reply instanceof Reply.Done<List<Lookup>> done
                                    ? Reply.done(done.value().get(1))
                                    : Replies.map(reply, none -> Lookup.absent()));
                }
                return null;
            };
        }

        private void check(Reply<Lookup> reply) {
            if (isRefused(reply, Refusal.NOT_NOW)) {
                return; // the writers were faster, which a reader is told
            }
            assertThat(reply).isInstanceOfSatisfying(Reply.Done.class, done -> {
                Lookup found = (Lookup) done.value();
                int bytes = letter(found) == 'x' ? 3 * MEBIBYTE : 2 * MEBIBYTE;
                assertThat(payload(found)).hasSize(bytes).containsOnly(letter(found));
            });
            wholeReads.incrementAndGet();
        }

        @Test
        void compareAndSet_ofLargeValues_hasOneWinner() throws Exception {
            ExecutorService executor = Executors.newFixedThreadPool(3);
            try {
                List<Future<Boolean>> racers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    RedisConnection connection = fixture.connect(server.uri());
                    Envelope envelope = envelope('a' + i, 2 * MEBIBYTE);
                    racers.add(executor.submit(() ->
                            done(connection, new Command.CompareAndSet(KEY, Command.ABSENT, envelope, Expiry.NEVER))));
                }
                int winners = 0;
                for (Future<Boolean> racer : racers) {
                    winners += racer.get(60, TimeUnit.SECONDS) ? 1 : 0;
                }

                assertThat(winners).isOne();
                assertThat(keys()).containsExactly("a");
            } finally {
                executor.shutdownNow();
            }
        }
    }

    private static boolean isRefused(Reply<?> reply, Refusal refusal) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal() == refusal;
    }

    private static byte[] payload(Lookup found) {
        Envelope envelope = found.envelope();
        if (envelope == null) {
            throw new AssertionError("There is no entry: " + found.outcome());
        }
        byte[] payload = new byte[envelope.payload().remaining()];
        envelope.payload().get(payload);
        return payload;
    }

    private static byte letter(Lookup found) {
        return payload(found)[0];
    }
}
