// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.Scan;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionContract;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EmbeddedPartitionTest extends PartitionContract {
    private static final PartitionId ID = new PartitionId("p1");
    private static final long PLENTY = 64L * 1024 * 1024;
    private static final EncodedKey KEY = EncodedKey.of("customer:99");

    private final ManualTicker ticker = new ManualTicker();
    private final EmbeddedPartition partition = new EmbeddedPartition(ID, PLENTY, ticker);
    private final PartitionConnector connector = partition.connector();
    private @Nullable PartitionConnection connection;

    @Override
    protected PartitionConnector connector() {
        return connector;
    }

    @Override
    protected PartitionConnector separateConnector() {
        return connector;
    }

    @Override
    protected PartitionConnection connection() {
        if (connection == null) {
            connection = connector.connect().join();
        }
        return connection;
    }

    @Override
    protected void pass(Duration duration) {
        ticker.advance(duration);
    }

    @Override
    protected void storeRaw(EncodedKey key, byte[] bytes) {
        partition
                .incarnation()
                .entries()
                .change(key, present -> new StoredEntries.Change<>(true, EmbeddedEntry.lasting(bytes)));
    }

    @Override
    protected Optional<byte[]> readRaw(EncodedKey key) {
        return Optional.ofNullable(partition.incarnation().entries().find(key)).map(EmbeddedEntry::bytes);
    }

    @Test
    void partitionThatWasTakenAway_doesNotComeBackByANewEpoch() {
        EmbeddedPartition.Incarnation over = partition.incarnation();

        partition.kill();

        assertThat(partition.succeed(over)).isFalse();
        assertThat(connector.connect()).isCompletedExceptionally();
    }

    @Test
    void partition_isEmptyAndHasAnotherEpoch() {
        int before = connection().epoch();
        store(connection(), KEY, Expiry.NEVER);

        partition.kill();
        partition.restart();

        PartitionConnection next = connector.connect().join();
        assertThat(next.epoch()).isNotEqualTo(before);
        assertThat(send(next, new Get(KEY))).isEqualTo(Reply.done(Lookup.absent()));
    }

    @Nested
    class RestartWithData {
        @Test
        void entries_areOfAnotherEpochAndNotServed() {
            store(connection(), KEY, Expiry.NEVER);

            partition.kill();
            partition.restartWithData();

            PartitionConnection next = connector.connect().join();
            assertThat(readRaw(KEY)).isPresent();
            assertThat(lookup(next).outcome()).isEqualTo(Lookup.Outcome.OTHER_EPOCH);
        }

        @Test
        void entries_expireWhenTheyWouldHave() {
            store(connection(), KEY, Expiry.afterMillis(100));

            partition.restartWithData();
            ticker.advance(Duration.ofMillis(99));
            assertThat(readRaw(KEY)).isPresent();
            ticker.advance(Duration.ofMillis(1));

            assertThat(readRaw(KEY)).isEmpty();
        }
    }

    @Test
    void entry_expiresToTheMillisecond() {
        store(connection(), KEY, Expiry.afterMillis(1_500));

        ticker.advance(Duration.ofMillis(1_499));
        assertThat(lookup(connection()).isFound()).isTrue();
        ticker.advance(Duration.ofMillis(1));

        assertThat(lookup(connection())).isEqualTo(Lookup.absent());
    }

    @Nested
    class Bound {
        private static final int BOUND = 100_000;

        private final EmbeddedPartition small = new EmbeddedPartition(ID, BOUND, ticker);
        private final PartitionConnection toSmall = small.connector().connect().join();

        @Test
        void entriesBeyondTheBound_areEvictedAndNoLongerListed() {
            IntStream.range(0, 1_000).forEach(i -> store(toSmall, EncodedKey.of("k" + i), Expiry.NEVER));

            int stored = listed(toSmall).size();

            assertThat(stored).isBetween(1, BOUND / StoredEntries.OVERHEAD_BYTES);
            Reply<ScanPage> indexed = small.incarnation().entries().keys().page(ScanPage.START, 10_000, key -> true);
            assertThat(((Reply.Done<ScanPage>) indexed).value().keys()).hasSize(stored);
        }
    }

    @Test
    void cursorThatNoPageGave_isRefused() {
        assertThat(send(connection(), new Scan("-1", "", 10))).isInstanceOf(Reply.Refused.class);
        assertThat(send(connection(), new Scan("1024", "", 10))).isInstanceOf(Reply.Refused.class);
        assertThat(send(connection(), new Scan("next", "", 10))).isInstanceOf(Reply.Refused.class);
    }

    private static void store(PartitionConnection connection, EncodedKey key, Expiry expiry) {
        Put put = new Put(key, Envelope.of(1, new byte[1]), expiry, expiry);
        assertThat(send(connection, put)).isEqualTo(Reply.done(true));
    }

    private static Lookup lookup(PartitionConnection connection) {
        return ((Reply.Done<Lookup>) send(connection, new Get(KEY))).value();
    }

    private static List<EncodedKey> listed(PartitionConnection connection) {
        Scan everything = new Scan(ScanPage.START, "", Integer.MAX_VALUE);
        return ((Reply.Done<ScanPage>) send(connection, everything)).value().keys();
    }

    private static <R> Reply<R> send(PartitionConnection connection, Command<R> command) {
        return connection
                .send(command, Route.plain(MAP_VERSION), Patience.UNLIMITED)
                .join();
    }
}
