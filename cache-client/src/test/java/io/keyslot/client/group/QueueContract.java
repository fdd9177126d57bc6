// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue does, whatever its partitions are. Each test has queues of its own. */
public abstract class QueueContract {
    /** The settings of queues; the partitions are empty before each test. */
    public static final Map<String, String> SETTINGS = Map.of(
            "keyslot.queues.mail.lease",
            "10m",
            "keyslot.queues.short.lease",
            "300ms",
            "keyslot.queues.twice.deliveries",
            "2",
            "keyslot.queues.twice.atMost",
            "4",
            "keyslot.queues.once.duplicateWindow",
            "1s",
            "keyslot.queues.once.atMost",
            "3",
            "keyslot.limits.valueBytes",
            "10KiB");

    private static final Duration LONG = Duration.ofSeconds(30);

    /** Returns an open manager with the settings, of the same partitions for a whole test. */
    protected abstract PartitionedCacheManager manager();

    private PartitionedQueue<String> queue(String name) {
        return manager().queue(name, String.class);
    }

    private static QueueMessage<String> receive(PartitionedQueue<String> queue) {
        return queue.receive(LONG).orElseThrow();
    }

    private static void assertEmpty(PartitionedQueue<String> queue) {
        assertThat(queue.receive(Duration.ZERO)).isEmpty();
    }

