// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static io.keyslot.client.stored.AggregateOperation.LIST_ADD_LAST;
import static io.keyslot.client.stored.AggregateOperation.LIST_SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupContract;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.GroupStep.Apply;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What every engine does with groups, in an embedded partition. */
class EmbeddedGroupTest extends GroupContract {
    private static final long PLENTY = 64L * 1024 * 1024;
    private static final AtomicLong STAMP = new AtomicLong();

    private final ManualTicker ticker = new ManualTicker();
    private final EmbeddedPartition partition = new EmbeddedPartition(new PartitionId("p1"), PLENTY, ticker);
    private final PartitionConnector connector = partition.connector();
    private final PartitionConnection connection = connector.connect().join();

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

    @Nested
    class RestartWithData {
        private final EncodedKey key = EncodedKey.of("cart:{customer:99}");

        @Test
        void aggregates_areOfAnotherEpochAndCountAsNone() {
            add(connection, "one");

            partition.restartWithData();

            PartitionConnection next = connector.connect().join();
            assertThat(storedElements()).containsExactly("one");
            assertThat(contents(next)).isEqualTo(new Contents(Command.ABSENT, List.of()));
            add(next, "two");
            assertThat(contents(next).elements()).containsExactly(Element.of("two"));
        }

        private List<String> storedElements() {
            return elements(partition.incarnation());
        }

        private List<String> elements(EmbeddedPartition.Incarnation incarnation) {
            EmbeddedEntry stored = Objects.requireNonNull(incarnation.entries().find(key));
            return Objects.requireNonNull(stored.aggregate()).model().elements().stream()
                    .map(Element::text)
                    .toList();
        }

        private void add(PartitionConnection to, String element) {
            send(to, new Apply(key, LIST_ADD_LAST, List.of(Element.of(element)), Expiry.UNCHANGED));
        }

        private Contents contents(PartitionConnection of) {
            return (Contents) Objects.requireNonNull(send(of, new ReadAggregate(key, AggregateKind.LIST)));
        }
    }

    @Nested
    class Bound {
        private static final int BOUND = 10_000;

        private final EncodedKey key = EncodedKey.of("cart:{customer:99}");
        private final EmbeddedPartition small = new EmbeddedPartition(new PartitionId("p2"), BOUND, ticker);
        private final PartitionConnection toSmall = small.connector().connect().join();

        @Test
        void aggregateThatGrowsBeyondTheBound_isEvicted() {
            List<Element> elements = Collections.nCopies(50, Element.of("x".repeat(40)));
            GroupStep growth = new Apply(key, LIST_ADD_LAST, elements, Expiry.UNCHANGED);

            send(toSmall, growth);
            assertThat(send(toSmall, new Apply(key, LIST_SIZE, List.of(), Expiry.UNCHANGED)))
                    .isEqualTo(50L);
            send(toSmall, growth);
            send(toSmall, growth);

            assertThat(send(toSmall, new Apply(key, LIST_SIZE, List.of(), Expiry.UNCHANGED)))
                    .isEqualTo(0L);
        }
    }

    private static @Nullable Object send(PartitionConnection connection, GroupStep step) {
        GroupCommand command =
                new GroupCommand(GroupHome.of(step.key()), 0, List.of(), List.of(step), STAMP.incrementAndGet());
        Reply<GroupReply> reply = connection
                .send(command, Route.plain(MAP_VERSION), Patience.UNLIMITED)
                .join();
        return ((GroupReply.Applied) ((Reply.Done<GroupReply>) reply).value())
                .answers()
                .get(0);
    }
}
