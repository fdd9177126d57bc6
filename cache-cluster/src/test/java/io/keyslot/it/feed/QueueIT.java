// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.group.QueueContract;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queues of three servers, whatever happens to these. */
@SideBySide
class QueueIT extends QueueContract {
    private static final int MANY = 10_000;

    /** How many messages a sender is ahead of the receiver, which has to come to an end in time. */
    private static final int MOST_AHEAD = 500;

    private static final PartitionId VICTIM = FeedServers.ALL.get(1);
    private static final PartitionId NEW = FeedServers.ALL.get(3);

    @AutoClose
    private final FeedServers servers = new FeedServers();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PartitionedCacheManager manager = open(Map.of(Telemetry.METER_REGISTRY, meters));
    private final PartitionedQueue<String> mail = manager.queue("mail", String.class);

    private PartitionedCacheManager open(Map<String, ?> more) {
        Map<String, Object> settings = new HashMap<>(SETTINGS);
        settings.putAll(more);
        return servers.manager(settings);
    }

    @Override
    protected PartitionedCacheManager manager() {
        return manager;
    }

    @Override
    protected PartitionedCacheManager another() {
        return open(Map.of());
    }

    private Set<String> storedAt(PartitionId id) {
        return servers.plain(
                id,
                plain -> plain.keys("keyslot:{keyslot:mail:*:messages").stream()
                        .flatMap(key -> plain.hgetall(key).entrySet().stream())
                        .filter(field -> field.getKey().startsWith("p"))
                        .map(Map.Entry::getValue)
                        .collect(Collectors.toSet()));
    }

    private double count(String event) {
        return meters.get("keyslot.queue.messages")
                .tag("event", event)
                .counter()
                .count();
    }

