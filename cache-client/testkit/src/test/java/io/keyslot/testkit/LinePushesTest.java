// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a partition says without being asked comes in its order with the answers, or the connection is lost. */
class LinePushesTest {
    private static final PartitionId ONLY = new PartitionId("p1");
    private static final EncodedKey KEY = EncodedKey.of("order:1");
    private static final EncodedKey OTHER = EncodedKey.of("order:2");
    private static final Duration SLOW = Duration.ofMillis(40);
    private static final Duration ON_ITS_WAY = Duration.ofMillis(30);

    private final EmbeddedKeyslot keyslot =
            EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(1));
    private final PartitionFaults partition = keyslot.partition("p1");
    private final PartitionConnection reader = connect(0);
    private final PartitionConnection writer = connect(1);
    private final List<String> heard = new ArrayList<>();

    private PartitionConnection connect(int process) {
        return keyslot.await(keyslot.connector(process, ONLY).connect());
    }

    @AfterEach
    void close() {
        keyslot.close();
    }

    private void track() {
        reader.listen(push -> heard.add(push instanceof Push.Invalidated told ? "changed " + told.keys() : "all"));
        done(reader, new PushCommand.Track(List.of()));
        done(reader, new Command.Get(KEY));
    }

    private <R> void done(PartitionConnection connection, Command<R> command) {
        assertThat(keyslot.await(connection.send(command, Route.ANY, Patience.UNLIMITED)))
                .isInstanceOf(Reply.Done.class);
    }

    private void write() {
        done(writer, put());
    }

    private static Command.Put put() {
        return new Command.Put(KEY, Envelope.of(1, new byte[] {1}), Expiry.NEVER, Expiry.NEVER);
    }

    private void ask() {
        CompletableFuture<Void> unused = reader.send(new Command.Get(OTHER), Route.ANY, Patience.UNLIMITED)
                .thenAccept(reply -> heard.add(reply instanceof Reply.Done ? "answer" : "no answer"));
    }

    private static String changed() {
        return "changed " + List.of(KEY);
    }

    @Test
    void pushOnASlowLine_isNotOvertakenByAnAnswerThatIsFaster() {
        track();
        partition.slow(SLOW);
        keyslot.after(ON_ITS_WAY, () -> partition.slow(Duration.ZERO));
        keyslot.after(ON_ITS_WAY, this::ask);

        write();
        keyslot.advance(SLOW);

        assertThat(heard).containsExactly(changed(), "answer");
    }

    @Test
    void pushThroughACutLine_comesBeforeWhatIsAnsweredAfterwards() {
        track();
        partition.cut(0);
        write();
        assertThat(heard).isEmpty();

        partition.mend(0);
        ask();

        assertThat(heard).containsExactly(changed(), "answer");
    }

    @Test
    void changeOfItsOwn_isToldBehindItsReply() {
        track();

        CompletableFuture<Void> unused =
                reader.send(put(), Route.ANY, Patience.UNLIMITED).thenAccept(reply -> heard.add("answer"));
        assertThat(heard).containsExactly("answer");
        ask();
        keyslot.advance(Duration.ZERO);

        assertThat(heard).containsExactly("answer", changed(), "answer");
    }

    @Test
    void lostConnection_voidsAll_andNothingComesAfterwards() {
        track();
        partition.cut(0);
        write();

        reader.close();
        partition.mend(0);

        assertThat(heard).containsExactly("all");
    }
}
