// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a contract test needs from an engine, and what it does with it.
 *
 * <p>One instance per test. Each uses keys of its own, so that tests may share a server.
 */
public abstract class PartitionFixture {
    /** The version of the slot map by which the connections of {@link #connector} are made. */
    protected static final long MAP_VERSION = 1;

    /** Long enough not to end during a test. */
    static final Expiry MINUTE = Expiry.afterMillis(60_000);

    /** Long enough not to be mistaken for {@link #MINUTE}. */
    static final Expiry HOUR = Expiry.afterMillis(3_600_000);

    /** Short enough to wait for. */
    static final Expiry SOON = Expiry.afterMillis(100);

    /** Longer than {@link #SOON}. */
    static final Duration A_MOMENT = Duration.ofMillis(200);

    /** An engine may refuse a command at first, because only then it knows what is there. */
    private static final int MOST_ATTEMPTS = 3;

    private static final long LIMIT_SECONDS = 10;
    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final String prefix = "contract-" + SEQUENCE.incrementAndGet() + ":";

    /** Returns a connector to the partition under test, the same for a whole test. */
    protected abstract PartitionConnector connector();

    /** Returns a connector to a partition that no other test uses: it may be spoiled. */
    protected abstract PartitionConnector separateConnector();

    /** Returns an open connection of {@link #connector}, the same for a whole test. */
    protected abstract PartitionConnection connection();

    /** Returns after this much time has passed for the partition: virtual or real, always short. */
    protected abstract void pass(Duration duration);

    /** Stores bytes that do not expire, past all checks. */
    protected abstract void storeRaw(EncodedKey key, byte[] bytes);

    /** Returns the bytes that are stored, past all checks. */
    protected abstract Optional<byte[]> readRaw(EncodedKey key);

    /** Returns what every key of this test starts with. */
    final String prefix() {
        return prefix;
    }

    final EncodedKey key(String name) {
        return EncodedKey.of(prefix + name);
    }

    final List<EncodedKey> keys(String start, int count) {
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(key(start + i));
        }
        return keys;
    }

    /** Returns an envelope with a stamp that no other one has. */
    static Envelope envelope(String text) {
        return envelope(text.getBytes(StandardCharsets.UTF_8));
    }

    static Envelope envelope(byte[] payload) {
        return Envelope.of(stamp(), payload);
    }

    /** Returns a stamp that no other call returns. */
    static long stamp() {
        return 0x4b65_7900_0000_0000L + SEQUENCE.incrementAndGet();
    }

    public static byte[] payload(Lookup lookup) {
        Envelope envelope = lookup.envelope();
        if (envelope == null) {
            throw new AssertionError("There is no entry: " + lookup.outcome());
        }
        ByteBuffer payload = envelope.payload();
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return bytes;
    }

    public static String text(Lookup lookup) {
        return new String(payload(lookup), StandardCharsets.UTF_8);
    }

    /** Returns the reply on {@link #connection}. */
    final <R> Reply<R> reply(Command<R> command) {
        return reply(connection(), command);
    }

    static <R> Reply<R> reply(PartitionConnection connection, Command<R> command) {
        return connection
                .send(command, Route.plain(MAP_VERSION), Patience.UNLIMITED)
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Returns the answer on {@link #connection}; it is a failure if the command was not executed. */
    final <R> R done(Command<R> command) {
        return answer(reply(command));
    }

    /** Returns the answer, after as many attempts as a router would make within its deadline. */
    final <R> R doneAtLast(Command<R> command) {
        Reply<R> reply = reply(command);
        for (int attempts = 1; isWorthAnotherAttempt(reply) && attempts < MOST_ATTEMPTS; attempts++) {
            reply = reply(command);
        }
        return answer(reply);
    }

    private static boolean isWorthAnotherAttempt(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isWorthAnotherAttempt();
    }

    static <R> R answer(Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError("Not done, but " + reply);
    }

    final Envelope put(EncodedKey key, String text) {
        return put(key, text, Expiry.NEVER);
    }

    /** Stores an entry that expires as said, whether or not there is one, and returns it. */
    final Envelope put(EncodedKey key, String text, Expiry expiry) {
        Envelope envelope = envelope(text);
        assertThat(done(new Put(key, envelope, expiry, expiry))).isTrue();
        return envelope;
    }

    final void putAll(List<EncodedKey> keys) {
        List<Put> puts = keys.stream()
                .map(key -> new Put(key, envelope("value"), Expiry.NEVER, Expiry.NEVER))
                .toList();
        assertThat(done(new PutAll(puts)))
                .allSatisfy(reply -> assertThat(answer(reply)).isTrue());
    }

    final boolean compareAndSet(EncodedKey key, long expectedStamp, Envelope envelope) {
        return done(new CompareAndSet(key, expectedStamp, envelope, Expiry.NEVER));
    }

    final Lookup get(EncodedKey key) {
        return done(new Get(key));
    }

    /** Asserts that the entry expires about as said from now on. */
    final void assertExpiry(EncodedKey key, Expiry expected) {
        Description description = done(new Describe(key));
        assertThat(description.lookup().outcome()).isEqualTo(Lookup.Outcome.FOUND);
        assertRemaining(description, expected);
    }

    /** Asserts that what is stored, be it an entry or not, expires about as said from now on. */
    final void assertRemaining(EncodedKey key, Expiry expected) {
        assertRemaining(done(new Describe(key)), expected);
    }

    private static void assertRemaining(Description description, Expiry expected) {
        if (expected.isNever()) {
            assertThat(description.expiresInMillis()).isNegative();
        } else {
            assertThat(description.expiresInMillis()).isBetween(expected.millis() - 20_000, expected.millis());
        }
    }
}