    /** The server is killed between two sends, so that what it has is known. What is sent before this is noticed is not. */
    @Test
    void serverThatIsKilled_costsNoSend_andOnlyItsOwnMessages() throws Exception {
        ReadWriteLock killing = new ReentrantReadWriteLock();
        AtomicInteger next = new AtomicInteger();
        Set<String> sent = ConcurrentHashMap.newKeySet();
        Set<String> unknown = ConcurrentHashMap.newKeySet();
        List<Future<?>> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            senders.add(servers.threads().submit(() -> {
                for (int number = next.getAndIncrement(); number < MANY; number = next.getAndIncrement()) {
                    killing.readLock().lock();
                    try {
                        mail.send("m" + number);
                        sent.add("m" + number);
                    } catch (OutcomeUnknownException e) {
                        assertThat(e).hasMessageContaining("partition " + VICTIM.name());
                        unknown.add("m" + number);
                    } finally {
                        killing.readLock().unlock();
                    }
                }
            }));
        }
        await().until(() -> next.get() >= MANY / 2);
        Set<String> lost;
        killing.writeLock().lock();
        try {
            lost = storedAt(VICTIM);
            servers.server(VICTIM).kill();
        } finally {
            killing.writeLock().unlock();
        }
        Set<String> completed = ConcurrentHashMap.newKeySet();
        AtomicBoolean isOver = new AtomicBoolean();
        List<Future<?>> receivers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            receivers.add(servers.threads().submit(() -> {
                var message = mail.receive(Duration.ofSeconds(1));
                while (message.isPresent() || !isOver.get()) {
                    message.filter(QueueMessage::complete).ifPresent(each -> completed.add(each.value()));
                    message = mail.receive(Duration.ofSeconds(1));
                }
            }));
        }
        for (Future<?> each : senders) {
            each.get(60, TimeUnit.SECONDS);
        }
        isOver.set(true);
        for (Future<?> each : receivers) {
            each.get(60, TimeUnit.SECONDS);
        }

        assertThat(unknown).hasSizeLessThan(20);
        assertThat(sent).hasSize(MANY - unknown.size());
        assertThat(lost).hasSizeBetween(MANY / 10, MANY / 4);
        sent.removeAll(lost);
        assertThat(completed).isEqualTo(sent);
        assertBoundToFragments();
    }

    /** What has a session, a key or an id, does not go elsewhere. */
    private void assertBoundToFragments() {
        Set<Boolean> outcomes = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 50; i++) {
            String name = "s" + i;
            List<SendOptions> all =
                    List.of(SendOptions.inSession(name), SendOptions.byKey(name), SendOptions.once(name));
            List<Boolean> sent = all.stream().map(this::isSent).distinct().toList();
            assertThat(sent).hasSize(1);
            outcomes.addAll(sent);
        }
        assertThat(outcomes).containsExactlyInAnyOrder(true, false);
    }

    private boolean isSent(SendOptions options) {
        try {
            mail.send("m", options);
            return true;
        } catch (PartitionUnavailableException e) {
            assertThat(e).hasMessageContainingAll("Queue mail: send was not done: ", "partition " + VICTIM.name());
            return false;
        }
    }

    /** A server that does not answer may have stored what it was sent; with an id it can be sent again. */
    @Test
    void serverThatStops_leavesTheOutcomeUnknown_andAnIdMakesRepeatingSafe() {
        PartitionedCacheManager impatient =
                open(Map.of("keyslot.deadlines.command", "300ms", "keyslot.deadlines.call", "600ms"));
        PartitionedQueue<String> queue = impatient.queue("mail", String.class);
        queue.send("known");
        assertThat(queue.receive(Duration.ZERO).orElseThrow().complete()).isTrue();
        servers.server(VICTIM).suspend();
        Set<String> unknown = ConcurrentHashMap.newKeySet();
        for (int i = 0; unknown.isEmpty() && i < 100; i++) {
            String id = "id" + i;
            try {
                queue.send(id, SendOptions.once(id));
            } catch (OutcomeUnknownException e) {
                assertThat(e).hasMessageContaining("send");
                unknown.add(id);
            }
        }
        for (int i = 0; i < 20; i++) {
            queue.send("elsewhere");
        }
        servers.server(VICTIM).resume();
        String id = unknown.iterator().next();
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            queue.send(id, SendOptions.once(id));
            return true;
        });
        Map<String, Integer> received = new HashMap<>();
        for (var message = mail.receive(Duration.ofSeconds(1));
                message.isPresent();
                message = mail.receive(Duration.ofSeconds(1))) {
            received.merge(message.get().value(), 1, Integer::sum);
            assertThat(message.get().complete()).isTrue();
        }
        assertThat(received).containsEntry(id, 1).containsEntry("elsewhere", 20);
    }

    @Test
    void receiverThatStops_losesItsMessage_andIsTold() throws Exception {
        PartitionedQueue<String> queue = manager.queue("short", String.class);
        try (OtherJvm other = OtherJvm.start(QueueReceiverMain.class, String.join(",", servers.uris()))) {
            queue.send("m");
            other.awaitLine("m");
            other.suspend();
            QueueMessage<String> again = queue.receive(Duration.ofSeconds(30)).orElseThrow();
            assertThat(again.deliveries()).isEqualTo(2);
            assertThat(again.complete()).isTrue();
            other.resume();
            other.say("go on");
            assertThat(other.readLine()).isEqualTo("false");
        }
    }

    @Tag("thorough")
    @Test
    void movesOfSlots_keepMessagesLeasesAndOrder() throws Exception {
        servers.add(NEW);
        for (int i = 0; i < 100; i++) {
            mail.send("before " + i);
        }
        Map<String, Integer> completed = new ConcurrentHashMap<>();
        List<QueueMessage<String>> leased = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leased.add(mail.receive(Duration.ofSeconds(10)).orElseThrow());
        }
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        Semaphore places = new Semaphore(MOST_AHEAD);
        Future<?> sender = servers.threads().submit(() -> {
            while (!isOver.get()) {
                if (places.tryAcquire(1, TimeUnit.SECONDS)) {
                    int number = sent.getAndIncrement();
                    mail.send("s " + number / 10, SendOptions.inSession("s" + number % 10));
                }
            }
            return null;
        });
        Map<String, Integer> sessions = new ConcurrentHashMap<>();
        Future<?> receiver = servers.threads().submit(() -> {
            var message = mail.receive(Duration.ofSeconds(2));
            while (message.isPresent() || !isOver.get()) {
                message.ifPresent(each -> {
                    each.session().ifPresent(session -> {
                        int number = Integer.parseInt(each.value().substring(2));
                        assertThat(sessions.merge(session, 1, Integer::sum)).isEqualTo(number + 1);
                        places.release();
                    });
                    completed.merge(each.session().orElse("") + each.value(), 1, Integer::sum);
                    assertThat(each.complete()).isTrue();
                });
                message = mail.receive(Duration.ofSeconds(2));
            }
        });
        for (PartitionId giver : FeedServers.ALL.subList(0, 3)) {
            SlotSet slots = servers.slotsOf(giver);
            servers.move(giver, NEW, slots);
            leased.forEach(message -> assertThat(message.renew()).isTrue());
            servers.move(NEW, giver, slots);
        }
        isOver.set(true);
        sender.get(60, TimeUnit.SECONDS);
        receiver.get(60, TimeUnit.SECONDS);
        leased.forEach(message -> assertThat(message.complete()).isTrue());
        assertThat(completed).hasSize(80 + sent.get());
        assertThat(sent.get()).isGreaterThan(100);
        assertThat(mail.receive(Duration.ZERO)).isEmpty();
    }

    @Test
    void messagesThatAreEvicted_areCountedAsLost() {
        for (int i = 0; i < 160; i++) {
            mail.send("m" + i);
        }
        int at = storedAt(VICTIM).size();
        servers.plain(
                VICTIM,
                plain -> plain.keys("keyslot:{keyslot:mail:*").stream()
                        .filter(key -> key.endsWith(":order"))
                        .mapToLong(plain::unlink)
                        .sum());
        servers.plain(
                FeedServers.ALL.get(0),
                plain -> plain.keys("keyslot:{keyslot:mail:*").stream()
                        .filter(key -> key.endsWith(":messages"))
                        .mapToLong(plain::unlink)
                        .sum());
        int received = 0;
        while (mail.receive(Duration.ZERO).isPresent()) {
            received++;
        }
        assertThat(at).isPositive();
        assertThat(received).isPositive();
        assertThat(count("lost")).isEqualTo(160 - received);
    }

    /** Whichever of its keys a fragment loses, and whatever comes next: what is sent since is received, in order. */
    @ParameterizedTest
    @CsvSource({"messages,SEND", "messages,RECEIVE", "messages,SETTLE", "order,SEND", "order,RECEIVE", "order,SETTLE"})
    void fragmentThatLosesAKey_goesOn(String lost, String next) {
        SendOptions session = SendOptions.inSession("s");
        for (int i = 0; i < 5; i++) {
            mail.send("before" + i, session);
        }
        QueueMessage<String> leased = mail.receive(Duration.ofSeconds(10)).orElseThrow();
        long evicted = FeedServers.ALL.subList(0, 3).stream()
                .mapToLong(id -> servers.plain(
                        id,
                        plain -> plain.keys("keyslot:{keyslot:mail:*").stream()
                                .filter(key -> key.endsWith(":" + lost))
                                .mapToLong(plain::unlink)
                                .sum()))
                .sum();
        assertThat(evicted).isOne();
        if (next.equals("RECEIVE")) {
            assertThat(mail.receive(Duration.ZERO)).isEmpty();
        } else if (next.equals("SETTLE")) {
            assertThat(leased.complete()).isFalse();
        }

        for (int i = 0; i < 5; i++) {
            mail.send("after" + i, session);
        }

        for (int i = 0; i < 5; i++) {
            QueueMessage<String> message = mail.receive(Duration.ofSeconds(10)).orElseThrow();
            assertThat(message.value()).isEqualTo("after" + i);
            assertThat(message.complete()).isTrue();
        }
        assertThat(mail.receive(Duration.ZERO)).isEmpty();
        assertThat(meters.get("keyslot.queue.depth").gauge().value()).isZero();
        if (lost.equals("order")) {
            assertThat(count("lost")).isEqualTo(5); // how many there were, the messages say
        }
    }

    @Test
    void fullServer_refusesSends_andDeliversWhatItHas() {
        for (int i = 0; i < 20; i++) {
            mail.send("m" + i, SendOptions.inSession("s"));
        }
        FeedServers.ALL.subList(0, 3).forEach(id -> servers.plain(id, plain -> plain.configSet("maxmemory", "1")));
        assertThatThrownBy(() -> mail.send("m"))
                .isInstanceOf(PartitionUnavailableException.class)
                .hasMessageContaining("Queue mail: send was not done: ");
        for (int i = 0; i < 20; i++) {
            QueueMessage<String> message = mail.receive(Duration.ofSeconds(10)).orElseThrow();
            assertThat(message.value()).isEqualTo("m" + i);
            assertThat(message.renew()).isTrue();
            assertThat(message.complete()).isTrue();
        }
        assertThat(meters.get("keyslot.queue.depth").gauge().value()).isPositive();
    }

    @Test
    void noServer_isAnError() {
        FeedServers.ALL.subList(0, 3).forEach(id -> servers.server(id).kill());
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatThrownBy(() -> mail.receive(Duration.ZERO))
                        .isInstanceOf(PartitionUnavailableException.class)
                        .hasMessageContaining("Queue mail: receive "));
        assertThatThrownBy(() -> mail.send("m")).isInstanceOf(PartitionUnavailableException.class);
    }

    /** A process that receives a message, prints it, and prints whether it could complete it when it is told to. */
    static final class QueueReceiverMain {
        private QueueReceiverMain() {}

        public static void main(String[] arguments) throws Exception {
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "receiver", List.of(arguments[0].split(",", -1)), QueueContract.SETTINGS)) {
                QueueMessage<String> message = manager.unwrap(PartitionedCacheManager.class)
                        .queue("short", String.class)
                        .receive(Duration.ofSeconds(60))
                        .orElseThrow();
                System.out.println(message.value());
                int unused = System.in.read();
                System.out.println(message.complete());
            }
        }
    }
}
