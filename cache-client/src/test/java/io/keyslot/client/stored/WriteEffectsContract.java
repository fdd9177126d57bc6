// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * What happens together with every write, on every engine: with an effect that only this test knows, alone and beside the
 * index, in generated sequences of all commands that store or remove entries.
 */
public abstract class WriteEffectsContract {
    private static final int SEQUENCES = 30;
    private static final int COMMANDS = 60;
    private static final int LARGE = 1_100_000;
    private static final Expiry HOUR = Expiry.afterMillis(3_600_000);

    /** Notes what has become of each key: its last word is {@code stored} or {@code removed}. */
    protected static final WriteEffects.WriteEffect NOTED = new Noted();

    private static final WriteEffects ALONE = new WriteEffects(List.of(NOTED));
    private static final List<WriteEffects> COMBINATIONS = List.of(
            WriteEffects.NONE,
            WriteEffects.INDEXED,
            ALONE,
            ALONE.and(WriteEffects.INDEXED),
            WriteEffects.INDEXED.and(ALONE));

    private final GroupHome home = new GroupHome("customer:99");
    private final Map<EncodedKey, String> notes = new HashMap<>();
    private final Map<EncodedKey, Long> stamps = new HashMap<>();
    private Random random = new Random(0);
    private long lastStamp = 1L << 40;

    /** Executes a command on a partition where nothing was stored before this test. */
    protected abstract <R> Reply<R> send(Command<R> command);

    /** Returns the last word about a key, null if there is none. */
    protected abstract @Nullable String noteOf(EncodedKey key);

    @RepeatedTest(SEQUENCES)
    void everyWrite_hasItsEffects(RepetitionInfo repetition) {
        random = new Random(repetition.getCurrentRepetition());
        // All have the same effects in one sequence of two; in the others each has its own.
        WriteEffects common = COMBINATIONS.get(random.nextInt(COMBINATIONS.size()));
        List<EncodedKey> keys = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            EncodedKey key = EncodedKey.of("order:{customer:99}:" + repetition.getCurrentRepetition() + "-" + i);
            keys.add(key.with(random.nextBoolean() ? common : COMBINATIONS.get(random.nextInt(COMBINATIONS.size()))));
        }

        for (int i = 0; i < COMMANDS; i++) {
            execute(keys);
            assertThat(keys)
                    .allSatisfy(key -> assertThat(noteOf(key))
                            .isEqualTo(key.effects().all().contains(NOTED) ? notes.get(key) : null));
        }

        assertThat(done(new GroupListing.Names(
                        home, new GroupListing.Span(Element.of(""), Element.of(new byte[] {-1}), 1_000, false))))
                .containsAll(keys.stream()
                        .filter(key -> key.effects().areIndexed() && stamps.containsKey(key))
                        .map(home::nameOf)
                        .toList());
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
        notes.put(key, "stored");
        return true;
    }

    private boolean removed(List<EncodedKey> keys) {
        for (EncodedKey key : keys) {
            if (stamps.remove(key) != null) {
                notes.put(key, "removed");
            }
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

    private record Noted() implements WriteEffects.WriteEffect {
        @Override
        public String name() {
            return "noted";
        }

        @Override
        public EncodedKey key(EncodedKey written) {
            return EncodedKey.of("notes:{" + GroupHome.of(written).tag() + "}");
        }

        @Override
        public byte[] argument(EncodedKey written) {
            return written.text().getBytes(UTF_8);
        }
    }
}
