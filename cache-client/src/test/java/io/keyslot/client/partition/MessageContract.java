// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.partition.PushContract.done;
import static io.keyslot.client.partition.PushContract.reply;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.PushCommand.Channels;
import io.keyslot.client.partition.PushContract.Heard;
import io.keyslot.client.stored.EncodedKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine does with messages on channels. */
public abstract class MessageContract {
    private static final int PUBLISHERS = 3;
    private static final int MESSAGES = 600;
    private static final AtomicLong NAMES = new AtomicLong();

    private final String channel = "channel:" + NAMES.incrementAndGet();
    private final String other = "other:" + NAMES.incrementAndGet();
    private final EncodedKey key = EncodedKey.of("message:" + NAMES.incrementAndGet());

    /** Returns a new connection to the partition. */
    protected abstract PartitionConnection connect() throws Exception;

    /** Takes all connections that listen to channels away. */
    protected abstract void killListening() throws Exception;

    private static Push.Message message(String channel, String text) {
        return new Push.Message(channel, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private static PushCommand.Publish publish(String channel, String text) {
        return new PushCommand.Publish(channel, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private static Heard listening(PartitionConnection connection, String... channels) {
        Heard heard = new Heard();
        connection.listen(heard);
        assertThat(done(connection, new PushCommand.Subscribe(List.of(channels))))
                .isTrue();
        return heard;
    }

    @Test
    void message_isHeardOnItsChannel_byThoseWhoListen() throws Exception {
        try (PartitionConnection first = connect();
                PartitionConnection second = connect();
                PartitionConnection publisher = connect()) {
            Heard both = listening(first, channel, other);
            Heard one = listening(second, channel);

            assertThat(done(publisher, publish(channel, "1"))).isEqualTo(2);
            assertThat(done(publisher, publish(other, ""))).isEqualTo(1);
            assertThat(done(publisher, publish("nobody's" + channel, "3"))).isZero();
            done(first, new Command.Get(key));
            done(second, new Command.Get(key));

            assertThat(both.pushes).containsExactly(message(channel, "1"), message(other, ""));
            assertThat(one.pushes).containsExactly(message(channel, "1"));
        }
    }

    @Test
    void messageOfItsOwn_isHeardAtTheLatestBehindItsReply_andOnceThoughAskedForTwice() throws Exception {
        try (PartitionConnection connection = connect()) {
            Heard heard = listening(connection, channel, channel);
            done(connection, new PushCommand.Subscribe(List.of(other, channel)));

            done(connection, publish(channel, "1"));
            done(connection, new Command.Get(key));

            assertThat(heard.pushes).containsExactly(message(channel, "1"));
        }
    }

    @Test
    void longestMessage_andEveryByte_arrive() throws Exception {
        try (PartitionConnection listener = connect();
                PartitionConnection publisher = connect()) {
            Heard heard = listening(listener, channel);
            byte[] payload = new byte[PushCommand.Publish.MOST_BYTES];
            new Random(7).nextBytes(payload);

            done(publisher, new PushCommand.Publish(channel, ByteBuffer.wrap(payload)));
            done(listener, new Command.Get(key));

            assertThat(heard.pushes).containsExactly(new Push.Message(channel, ByteBuffer.wrap(payload)));
            assertThatThrownBy(() -> new PushCommand.Publish(channel, ByteBuffer.allocate(payload.length + 1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void channelsBeyondTheBound_areRefused_andTheOthersAreHeard() throws Exception {
        try (PartitionConnection connection = connect()) {
            List<String> most = IntStream.range(0, Channels.MOST)
                    .mapToObj(i -> channel + ":" + i)
                    .toList();
            Heard heard = listening(connection, most.toArray(String[]::new));

            Reply<Boolean> beyond = reply(connection, new PushCommand.Subscribe(List.of(other)));

            assertThat(((Reply.Refused<Boolean>) beyond).refusal()).isEqualTo(Refusal.FORBIDDEN);
            done(connection, new PushCommand.Subscribe(List.of(most.get(0))));
            done(connection, publish(most.get(999), "1"));
            done(connection, publish(other, "2"));
            done(connection, new Command.Get(key));
            assertThat(heard.pushes).containsExactly(message(most.get(999), "1"));
        }
    }

    @Test
    void connectionThatListens_goesOnWithItsCommands() throws Exception {
        try (PartitionConnection connection = connect()) {
            listening(connection, channel, other);

            PushContract.put(connection, key, 5);

            assertThat(done(connection, new Command.Get(key)).isFound()).isTrue();
            assertThat(done(connection, new Command.GetAll(List.of(key)))).hasSize(1);
        }
    }

    @Test
    void connectionThatListensAndIsTakenAway_saysItBeforeItIsLost() throws Exception {
        PartitionConnection connection = connect();
        Heard heard = listening(connection, channel);
        CompletableFuture<Integer> heardAtLoss = connection.lost().thenApply(why -> heard.pushes.size());

        killListening();

        assertThat(heardAtLoss.get()).isEqualTo(1);
        assertThat(heard.pushes).singleElement().isInstanceOf(Push.AllInvalidated.class);
    }

    @Test
    void connectionThatListens_isGivenUpWithItsEpoch() throws Exception {
        PartitionConnection listener = connect();
        Heard heard = listening(listener, channel);
        try (PartitionConnection another = connect()) {
            done(another, new Command.NewEpoch());
        }

        assertThat(listener.lost().get(10, TimeUnit.SECONDS)).isNotEmpty();
        assertThat(heard.pushes).singleElement().isInstanceOf(Push.AllInvalidated.class);
    }

    /**
     * Publishers number their messages on each channel, and count what they have been answered. Whoever is answered a read that
     * was sent after that has heard the message before.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void messages_areHeardOnceAndInOrder_beforeTheRepliesThatFollowThem(long seed) throws Exception {
        List<String> channels = List.of(channel, other, channel + ":third");
        try (PartitionConnection listener = connect();
                PartitionConnection publishing = connect()) {
            AtomicIntegerArray published = new AtomicIntegerArray(PUBLISHERS * channels.size());
            AtomicIntegerArray heard = new AtomicIntegerArray(PUBLISHERS * channels.size());
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            listener.listen(push -> {
                if (!(push instanceof Push.Message message)) {
                    return;
                }
                String[] text = UTF_8.decode(message.payload()).toString().split(":", 3);
                int line = Integer.parseInt(text[0]) * channels.size() + channels.indexOf(message.channel());
                if (heard.incrementAndGet(line) != Integer.parseInt(text[1])) {
                    wrong.add("%s in line %d, after %d".formatted(text[1], line, heard.get(line) - 1));
                }
            });
            done(listener, new PushCommand.Subscribe(channels));
            List<Thread> publishers = new ArrayList<>();
            for (int i = 0; i < PUBLISHERS; i++) {
                int publisher = i;
                Random chance = new Random(seed * 31 + i);
                publishers.add(new Thread(() -> {
                    for (int sent = 0; sent < MESSAGES; sent++) {
                        int chosen = chance.nextInt(channels.size());
                        int line = publisher * channels.size() + chosen;
                        String text =
                                publisher + ":" + (published.get(line) + 1) + ":" + "x".repeat(chance.nextInt(300));
                        done(publishing, publish(channels.get(chosen), text));
                        published.incrementAndGet(line);
                    }
                }));
            }

            publishers.forEach(Thread::start);
            List<CompletableFuture<?>> replies = new ArrayList<>();
            do {
                int[] before = IntStream.range(0, published.length())
                        .map(published::get)
                        .toArray();
                replies.add(listener.send(new Command.Get(key), Route.plain(1), Patience.UNLIMITED)
                        .thenAccept(reply -> {
                            for (int line = 0; line < before.length; line++) {
                                if (heard.get(line) < before[line]) {
                                    wrong.add("a reply before message %d in line %d".formatted(before[line], line));
                                }
                            }
                        }));
                if (replies.size() % 20 == 0) {
                    replies.get(replies.size() - 1).get();
                }
            } while (publishers.stream().anyMatch(Thread::isAlive));
            CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).get();
            done(listener, new Command.Get(key));

            assertThat(wrong).isEmpty();
            assertThat(IntStream.range(0, heard.length()).map(heard::get).sum()).isEqualTo(PUBLISHERS * MESSAGES);
        }
    }
}