    @Test
    void messages_areReceivedOnce_andCompletedOnce() {
        PartitionedQueue<String> mail = queue("mail");
        Set<String> sent = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            mail.send("m" + i);
            sent.add("m" + i);
        }
        Set<String> received = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            QueueMessage<String> message = receive(mail);
            assertThat(message.deliveries()).isEqualTo(1);
            assertThat(message.session()).isEmpty();
            assertThat(received.add(message.value())).isTrue();
            assertThat(message.complete()).isTrue();
            assertThat(message.complete()).isFalse();
        }
        assertThat(received).isEqualTo(sent);
        assertEmpty(mail);
    }

    @Test
    void receiver_waitsForAMessage() throws Exception {
        PartitionedQueue<String> mail = queue("mail");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            var received = thread.submit(() -> receive(mail).value());
            mail.send("late");
            assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo("late");
        } finally {
            thread.shutdownNow();
        }
    }

    /** Four consumers complete, abandon, or forget messages; those of each session come in order, one at a time. */
    @Test
    void sessions_areInOrder_withOneConsumerAtATime() throws Exception {
        PartitionedQueue<String> queue = queue("short");
        Map<String, List<Integer>> expected = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            for (String session : List.of("a", "b", "c")) {
                queue.send(session + " " + i, SendOptions.inSession(session));
                expected.computeIfAbsent(session, first -> new ArrayList<>()).add(i);
            }
        }
        Map<String, List<Integer>> completed = new ConcurrentHashMap<>();
        List<String> problems = new CopyOnWriteArrayList<>();
        AtomicInteger left = new AtomicInteger(60);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            threads.execute(() -> {
                while (left.get() > 0) {
                    queue.receive(Duration.ofMillis(50)).ifPresent(message -> {
                        String session = message.session().orElseThrow();
                        int number = Integer.parseInt(message.value().split(" ", -1)[1]);
                        List<Integer> before =
                                completed.computeIfAbsent(session, first -> new CopyOnWriteArrayList<>());
                        if (before.size() != number) {
                            problems.add("%s after %s".formatted(message.value(), before));
                        }
                        if (number % 10 == 3 && message.deliveries() == 1) {
                            problems.addAll(message.abandon() ? List.of() : List.of("not abandoned"));
                        } else if (number % 10 != 7 || message.deliveries() > 1) {
                            before.add(number);
                            left.decrementAndGet();
                            problems.addAll(message.complete() ? List.of() : List.of("not completed"));
                        }
                    });
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(problems).isEmpty();
        assertThat(completed).isEqualTo(expected);
        assertEmpty(queue);
    }

    @Test
    void sameId_isStoredOnce_withinTheWindow() {
        PartitionedQueue<String> queue = queue("once");
        queue.send("first", SendOptions.once("id"));
        queue.send("again", SendOptions.once("id"));
        QueueMessage<String> message = receive(queue);
        assertThat(message.value()).isEqualTo("first");
        assertThat(message.complete()).isTrue();
        queue.send("completed meanwhile", SendOptions.once("id"));
        assertEmpty(queue);

        await().atMost(LONG).until(() -> {
            queue.send("later", SendOptions.once("id"));
            return queue.receive(Duration.ZERO).map(QueueMessage::complete).orElse(false);
        });
    }

    @Test
    void idsOfAFragment_areBounded() {
        PartitionedQueue<String> queue = queue("once");
        for (int i = 0; i < 3; i++) {
            queue.send("m", SendOptions.byKey("key").withMessageId("id" + i));
            assertThat(receive(queue).complete()).isTrue();
        }
        SendOptions fourth = SendOptions.byKey("key").withMessageId("id3");
        assertThatThrownBy(() -> queue.send("m", fourth))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageContainingAll("Queue once: send was not done: ", " the fragment is full, with 3 ", "atMost");
        queue.send("m", SendOptions.byKey("key"));
        await().atMost(LONG)
                .ignoreExceptionsInstanceOf(CacheOverloadedException.class)
                .until(() -> {
                    queue.send("m", fourth);
                    return true;
                });
    }

    @Test
    void leaseThatEnds_isDeliveredAgain_andTheFirstReceiverIsTold() {
        PartitionedQueue<String> queue = queue("short");
        queue.send("m", SendOptions.inSession("s"));
        QueueMessage<String> first = receive(queue);
        QueueMessage<String> second = receive(queue);
        assertThat(second.value()).isEqualTo("m");
        assertThat(second.deliveries()).isEqualTo(2);
        assertThat(first.complete()).isFalse();
        assertThat(first.renew()).isFalse();
        assertThat(first.abandon()).isFalse();
        assertThat(second.complete()).isTrue();
        assertEmpty(queue);
    }

    @Test
    void renewedLease_goesOn_andAnAbandonedOneEnds() {
        PartitionedQueue<String> queue = queue("mail");
        queue.send("m");
        QueueMessage<String> message = receive(queue);
        assertThat(message.renew()).isTrue();
        assertEmpty(queue);
        assertThat(message.abandon()).isTrue();
        QueueMessage<String> again = receive(queue);
        assertThat(again.deliveries()).isEqualTo(2);
        assertThat(message.complete()).isFalse();
        assertThat(again.complete()).isTrue();
    }

    @Test
    void messageThatIsNeverCompleted_becomesADeadLetter_andItsSessionGoesOn() {
        PartitionedQueue<String> queue = queue("twice");
        PartitionedQueue<String> dead = queue("twice.dead");
        queue.send("poison", SendOptions.inSession("s"));
        queue.send("next", SendOptions.inSession("s"));
        assertEmpty(dead);
        QueueMessage<String> last = receive(queue);
        for (int delivery = 1; delivery <= 2; delivery++) {
            assertThat(last.value()).isEqualTo("poison");
            assertThat(last.deliveries()).isEqualTo(delivery);
            assertThat(last.abandon()).isTrue();
            last = receive(queue);
        }
        assertThat(last.value()).isEqualTo("next");
        assertThat(last.complete()).isTrue();
        assertEmpty(queue);

        QueueMessage<String> letter = receive(dead);
        assertThat(letter.value()).isEqualTo("poison");
        assertThat(letter.session()).contains("s");
        assertThat(letter.deliveries()).isEqualTo(3);
        assertEmpty(dead);
        for (int i = 0; i < 5; i++) {
            assertThat(letter.abandon()).isTrue();
            letter = receive(dead);
        }
        assertThatThrownBy(() -> dead.send("m"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Queue twice.dead: nothing is sent to dead letters; send to queue twice");
        assertThat(letter.complete()).isTrue();
        assertEmpty(dead);
    }

    @Test
    void fullFragment_refuses_withItsDeadLettersCounted() {
        PartitionedQueue<String> queue = queue("twice");
        for (int i = 0; i < 4; i++) {
            queue.send("m" + i, SendOptions.inSession("s"));
        }
        assertThat(receive(queue).abandon()).isTrue();
        assertThat(receive(queue).abandon()).isTrue();
        QueueMessage<String> second = receive(queue); // the first one is dead now
        assertThatThrownBy(() -> queue.send("fifth", SendOptions.inSession("s")))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageContainingAll("Queue twice: send was not done: ", "full, with 4 messages", "twice.dead");
        assertThat(second.complete()).isTrue();
        queue.send("fifth", SendOptions.inSession("s"));
    }

    @Test
    void messagesWithoutSession_fillAllFragments() {
        PartitionedQueue<String> queue = queue("twice");
        for (int i = 0; i < 4 * PartitionedQueue.FRAGMENTS; i++) {
            queue.send("m" + i);
        }
        assertThatThrownBy(() -> queue.send("m"))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageContaining("each fragment that answers is full, with 4 messages");
        assertThat(receive(queue).complete()).isTrue();
        queue.send("m");
    }

    @Test
    void messageThatCannotBeRead_becomesADeadLetter() {
        PartitionedQueue<String> queue = queue("short");
        queue.send("no number");
        try (PartitionedCacheManager other = another()) {
            PartitionedQueue<Integer> numbers = other.queue("short", Integer.class);
            AtomicInteger failures = new AtomicInteger();
            await().atMost(LONG).until(() -> {
                try {
                    assertThat(numbers.receive(Duration.ZERO)).isEmpty();
                } catch (CodecException e) {
                    assertThat(e).hasMessageStartingWith("Queue short: ");
                    failures.incrementAndGet();
                }
                return queue("short.dead").receive(Duration.ZERO).isPresent();
            });
            assertThat(failures).hasValue(10);
        }
    }

    /** Returns another open manager with the same settings, of the same partitions. */
    protected abstract PartitionedCacheManager another();

    @Test
    void sessionAndPartitionKeyThatDiffer_areRejected() {
        assertThatThrownBy(() -> SendOptions.inSession("s").withPartitionKey("k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave out the partition key");
        SendOptions equal = SendOptions.inSession("s").withPartitionKey("s");
        PartitionedQueue<String> queue = queue("twice");
        IntStream.range(0, 4).forEach(i -> queue.send("m", i % 2 == 0 ? equal : SendOptions.byKey("s")));
        assertThatThrownBy(() -> queue.send("m", equal)).isInstanceOf(CacheOverloadedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "mail.dead.dead", "mail{1}", "a:b"})
    void badName_isRejected(String name) {
        assertThatThrownBy(() -> queue(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void badInput_isRejected() {
        PartitionedQueue<String> queue = queue("mail");
        assertThatThrownBy(() -> queue.receive(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be from 0 to PT24H");
        assertThatThrownBy(() -> SendOptions.inSession("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SendOptions.once("x".repeat(129)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Send options: the message id has 129 characters, must have 1 to 128");
        assertThatThrownBy(() -> queue.send("x".repeat(20_000)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("Queue mail: ");
        assertThatThrownBy(() -> manager().queue("mail", Integer.class))
                .isInstanceOf(ClassCastException.class)
                .hasMessageContaining("java.lang.String, not of java.lang.Integer");
        assertThatThrownBy(() -> queue.send(Objects.requireNonNull(null))).isInstanceOf(NullPointerException.class);
        assertEmpty(queue);
    }

    @Test
    void closedManager_isToldOf() {
        PartitionedQueue<String> queue;
        try (PartitionedCacheManager other = another()) {
            queue = other.queue("mail", String.class);
        }
        assertThatThrownBy(() -> queue.send("m")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queue.receive(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
    }
}
