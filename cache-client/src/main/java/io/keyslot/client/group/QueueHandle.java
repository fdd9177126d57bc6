// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.Client;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.config.ClientOptions.QueueOptions;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.QueueCommand.Delivery;
import io.keyslot.client.partition.QueueCommand.Received;
import io.keyslot.client.partition.QueueCommand.Sent;
import io.keyslot.client.partition.QueueCommand.Settlement;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.telemetry.Telemetry.QueueEvent;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue, or the dead letters of one. Thread-safe. */
final class QueueHandle<E> implements PartitionedQueue<E> {
    private static final Logger LOG = LoggerFactory.getLogger(QueueHandle.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}(\\.dead)?");
    private static final String DEAD = ".dead";
    private static final int SLOTS_EACH = HashSlot.COUNT / FRAGMENTS;
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final String name;
    private final boolean isOfDead;
    private final Client client;
    private final GroupedCaches caches;
    private final EntryCalls calls;
    private final ElementCoder<E> coder;
    private final QueueOptions options;
    private final Failures failures;
    private final Polling polling;
    private final List<GroupHome> fragments;
    private final AtomicLongArray sizes = new AtomicLongArray(FRAGMENTS);
    private final AtomicInteger turn;

    QueueHandle(String name, Client client, GroupedCaches caches, EntryCalls calls, ElementCoder<E> coder) {
        this.name = name;
        this.isOfDead = name.endsWith(DEAD);
        this.client = client;
        this.caches = caches;
        this.calls = calls;
        this.coder = coder;
        String main = isOfDead ? name.substring(0, name.length() - DEAD.length()) : name;
        this.options = client.options().queue(main);
        this.failures = new Failures("Queue " + name);
        this.polling = new Polling(client.timing(), client.waiter(), LONGEST_PAUSE);
        String namespace = client.options().namespace();
        this.fragments = IntStream.range(0, FRAGMENTS)
                .mapToObj(fragment -> homeOf(namespace, main, fragment))
                .toList();
        this.turn = new AtomicInteger(client.timing().random().nextInt(FRAGMENTS));
        if (!isOfDead) {
            client.telemetry()
                    .showQueue(
                            name,
                            () -> IntStream.range(0, FRAGMENTS)
                                    .mapToLong(sizes::get)
                                    .sum());
        }
    }

