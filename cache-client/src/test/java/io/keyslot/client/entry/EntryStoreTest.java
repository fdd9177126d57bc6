// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static io.keyslot.client.entry.EntryFixture.found;
import static io.keyslot.client.entry.EntryFixture.gone;
import static io.keyslot.client.entry.EntryFixture.lost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Collections;
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

    private static Answer<String> fresh(String value) {
        return Answer.found(value, BEFORE, Freshness.of(0), 0);
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
        private final Envelope envelope = store.coder().encode("new", 0);
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
        void answerLostAndNothingThere_isNotKnown() {
            losing(absent());

            assertThatThrownBy(this::put)
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessage("Cache texts: no answer to put, it may or may not have been applied:"
                            + " partition p1 at p1:6379: the connection was lost");
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
        void answerLostAndPartitionGone_isNotKnown() {
            losing(gone());

            assertThatThrownBy(this::put).isInstanceOf(OutcomeUnknownException.class);
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
        private final Envelope envelope = store.coder().encode("new", 0);

        private boolean compareAndSet(long expected) {
            return store.compareAndSet(KEY, expected, envelope, Expiry.NEVER, fixture.budget("compareAndSet"));
        }

        @Test
        void answer_isReturned() {
            fixture.answering(command -> Reply.done(true));
            assertThat(compareAndSet(BEFORE)).isTrue();

            fixture.answering(command -> Reply.done(false));
            assertThat(compareAndSet(BEFORE)).isFalse();
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
        void answerLostAndStillNoEntry_isNotKnown() {
            losing(absent());

            assertThatThrownBy(() -> compareAndSet(Command.ABSENT))
                    .as("it may have been stored and be gone again; and false would mean that there is an entry")
                    .isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndEntryGone_isNotKnown() {
            losing(absent());

            assertThatThrownBy(() -> compareAndSet(BEFORE)).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndWrittenBySomebody_isNotKnown() {
            losing(found(99, "theirs"));

            assertThatThrownBy(() -> compareAndSet(BEFORE)).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndPartitionGone_isNotKnown() {
            losing(gone());

            assertThatThrownBy(() -> compareAndSet(BEFORE)).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Nested
    class CompareAndRemove {
        private boolean compareAndRemove() {
            return store.compareAndRemove(KEY, BEFORE, fixture.budget("compareAndRemove"));
        }

        @Test
        void answerLostAndEntryAsBefore_isNotDone() {
            losing(found(BEFORE, "old"));

            assertThat(compareAndRemove()).isFalse();
        }

        @Test
        void answerLostAndEntryGone_isNotKnown() {
            losing(absent());

            assertThatThrownBy(this::compareAndRemove)
                    .as("somebody else may have removed it")
                    .isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndWrittenBySomebody_isNotKnown() {
            losing(found(99, "theirs"));

            assertThatThrownBy(this::compareAndRemove).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void answerLostAndPartitionGone_isNotKnown() {
            losing(gone());

            assertThatThrownBy(this::compareAndRemove).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void refused_isNotDone() {
            fixture.answering(command -> gone());

            assertThatThrownBy(this::compareAndRemove).isInstanceOf(PartitionUnavailableException.class);
        }
    }

    @Nested
    class Get {
        private Answer<String> get() {
            return store.get(KEY, Expiry.UNCHANGED, fixture.budget("get"));
        }

        @Test
        void value_hasItsStamp() {
            fixture.answering(command -> found(BEFORE, "value"));

            assertThat(get()).isEqualTo(fresh("value"));
            assertThat(sent()).containsExactly("get");
        }

        @Test
        void accessThatChangesTheExpiry_isOneCommand() {
            fixture.answering(command -> found(BEFORE, "value"));

            store.get(KEY, Expiry.afterMillis(5), fixture.budget("get"));

            assertThat(sent()).containsExactly("getAndExpire");
        }

        @Test
        void undecodableBytes_areAMissThatIsRemovedByItsStampAndReported() {
            fixture.answering(command -> command instanceof Command.Get ? found(BEFORE, "!") : Reply.done(true));

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.UNREADABLE));
            assertThat(fixture.observed).containsExactly("undecodable by text");
            assertThat(sent()).containsExactly("get", "compareAndRemove");
            List<Command<?>> commands = new ArrayList<>(fixture.connection1.sent());
            commands.addAll(fixture.connection2.sent());
            assertThat(commands).contains(new Command.CompareAndRemove(KEY, BEFORE));
        }

        @Test
        void undecodableBytesThatCannotBeRemoved_areAMiss() {
            fixture.answering(command -> command instanceof Command.Get ? found(BEFORE, "!") : gone());

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.UNREADABLE));
        }

        @Test
        void bytesOfANewerFormat_areAMissThatIsLeftAlone() {
            fixture.answering(command -> Reply.done(Lookup.without(Lookup.Outcome.NEWER_FORMAT)));

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.UNREADABLE));
            assertThat(fixture.observed).containsExactly("NEWER_FORMAT");
            assertThat(sent()).containsExactly("get");
        }

        @Test
        void nothingThere_isNotReported() {
            fixture.answering(command -> absent());

            assertThat(get()).isEqualTo(Answer.without(Answer.Kind.ABSENT));
            assertThat(fixture.observed).isEmpty();
        }

        @Test
        void missingPartition_isAFailureThatSaysSo() {
            fixture.answering(command -> gone());

            assertThat(get().failure())
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessage("Cache texts: get was not done: partition p1 is missing");
            assertThat(get().isPresent()).isFalse();
        }
    }

    @Nested
    class Bulk {
        private final EncodedKey key1 = EntryFixture.keysOf(EntryFixture.P1, 1).get(0);
        private final EncodedKey key2 = EntryFixture.keysOf(EntryFixture.P2, 1).get(0);

        @Test
        void getAll_withOnePartitionFailing_answersTheOthers() {
            fixture.connection1.answering(command -> gone());
            fixture.connection2.answering(command ->
                    Reply.done(List.of(Lookup.of(Envelope.of(BEFORE, new byte[] {'x'})))));

            List<Answer<String>> answers = store.getAll(List.of(key1, key2), fixture.budget("getAll"));

            assertThat(answers.get(0).failure()).isInstanceOf(PartitionUnavailableException.class);
            assertThat(answers.get(1)).isEqualTo(fresh("x"));
        }

        @Test
        void putAll_looksUpWhatWasLost() {
            Command.Put put1 = new Command.Put(key1, store.coder().encode("1", 0), Expiry.NEVER, Expiry.NEVER);
            Command.Put put2 = new Command.Put(key2, store.coder().encode("2", 0), Expiry.NEVER, Expiry.NEVER);
            fixture.connection1.answering(command ->
                    command instanceof Command.Get ? found(put1.envelope().stamp(), "1") : lost());
            fixture.connection2.answering(command -> command instanceof Command.Get ? absent() : lost());

            List<KeyslotException> problems =
                    new ArrayList<>(store.putAll(List.of(put1, put2), fixture.budget("putAll")));

            assertThat(problems.get(0)).isNull();
            assertThat(problems.get(1)).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void removeAll_tellsRefusedFromUnknown() {
            fixture.connection1.answering(command -> gone());
            fixture.connection2.answering(command -> Reply.done(1L));

            List<KeyslotException> problems =
                    new ArrayList<>(store.removeAll(List.of(key1, key2), fixture.budget("removeAll")));

            assertThat(problems.get(0)).isInstanceOf(PartitionUnavailableException.class);
            assertThat(problems.get(1)).isNull();
        }

        @Test
        void getAndRemoveAll_tellsAboutEachKey() {
            fixture.connection1.answering(command -> lost());
            fixture.connection2.answering(command -> found(BEFORE, "value"));

            List<Answer<String>> answers =
                    store.getAndRemoveAll(List.of(key1, key2), fixture.budget("getAndRemoveAll"));

            assertThat(answers.get(0).failure()).isInstanceOf(OutcomeUnknownException.class);
            assertThat(answers.get(1).value()).isEqualTo("value");
        }

        @Test
        void removalsThatTheServerRefuses_areAllThatIsSent() {
            fixture.answering(command -> command instanceof Command.GetAndRemove
                    ? Reply.refused(Refusal.NOT_WRITABLE, "the disk is full")
                    : Reply.done(0L));

            store.getAndRemoveAll(List.of(key1, key2), fixture.budget("removeAll"));

            assertThat(sent()).containsOnly("getAndRemove");
        }

        @Test
        void setAll_withoutAnAnswer_isNotStored() {
            fixture.connection1.answering(command -> lost());
            fixture.connection2.answering(command -> Reply.done(true));
            List<Command.CompareAndSet> adds = new ArrayList<>();
            for (EncodedKey key : List.of(key1, key2)) {
                adds.add(new Command.CompareAndSet(
                        key, Command.ABSENT, store.coder().encode("value", 0), Expiry.NEVER));
            }

            assertThat(store.setAll(adds, fixture.budget("setAll"))).containsExactly(false, true);
        }

        @Test
        void setAll_answerLostAndApplied_isStored() {
            Envelope envelope = store.coder().encode("new", 0);
            losing(found(envelope.stamp(), "new"));

            assertThat(setAll(envelope)).containsExactly(true);
        }

        @Test
        void setAll_answerLostAndNotExecuted_isMadeAgain() {
            loses = 1;
            fixture.answering(command -> answerOnce(command, found(BEFORE, "old")));

            assertThat(setAll(store.coder().encode("new", 0))).containsExactly(true);
            assertThat(sent()).containsExactly("compareAndSet", "get", "compareAndSet");
        }

        @Test
        void setAll_answerLostAndWrittenBySomebody_isNotStored() {
            losing(found(99, "theirs"));

            assertThat(setAll(store.coder().encode("new", 0))).containsExactly(false);
        }

        @Test
        void offerAll_doesNotLookUpWhatBecameOfIt() {
            losing(found(BEFORE, "old"));

            store.offerAll(set(store.coder().encode("new", 0)), fixture.budget("offerAll"));

            assertThat(sent()).containsExactly("compareAndSet");
        }

        private List<Boolean> setAll(Envelope envelope) {
            return store.setAll(set(envelope), fixture.budget("setAll"));
        }

        private List<Command.CompareAndSet> set(Envelope envelope) {
            return List.of(new Command.CompareAndSet(KEY, BEFORE, envelope, Expiry.NEVER));
        }

        @Test
        void nothing_isAskedForNothing() {
            assertThat(store.getAll(List.of(), fixture.budget("getAll"))).isEmpty();
            assertThat(store.putAll(Collections.emptyList(), fixture.budget("putAll")))
                    .isEmpty();
            assertThat(sent()).isEmpty();
        }
    }

    @Test
    void describe_ofAMissingPartition_isEmpty() {
        fixture.answering(command -> gone());

        assertThat(store.describe(KEY, fixture.budget("describe"))).isEmpty();
    }
}
