// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.EntryFixture.found;
import static io.keyslot.client.jcache.EntryFixture.gone;
import static io.keyslot.client.jcache.EntryFixture.lost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EntryStoreTest {
    private static final EncodedKey KEY = EncodedKey.of("texts:1");
    private static final long BEFORE = 7;

    private final EntryFixture fixture = new EntryFixture();
    private final EntryStore<String> store = fixture.store;

    /** Lets every change be lost, and the read that follows be answered so. */
    private void losing(Reply<Lookup> afterwards) {
        fixture.answering(command -> command instanceof Command.Get ? afterwards : lost());
    }

    private static Reply<Lookup> absent() {
        return Reply.done(Lookup.absent());
    }

    /** Of so many changes the answers are lost; those after them are done. */
    private int loses;

    private Reply<?> answerOnce(Command<?> command, Reply<?> present) {
        if (command instanceof Command.Get) {
            return present;
        }
        loses--;
        return loses >= 0 ? lost() : Reply.done(true);
    }

    private List<Command<?>> commands() {
        List<Command<?>> commands = new ArrayList<>(fixture.connection1.sent());
        commands.addAll(fixture.connection2.sent());
        return commands;
    }

    private List<String> sent() {
        List<String> names = new ArrayList<>();
        fixture.connection1.sent().forEach(command -> names.add(command.name()));
        fixture.connection2.sent().forEach(command -> names.add(command.name()));
        return names;
    }

    @Nested
    class Put {
        private final Envelope envelope = store.coder().encode(KEY, "new", 0);
        private final Command.Put put = new Command.Put(KEY, envelope, Expiry.NEVER, Expiry.NEVER);

        private void put() {
            store.put(put, fixture.budget("put"));
        }

        @Test
        void answerLostAndApplied_isDone() {
            losing(found(envelope.stamp(), "new"));

            put();

            assertThat(sent()).containsExactly("put", "get");
        }

        @Test
        void answerLostAndWrittenBySomebody_isNotKnown() {
            losing(found(99, "theirs"));

            assertThatThrownBy(this::put).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndNotExecuted_isMadeAgainUnlessSomebodyWrites() {
            loses = 1;
            fixture.answering(command -> answerOnce(command, found(99, "before")));

            put();

            assertThat(sent()).containsExactly("put", "get", "compareAndSet");
            assertThat(commands()).contains(new Command.CompareAndSet(KEY, 99, envelope, Expiry.NEVER));
        }

        @Test
        void refused_isNotDone() {
            fixture.answering(command -> gone());

            assertThatThrownBy(this::put)
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessage("Cache texts: put was not done: partition p1 is missing");
            assertThat(sent()).containsExactly("put");
        }
    }

    @Nested
    class CompareAndSet {
        private final Envelope envelope = store.coder().encode(KEY, "new", 0);

        private boolean compareAndSet(long expected) {
            return store.change(
                    new Command.CompareAndSet(KEY, expected, envelope, Expiry.NEVER), fixture.budget("compareAndSet"));
        }

        @Test
        void answerLostAndApplied_isDone() {
            losing(found(envelope.stamp(), "new"));

            assertThat(compareAndSet(BEFORE)).isTrue();
            assertThat(compareAndSet(Command.ABSENT)).isTrue();
        }

        @Test
        void answerLostAndEntryAsBefore_isNotDone() {
            losing(found(BEFORE, "old"));

            assertThat(compareAndSet(BEFORE)).isFalse();
        }

        @Test
        void answerLostAndNotExecuted_isMadeAgain() {
            loses = 1;
            fixture.answering(command -> answerOnce(command, found(BEFORE, "old")));
            assertThat(compareAndSet(BEFORE)).isTrue();
            assertThat(sent()).containsExactly("compareAndSet", "get", "compareAndSet");

            loses = 1;
            fixture.answering(command -> answerOnce(command, absent()));
            assertThat(compareAndSet(Command.ABSENT)).isTrue();
        }

        @Test
        void answerLostAndWrittenBySomebody_isNotKnown() {
            losing(found(99, "theirs"));

            assertThatThrownBy(() -> compareAndSet(BEFORE)).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Nested
    class Get {
        private Answer<String> get() {
            return store.get(KEY, fixture.budget("get"));
        }

        @Test
        void undecodableBytes_areAMissThatIsRemovedByItsStampAndReported() {
            fixture.answering(command -> command instanceof Command.Get ? found(BEFORE, "!") : Reply.done(true));

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.UNREADABLE));
            assertThat(fixture.observed).containsExactly("UNDECODABLE");
            assertThat(sent()).containsExactly("get", "compareAndRemove");
            List<Command<?>> commands = new ArrayList<>(fixture.connection1.sent());
            commands.addAll(fixture.connection2.sent());
            assertThat(commands).contains(new Command.CompareAndRemove(KEY, BEFORE));
        }

        @Test
        void bytesOfANewerFormat_areAMissThatIsLeftAlone() {
            fixture.answering(command -> Reply.done(Lookup.without(Lookup.Outcome.NEWER_FORMAT)));

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.UNREADABLE));
            assertThat(fixture.observed).containsExactly("NEWER_FORMAT");
            assertThat(sent()).containsExactly("get");
        }
    }
}