    /** Returns the first home whose slot is in the fragment's share of all slots. */
    private static GroupHome homeOf(String namespace, String name, int fragment) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> GroupHome.ofOurs(namespace, name + ":" + number))
                .filter(home -> home.slot() / SLOTS_EACH == fragment)
                .findFirst()
                .orElseThrow();
    }

    static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of a queue is '%s', must have 1 to 64 letters, digits, '_' and '-', and '.dead' behind it for its dead letters"
                            .formatted(name));
        }
        return name;
    }

    void requireType(Class<?> type) {
        if (type != coder.type()) {
            throw new ClassCastException("Queue %s: its messages are of %s, not of %s; ask for it with that type"
                    .formatted(name, coder.type().getName(), type.getName()));
        }
    }

    @Override
    public String name() {
        return name;
    }

    private CallBudget budget(String operation) {
        return new CallBudget(
                operation,
                client.timing().ticker(),
                client.options().deadlines().call());
    }

    @Override
    public void send(E message, SendOptions with) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(with, "options");
        caches.checkOpen();
        if (isOfDead) {
            throw new IllegalStateException("Queue %s: nothing is sent to dead letters; send to queue %s"
                    .formatted(name, name.substring(0, name.length() - DEAD.length())));
        }
        Element payload = coder.encode(message);
        CallBudget budget = budget("send");
        String key = with.session() != null
                ? with.session()
                : with.partitionKey() != null ? with.partitionKey() : with.messageId();
        List<GroupHome> tried = key == null ? inTurn() : List.of(fragments.get(HashSlot.of(key) / SLOTS_EACH));
        Reply<Sent> failed = null;
        GroupHome full = null;
        for (GroupHome home : tried) {
            QueueCommand.Send command = new QueueCommand.Send(
                    home,
                    payload,
                    Objects.requireNonNullElse(with.session(), ""),
                    Objects.requireNonNullElse(with.messageId(), ""),
                    options.atMost(),
                    options.duplicateWindow().toMillis());
            Reply<Sent> reply = calls.ask(home.messages(), command, budget);
            if (reply instanceof Reply.Done<Sent> done) {
                if (done.value() != Sent.FULL) {
                    count(QueueEvent.SENT, done.value() == Sent.STORED ? 1 : 0);
                    return;
                }
                full = home;
            } else {
                failed = reply;
                if (!(reply instanceof Reply.Refused<Sent> refused) || refused.refusal() == Refusal.INTERRUPTED) {
                    break;
                }
            }
        }
        if (failed instanceof Reply.Unknown || full == null) {
            throw failures.ofChange("send", Objects.requireNonNull(failed));
        }
        throw new CacheOverloadedException(
                ("Queue %s: send was not done: %s full, with %d messages or ids of messages; receive and complete messages and"
                                + " those of %s.dead, or raise queues.%s.atMost")
                        .formatted(
                                name,
                                key == null
                                        ? "each fragment that answers is"
                                        : calls.router().located(full.messages(), "the fragment is"),
                                options.atMost(),
                                name,
                                name));
    }

    /** Returns all fragments, beginning with another one each time, those of partitions that do not answer last. */
    private List<GroupHome> inTurn() {
        Topology now = client.router().topology();
        int first = Math.floorMod(turn.getAndIncrement(), FRAGMENTS);
        List<GroupHome> ordered = new ArrayList<>(FRAGMENTS);
        List<GroupHome> others = new ArrayList<>();
        for (int i = 0; i < FRAGMENTS; i++) {
            GroupHome home = fragments.get((first + i) % FRAGMENTS);
            boolean answers = now.ownerOf(home.messages())
                    .filter(owner -> owner.status(0).state() == PartitionState.HEALTHY)
                    .isPresent();
            (answers ? ordered : others).add(home);
        }
        ordered.addAll(others);
        return ordered;
    }

    @Override
    public Optional<QueueMessage<E>> receive(Duration wait) {
        if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "Queue %s: the wait is %s, must be from 0 to %s".formatted(name, wait, LONGEST_WAIT));
        }
        AtomicReference<@Nullable Reply<Received>> failed = new AtomicReference<>();
        QueueMessage<E> message = polling.await(wait, () -> poll(failed));
        Reply<Received> lastFailed = failed.get();
        if (message == null && lastFailed != null) {
            throw failures.ofRead("receive", lastFailed);
        }
        return Optional.ofNullable(message);
    }

    /** Asks the fragments in turn; {@code failed} gets a reply of one without an answer, unless another has answered. */
    private @Nullable QueueMessage<E> poll(AtomicReference<@Nullable Reply<Received>> failed) {
        caches.checkOpen();
        boolean isAnswered = false;
        Set<PartitionId> silent = new HashSet<>();
        for (GroupHome home : inTurn()) {
            Optional<PartitionId> owner = client.router().ownerOf(home.messages());
            if (owner.filter(silent::contains).isPresent()) {
                continue;
            }
            Reply<Received> reply = calls.ask(
                    home.messages(),
                    new QueueCommand.Receive(home, isOfDead, options.lease().toMillis(), options.deliveries()),
                    budget("receive"));
            if (reply instanceof Reply.Done<Received> done) {
                isAnswered = true;
                Delivery delivery = noted(home, done.value());
                if (delivery != null) {
                    return new Message(home, delivery, coder.decode(delivery.payload()));
                }
            } else {
                failed.set(reply);
                owner.ifPresent(silent::add);
                if (Thread.currentThread().isInterrupted()) {
                    throw failures.ofRead("receive", reply);
                }
            }
        }
        if (isAnswered) {
            failed.set(null);
        }
        return null;
    }

    /** Called for each poll of each fragment, mostly with 0. */
    private void count(QueueEvent event, long messages) {
        if (messages > 0) {
            client.telemetry().onMessages(name, event, messages);
        }
    }

    private @Nullable Delivery noted(GroupHome home, Received received) {
        sizes.set(home.slot() / SLOTS_EACH, received.size());
        count(QueueEvent.DEAD, received.died());
        count(QueueEvent.LOST, received.lost());
        if (received.lost() > 0) {
            LOG.warn(
                    "Queue {}: {} messages are lost at {}, because the server has evicted them; use a maxmemory-policy that evicts"
                            + " only keys that expire",
                    name,
                    received.lost(),
                    calls.router().located(home.messages(), "a fragment"));
        }
        Delivery delivery = received.delivery();
        count(QueueEvent.RECEIVED, delivery == null ? 0 : 1);
        return delivery;
    }

    private final class Message implements QueueMessage<E> {
        private final GroupHome home;
        private final Delivery delivery;
        private final E value;

        Message(GroupHome home, Delivery delivery, E value) {
            this.home = home;
            this.delivery = delivery;
            this.value = value;
        }

        @Override
        public E value() {
            return value;
        }

        @Override
        public Optional<String> session() {
            return Optional.of(delivery.session()).filter(session -> !session.isEmpty());
        }

        @Override
        public long deliveries() {
            return delivery.count();
        }

        @Override
        public boolean complete() {
            boolean isDone = settle("complete", Settlement.COMPLETE);
            count(QueueEvent.COMPLETED, isDone ? 1 : 0);
            return isDone;
        }

        @Override
        public boolean abandon() {
            return settle("abandon", Settlement.ABANDON);
        }

        @Override
        public boolean renew() {
            return settle("renew", Settlement.RENEW);
        }

        private boolean settle(String operation, Settlement as) {
            caches.checkOpen();
            Reply<Boolean> reply = calls.ask(
                    home.messages(),
                    new QueueCommand.Settle(
                            home, isOfDead, delivery, as, options.lease().toMillis()),
                    budget(operation));
            if (reply instanceof Reply.Done<Boolean> done) {
                return done.value();
            }
            throw failures.ofChange(operation, reply);
        }
    }
}
