// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * An entry is stored and listed in the index of its group in the same step, on every engine, in generated sequences of all
 * commands that store or remove entries.
 */
public abstract class IndexedWritesContract {
    private static final int SEQUENCES = 30;
    private static final int COMMANDS = 60;
    private static final int LARGE = 1_100_000;
    private static final Expiry HOUR = Expiry.afterMillis(3_600_000);

    private final GroupHome home = new GroupHome("customer:99");
    private final Map<EncodedKey, Long> stamps = new HashMap<>();
    private Random random = new Random(0);
    private long lastStamp = 1L << 40;

    /** Executes a command on a partition where nothing was stored before this test. */
    protected abstract <R> Reply<R> send(Command<R> command);

    @RepeatedTest(SEQUENCES)
    void everyStoredEntry_isListed(RepetitionInfo repetition) {
        random = new Random(repetition.getCurrentRepetition());
        // In one sequence of two all are indexed or none; in the others some are.
        boolean areMixed = random.nextBoolean();
        boolean areIndexed = random.nextInt(4) > 0;
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            EncodedKey key = EncodedKey.of("order:{customer:99}:" + repetition.getCurrentRepetition() + "-" + i);
            keys.add((areMixed ? random.nextBoolean() : areIndexed) ? key.indexed() : key);
        }

        for (int i = 0; i < COMMANDS; i++) {
            execute(keys);

            assertThat(listed())
                    .containsAll(keys.stream()
                            .filter(key -> key.isIndexed() && stamps.containsKey(key))
                            .map(home::nameOf)
                            .toList())
                    .noneMatch(name -> keys.stream()
                            .anyMatch(
                                    key -> !key.isIndexed() && home.nameOf(key).equals(name)));
        }
    }

    private List<Element> listed() {
        return done(new GroupListing.Names(
                home, new GroupListing.Span(Element.of(""), Element.of(new byte[] {-1}), 1_000, false)));
    }

    private void execute(List<EncodedKey> keys) {
        EncodedKey key = keys.get(random.nextInt(keys.size()));
        EncodedKey other = keys.get(random.nextInt(keys.size()));
        List<Supplier<Boolean>> kinds = List.of(
                () -> done(put(key)),
                () -> done(new Command.PutAll(List.of(put(key), put(other)))).size() == 2,
                () -> set(key),
                () -> {
                    done(new Command.GetAndRemove(key));
                    return removed(List.of(key));
                },
                () -> done(new Command.CompareAndRemove(key, stamps.getOrDefault(key, -1L))) && removed(List.of(key)),
                () -> {
                    List<EncodedKey> some = keys.subList(0, 1 + random.nextInt(keys.size()));
                    done(new Command.RemoveAll(some));
                    return removed(some);
                },
                () -> together(key, other));
        assertThat(kinds.get(random.nextInt(kinds.size())).get()).isNotNull();
    }

    private Command.Put put(EncodedKey key) {
        Command.Put put =
                new Command.Put(key, envelope(), expiry(), random.nextBoolean() ? expiry() : Expiry.UNCHANGED);
        stored(key, put.envelope());
        return put;
    }

    private boolean set(EncodedKey key) {
        boolean isExpected = random.nextInt(4) > 0;
        long stamp = stamps.getOrDefault(key, Command.ABSENT);
        Command.CompareAndSet set =
                new Command.CompareAndSet(key, isExpected ? stamp : stamp + 12_345, envelope(), expiry());
        boolean done = done(set);
        assertThat(done).isEqualTo(isExpected);
        return done && stored(key, set.envelope());
    }

    private boolean together(EncodedKey key, EncodedKey other) {
        long stamp = ++lastStamp;
        List<GroupStep> steps = new ArrayList<>();
        Envelope envelope = envelope(stamp);
        steps.add(new GroupStep.PutEntry(key, envelope, expiry(), Expiry.UNCHANGED));
        stored(key, envelope);
        if (!other.equals(key)) {
            boolean removes = random.nextBoolean();
            steps.add(
                    removes
                            ? new GroupStep.RemoveEntry(other)
                            : new GroupStep.PutEntry(other, envelope(stamp), expiry(), HOUR));
            if (removes) {
                removed(List.of(other));
            } else {
                stored(other, envelope(stamp));
            }
        }
        return done(new GroupCommand(home, 0, List.of(), steps, stamp)) instanceof GroupReply.Applied;
    }

    private boolean stored(EncodedKey key, Envelope envelope) {
        stamps.put(key, envelope.stamp());
        return true;
    }

    private boolean removed(List<EncodedKey> keys) {
        for (EncodedKey key : keys) {
            stamps.remove(key);
        }
        return true;
    }

    private Envelope envelope() {
        return envelope(++lastStamp);
    }

    private Envelope envelope(long stamp) {
        return Envelope.of(stamp, new byte[random.nextInt(20) == 0 ? LARGE : 10]);
    }

    private Expiry expiry() {
        return random.nextBoolean() ? Expiry.NEVER : HOUR;
    }

    private <R> R done(Command<R> command) {
        Reply<R> reply = send(command);
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError(command.name() + " is answered with " + reply);
    }
}
