// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** That commands of several threads on one group happen one after the other. */
public abstract class GroupRaceContract extends AggregateContract {
    private static final int ACCOUNTS = 10;
    private static final long EACH = 1_000;
    private static final int MOVERS = 4;
    private static final int MOVES = 100;

    /** So many attempts of one move would mean that nobody gets on. */
    private static final int LONGEST_CONTENTION = 10_000;

    private final List<EncodedKey> accounts = new ArrayList<>();

    @Test
    void amountsThatAreMoved_areNeitherLostNorSeenHalf() throws Exception {
        open();
        long seed = new Random().nextLong();
        AtomicInteger moving = new AtomicInteger(MOVERS);
        List<Runnable> threads = new ArrayList<>();
        for (int i = 0; i < MOVERS; i++) {
            Random random = new Random(seed + i);
            threads.add(() -> counted(() -> moveOften(random), moving));
        }
        threads.add(() -> observe(moving));

        together(threads);

        assertThat(total()).as("seed %s", seed).isEqualTo(ACCOUNTS * EACH);
    }

    @Test
    void entryThatGroupsAndSingleCommandsChange_losesNoChange() throws Exception {
        EncodedKey order = member("order");
        put(order, "0");

        together(List.of(
                () -> addOften(order, this::setAlone),
                () -> addOften(order, this::setAlone),
                () -> addOften(order, this::setInAGroup),
                () -> addOften(order, this::setInAGroup)));

        assertThat(text(get(order))).isEqualTo(Integer.toString(4 * MOVES));
    }

    private static void together(List<Runnable> threads) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads.size());
        try {
            for (Future<?> thread : threads.stream().map(executor::submit).toList()) {
                thread.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static void counted(Runnable work, AtomicInteger running) {
        try {
            work.run();
        } finally {
            running.decrementAndGet();
        }
    }

    private interface Setting {
        boolean set(EncodedKey key, long expectedStamp, Envelope next);
    }

    private void addOften(EncodedKey key, Setting setting) {
        for (int i = 0; i < MOVES; i++) {
            untilDone(() -> {
                Lookup before = get(key);
                Envelope next = envelope(Integer.toString(Integer.parseInt(text(before)) + 1));
                return setting.set(key, before.stamp(), next);
            });
        }
    }

    private boolean setAlone(EncodedKey key, long expectedStamp, Envelope next) {
        return compareAndSet(key, expectedStamp, next);
    }

    private boolean setInAGroup(EncodedKey key, long expectedStamp, Envelope next) {
        GroupCommand change = command(
                List.of(new Expected(key, null, expectedStamp)),
                new GroupStep.PutEntry(key, next, Expiry.NEVER, Expiry.NEVER));
        return done(change) instanceof GroupReply.Applied;
    }

    private static void untilDone(BooleanSupplier attempt) {
        for (int i = 0; i < LONGEST_CONTENTION; i++) {
            if (attempt.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("Nothing but conflicts");
    }

    private void open() {
        for (int i = 0; i < ACCOUNTS; i++) {
            EncodedKey account = member("account" + i);
            accounts.add(account);
            apply(account, AggregateOperation.HASH_PUT, "balance", Long.toString(EACH));
        }
    }

    private void observe(AtomicInteger moving) {
        while (moving.get() > 0) {
            assertThat(total()).isEqualTo(ACCOUNTS * EACH);
        }
    }

    private long total() {
        GroupStep[] reads = accounts.stream()
                .map(account -> new ReadAggregate(account, AggregateKind.HASH))
                .toArray(GroupStep[]::new);
        return applied(reads).stream()
                .mapToLong(answer -> balance((Contents) present(answer)))
                .sum();
    }

    private static long balance(Contents contents) {
        return Long.parseLong(contents.elements().get(1).text());
    }

    private void moveOften(Random random) {
        for (int i = 0; i < MOVES; i++) {
            EncodedKey from = accounts.get(random.nextInt(ACCOUNTS));
            EncodedKey to = accounts.get(random.nextInt(ACCOUNTS));
            if (!from.equals(to)) {
                long amount = random.nextInt(100);
                untilDone(() -> isMoved(from, to, amount));
            }
        }
    }

    private boolean isMoved(EncodedKey from, EncodedKey to, long amount) {
        List<?> read = applied(new ReadAggregate(from, AggregateKind.HASH), new ReadAggregate(to, AggregateKind.HASH));
        Contents source = (Contents) present(read.get(0));
        Contents target = (Contents) present(read.get(1));
        GroupCommand change = command(
                List.of(
                        new Expected(from, AggregateKind.HASH, source.stamp()),
                        new Expected(to, AggregateKind.HASH, target.stamp())),
                balanceOf(from, balance(source) - amount),
                balanceOf(to, balance(target) + amount));
        return done(change) instanceof GroupReply.Applied;
    }

    private static GroupStep balanceOf(EncodedKey account, long balance) {
        return new GroupStep.Apply(
                account,
                AggregateOperation.HASH_PUT,
                List.of(Element.of("balance"), Element.of(balance)),
                Expiry.UNCHANGED);
    }
}
