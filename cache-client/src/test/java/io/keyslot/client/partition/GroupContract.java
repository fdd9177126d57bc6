// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.stored.AggregateOperation.HASH_GET;
import static io.keyslot.client.stored.AggregateOperation.HASH_INCREMENT;
import static io.keyslot.client.stored.AggregateOperation.HASH_PUT;
import static io.keyslot.client.stored.AggregateOperation.HASH_REMOVE;
import static io.keyslot.client.stored.AggregateOperation.HASH_SIZE;
import static io.keyslot.client.stored.AggregateOperation.LIST_ADD_LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.NewEpoch;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.DeleteAggregate;
import io.keyslot.client.partition.GroupStep.ExpireAggregate;
import io.keyslot.client.partition.GroupStep.PutEntry;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.partition.GroupStep.ReadEntry;
import io.keyslot.client.partition.GroupStep.RemoveEntry;
import io.keyslot.client.partition.GroupStep.TimeToLive;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every engine does with the members of a group together. Each one's test extends this. */
public abstract class GroupContract extends GroupRaceContract {
    private static final Contents NOTHING = new Contents(Command.ABSENT, List.of());

    private PutEntry putEntry(EncodedKey key, String text) {
        return new PutEntry(key, envelope(text), Expiry.NEVER, Expiry.NEVER);
    }

    @Nested
    class Steps {
        @Test
        void storedEntry_isOneForSingleCommands() {
            EncodedKey order = member("order");
            applied(putEntry(order, "one"));

            assertThat(text(get(order))).isEqualTo("one");
            applied(new RemoveEntry(order));
            assertThat(get(order).isFound()).isFalse();
        }

        @Test
        void keyThatIsPutTwice_isUpdatedTheSecondTime() {
            EncodedKey order = member("order");

            applied(
                    new PutEntry(order, envelope("one"), Expiry.NEVER, MINUTE),
                    new PutEntry(order, envelope("two"), Expiry.NEVER, MINUTE));

            assertThat(text(get(order))).isEqualTo("two");
            assertExpiry(order, MINUTE);
        }

        @Test
        void entryOfAnotherEpochOrALease_isNoneAndReplaced() {
            EncodedKey order = member("order");
            storeRaw(
                    order,
                    ForeignBytes.OF_ANOTHER_EPOCH.under(order, connection().epoch()));
            EncodedKey leased = member("product");
            done(new Lease(leased, stamp(), MINUTE));

            assertThat(applied(new ReadEntry(order), new ReadEntry(leased)))
                    .allSatisfy(answer ->
                            assertThat(((Lookup) present(answer)).isFound()).isFalse());
            applied(new PutEntry(leased, envelope("one"), HOUR, MINUTE));

            assertExpiry(leased, HOUR);
        }

        @Test
        void stepThatMayFailAmongOthers_isRefusedBeforeItIsSent() {
            EncodedKey cart = member("cart");

            assertThatThrownBy(() ->
                            command(List.of(), step(cart, HASH_PUT, "a", "1"), step(cart, HASH_INCREMENT, "a", "1")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class Expectations {
        @Test
        void presentStamps_letEverythingHappen() {
            EncodedKey order = member("order");
            EncodedKey cart = member("cart");
            Envelope entry = put(order, "one");
            long stamp = create(cart, AggregateKind.HASH, Expiry.NEVER);

            GroupReply reply = done(command(
                    List.of(
                            new Expected(order, null, entry.stamp()),
                            new Expected(cart, AggregateKind.HASH, stamp),
                            new Expected(member("none"), null, Command.ABSENT),
                            new Expected(member("nowhere"), AggregateKind.LIST, Command.ABSENT)),
                    putEntry(order, "two"),
                    step(cart, HASH_PUT, "name", "Bob")));

            assertThat(answers(reply)).hasSize(2);
            assertThat(text(get(order))).isEqualTo("two");
        }

        @Test
        void expectationsAlone_areChecked() {
            EncodedKey cart = member("cart");
            long stamp = create(cart, AggregateKind.HASH, Expiry.NEVER);

            assertThat(done(command(List.of(new Expected(cart, AggregateKind.HASH, stamp)))))
                    .isEqualTo(new GroupReply.Applied(List.of()));
            assertThat(done(command(List.of(new Expected(cart, AggregateKind.HASH, stamp + 1)))))
                    .isEqualTo(new GroupReply.Conflict(cart));
        }

        @Test
        void anotherStampOfAnEntry_isAConflictAndNothingHappens() {
            EncodedKey order = member("order");
            Envelope entry = put(order, "one");

            assertConflict(new Expected(order, null, entry.stamp() + 1));
            assertConflict(new Expected(order, null, Command.ABSENT));
            assertConflict(new Expected(member("none"), null, entry.stamp()));
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void anotherStampOfAnAggregate_isAConflictAndNothingHappens(AggregateKind kind) {
            EncodedKey cart = member("cart");
            long stamp = create(cart, kind, Expiry.NEVER);

            assertConflict(new Expected(cart, kind, stamp + 1));
            assertConflict(new Expected(cart, kind, Command.ABSENT));
            assertConflict(new Expected(member("none"), kind, stamp));
        }

        private void assertConflict(Expected expected) {
            EncodedKey other = member("other");
            EncodedKey list = member("list");

            assertThat(done(command(List.of(expected), putEntry(other, "two"), step(list, LIST_ADD_LAST, "a"))))
                    .isEqualTo(new GroupReply.Conflict(expected.key()));

            assertThat(get(other)).isEqualTo(Lookup.absent());
            assertThat(contents(list, AggregateKind.LIST)).isEqualTo(NOTHING);
        }

        @Test
        void whatHasExpired_isAbsent() {
            EncodedKey order = member("order");
            EncodedKey cart = member("cart");
            Envelope entry = put(order, "one", SOON);
            long stamp = create(cart, AggregateKind.HASH, SOON);
            pass(A_MOMENT);

            assertConflict(new Expected(order, null, entry.stamp()));
            assertConflict(new Expected(cart, AggregateKind.HASH, stamp));
            answers(done(command(List.of(
                    new Expected(order, null, Command.ABSENT),
                    new Expected(cart, AggregateKind.HASH, Command.ABSENT)))));
        }

        @Test
        void putsOfWhatIsExpected_expireAsAllPuts() {
            EncodedKey kept = member("kept");
            EncodedKey lasting = member("lasting");
            EncodedKey created = member("created");
            EncodedKey leased = member("leased");
            EncodedKey unread = member("unread");
            Envelope keptEntry = put(kept, "one", HOUR);
            Envelope lastingEntry = put(lasting, "one", Expiry.NEVER);
            put(unread, "one", HOUR);
            done(new Lease(leased, stamp(), MINUTE));

            answers(done(command(
                    List.of(
                            new Expected(lasting, null, lastingEntry.stamp()),
                            new Expected(member("none"), null, Command.ABSENT),
                            new Expected(leased, null, Command.ABSENT),
                            new Expected(kept, null, keptEntry.stamp()),
                            new Expected(created, null, Command.ABSENT)),
                    keeping(unread, "unread"),
                    keeping(created, "created"),
                    keeping(kept, "kept"),
                    keeping(leased, "leased"),
                    keeping(lasting, "lasting"))));

            for (EncodedKey key : List.of(unread, created, kept, leased, lasting)) {
                assertThat(text(get(key)) + ":{" + home().tag() + "}").isEqualTo(key.text());
            }
            assertExpiry(kept, HOUR);
            assertExpiry(unread, HOUR);
            List.of(lasting, created, leased).forEach(key -> assertExpiry(key, Expiry.NEVER));
        }

        private PutEntry keeping(EncodedKey key, String text) {
            return new PutEntry(key, envelope(text), Expiry.NEVER, Expiry.UNCHANGED);
        }

        @Test
        void thousandsOfExpectations_areChecked() {
            EncodedKey last = member("last");
            put(last, "one", HOUR);
            List<Expected> none = IntStream.range(0, 9_000)
                    .mapToObj(i -> new Expected(member("none" + i), null, Command.ABSENT))
                    .toList();
            List<Expected> all = new ArrayList<>(none);
            all.add(new Expected(last, null, Command.ABSENT));

            answers(done(command(none, putEntry(member("none0"), "two"), putEntry(member("none8999"), "two"))));

            assertThat(done(command(all.subList(1, 9_001)))).isInstanceOf(GroupReply.Conflict.class);
            assertThat(text(get(member("none8999")))).isEqualTo("two");
        }

        @Test
        void conflict_isNoticedBeforeAWrongType() {
            EncodedKey order = member("order");
            put(order, "one");

            assertThat(done(command(
                            List.of(new Expected(order, null, Command.ABSENT)), step(order, LIST_ADD_LAST, "a"))))
                    .isEqualTo(new GroupReply.Conflict(order));
        }
    }

    @Nested
    class WrongTypes {
        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void entry_isNoAggregate(AggregateKind kind) {
            EncodedKey order = member("order");
            put(order, "one");

            assertWrong(order, kind, "string");

            assertThat(text(get(order))).isEqualTo("one");
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.GroupContract#differentKinds")
        void aggregate_isOfOneKind(AggregateKind found, AggregateKind wanted) {
            EncodedKey cart = member("cart");
            create(cart, found, MINUTE);
            Contents before = contents(cart, found);

            assertWrong(cart, wanted, found.typeName());

            assertThat(contents(cart, found)).isEqualTo(before);
        }

        private void assertWrong(EncodedKey key, AggregateKind kind, String found) {
            EncodedKey other = member("other");
            GroupReply expected = new GroupReply.WrongType(key, found);

            assertThat(group(putEntry(other, "two"), change(key, kind, Expiry.UNCHANGED)))
                    .isEqualTo(expected);
            assertThat(group(new ReadAggregate(key, kind))).isEqualTo(expected);
            assertThat(group(new DeleteAggregate(key, kind))).isEqualTo(expected);
            assertThat(group(new ExpireAggregate(key, kind, HOUR))).isEqualTo(expected);
            assertThat(group(new TimeToLive(key, kind))).isEqualTo(expected);

            assertThat(get(other)).isEqualTo(Lookup.absent());
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void whatIsNoEntry_countsAsNoneAndIsReplaced(AggregateKind kind) {
            EncodedKey leased = member("order");
            EncodedKey old = member("product");
            done(new Lease(leased, stamp(), MINUTE));
            storeRaw(old, ForeignBytes.OF_ANOTHER_EPOCH.under(old, connection().epoch()));

            assertThat(contents(leased, kind)).isEqualTo(NOTHING);
            assertThat(contents(old, kind)).isEqualTo(NOTHING);

            assertThat(create(leased, kind, Expiry.UNCHANGED))
                    .isEqualTo(contents(leased, kind).stamp());
            assertThat(create(old, kind, Expiry.UNCHANGED))
                    .isEqualTo(contents(old, kind).stamp());
            assertThat(timeToLive(leased, kind)).isEqualTo(-1);
        }
    }

    static Stream<Arguments> differentKinds() {
        return Arrays.stream(AggregateKind.values())
                .flatMap(found -> Arrays.stream(AggregateKind.values())
                        .filter(wanted -> wanted != found)
                        .map(wanted -> Arguments.of(found, wanted)));
    }

    @Nested
    class EntryCommandsOnAggregates {
        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void aggregate_isNoEntryAndStays(AggregateKind kind) {
            EncodedKey cart = member("cart");
            long stamp = create(cart, kind, Expiry.NEVER);

            assertThat(get(cart).isFound()).isFalse();
            assertThat(done(new Command.GetAll(List.of(cart)))).noneMatch(Lookup::isFound);
            assertThat(done(new Command.GetAndExpire(cart, MINUTE)).isFound()).isFalse();
            assertThat(done(new Command.Describe(cart)).lookup().isFound()).isFalse();
            assertThat(done(new CompareAndSet(cart, stamp, envelope("one"), MINUTE)))
                    .isFalse();
            assertThat(done(new Command.CompareAndRemove(cart, stamp))).isFalse();
            assertThat(done(new Command.CompareAndExpire(cart, stamp, MINUTE))).isFalse();
            assertThat(done(new Command.Claim(cart, stamp, stamp(), 1))).isFalse();
            assertThat((Lookup) present(applied(new ReadEntry(cart)).get(0)))
                    .satisfies(lookup -> assertThat(lookup.isFound()).isFalse());

            assertThat(contents(cart, kind).stamp()).isEqualTo(stamp);
            assertThat(timeToLive(cart, kind)).isEqualTo(-1);
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void whatLooksBeforeItStores_isRefused(AggregateKind kind) {
            EncodedKey cart = member("cart");
            long stamp = create(cart, kind, HOUR);

            assertRefused(new Put(cart, envelope("one"), MINUTE, HOUR));
            assertRefused(new CompareAndSet(cart, Command.ABSENT, envelope("one"), MINUTE));
            assertRefused(new Command.Reserve(cart, Command.Reserve.ANY, stamp(), 60_000));

            assertThat(contents(cart, kind).stamp()).isEqualTo(stamp);
        }

        @ParameterizedTest
        @EnumSource(value = AggregateKind.class, mode = EnumSource.Mode.EXCLUDE, names = "COUNTER")
        void putThatKeepsTheExpiry_isRefused(AggregateKind kind) {
            EncodedKey cart = member("cart");
            long stamp = create(cart, kind, HOUR);
            Put put = new Put(cart, envelope("one"), Expiry.NEVER, Expiry.UNCHANGED);

            Reply<Boolean> unused = reply(put); // a server finds out at the first attempt that there is no string
            assertRefused(put);

            assertThat(contents(cart, kind).stamp()).isEqualTo(stamp);
        }

        private void assertRefused(Command<?> command) {
            assertThat(reply(command))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORBIDDEN));
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void putOfAGroup_replacesIt(AggregateKind kind) {
            EncodedKey cart = member("cart");
            create(cart, kind, HOUR);

            applied(new PutEntry(cart, envelope("one"), MINUTE, HOUR));

            assertReplaced(cart, kind);
        }

        private void assertReplaced(EncodedKey key, AggregateKind kind) {
            assertThat(text(get(key))).isEqualTo("one");
            assertExpiry(key, MINUTE);
            assertThat(group(new ReadAggregate(key, kind))).isEqualTo(new GroupReply.WrongType(key, "string"));
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void removal_leavesItAlone(AggregateKind kind) {
            List<EncodedKey> keys = List.of(member("a"), member("b"), member("c"));
            keys.forEach(key -> create(key, kind, HOUR));

            assertThat(done(new RemoveAll(List.of(keys.get(0))))).isZero();
            assertThat(done(new GetAndRemove(keys.get(1))).isFound()).isFalse();
            applied(new RemoveEntry(keys.get(2)));

            assertThat(keys).allSatisfy(key -> assertThat(contents(key, kind)).isNotEqualTo(NOTHING));
        }
    }

    @Nested
    class Stamps {
        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void everyChange_hasItsStamp(AggregateKind kind) {
            EncodedKey cart = member("cart");

            long first = create(cart, kind, Expiry.NEVER);
            assertThat(contents(cart, kind).stamp()).isEqualTo(first);
            long second = create(cart, kind, Expiry.NEVER);
            assertThat(contents(cart, kind).stamp()).isEqualTo(second).isNotEqualTo(first);
        }

        @Test
        void lastElementThatGoes_leavesNone() {
            EncodedKey cart = member("cart");
            create(cart, AggregateKind.HASH, MINUTE);

            applied(step(cart, HASH_REMOVE, "name"));

            assertThat(contents(cart, AggregateKind.HASH)).isEqualTo(NOTHING);
            assertThat(timeToLive(cart, AggregateKind.HASH)).isEqualTo(-2);
            create(cart, AggregateKind.LIST, Expiry.UNCHANGED);
            assertThat(timeToLive(cart, AggregateKind.LIST)).isEqualTo(-1);
        }

        @Test
        void whatChangesNoElement_leavesStampAndExpiry() {
            EncodedKey cart = member("cart");
            long stamp = create(cart, AggregateKind.HASH, MINUTE);

            applied(
                    step(cart, HOUR, HASH_GET, "name"),
                    step(cart, HOUR, HASH_SIZE),
                    step(cart, HOUR, HASH_REMOVE, "nothing"),
                    new TimeToLive(cart, AggregateKind.HASH));
            group(step(cart, HOUR, HASH_INCREMENT, "name", "1"));

            assertThat(contents(cart, AggregateKind.HASH).stamp()).isEqualTo(stamp);
            assertRemaining(cart, MINUTE);
            applied(new ExpireAggregate(cart, AggregateKind.HASH, HOUR));
            assertThat(contents(cart, AggregateKind.HASH).stamp()).isEqualTo(stamp);
        }

        @Test
        void aggregateThatGoesAndComesInOneCommand_isNew() {
            EncodedKey cart = member("cart");
            create(cart, AggregateKind.HASH, MINUTE);
            GroupCommand command = command(
                    List.of(), new DeleteAggregate(cart, AggregateKind.HASH), step(cart, HASH_PUT, "other", "1"));

            answers(done(command));

            assertThat(contents(cart, AggregateKind.HASH))
                    .isEqualTo(new Contents(command.stamp(), elements("other", "1")));
            assertThat(timeToLive(cart, AggregateKind.HASH)).isEqualTo(-1);
        }
    }

    @Nested
    class Expiring {
        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void change_letsTheWholeAggregateExpireAsSaid(AggregateKind kind) {
            EncodedKey cart = member("cart");

            create(cart, kind, Expiry.UNCHANGED);
            assertThat(timeToLive(cart, kind)).isEqualTo(-1);
            create(cart, kind, MINUTE);
            assertRemaining(cart, MINUTE);
            create(cart, kind, Expiry.UNCHANGED);
            assertRemaining(cart, MINUTE);
            assertThat(timeToLive(cart, kind)).isBetween(40_000L, 60_000L);
            create(cart, kind, Expiry.NEVER);
            assertThat(timeToLive(cart, kind)).isEqualTo(-1);
        }

        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void expiredAggregate_isNone(AggregateKind kind) {
            EncodedKey cart = member("cart");
            create(cart, kind, SOON);
            pass(A_MOMENT);

            assertThat(contents(cart, kind)).isEqualTo(NOTHING);
            assertThat(applied(
                            new TimeToLive(cart, kind),
                            new ExpireAggregate(cart, kind, HOUR),
                            new DeleteAggregate(cart, kind)))
                    .containsExactly(-2L, 0L, 0L);
            create(cart, kind, Expiry.UNCHANGED);
            assertThat(timeToLive(cart, kind)).isEqualTo(-1);
        }

        @Test
        void expiry_isChangedOnItsOwn() {
            EncodedKey cart = member("cart");
            create(cart, AggregateKind.SET, Expiry.NEVER);

            assertThat(applied(new ExpireAggregate(cart, AggregateKind.SET, MINUTE)))
                    .containsExactly(1L);
            assertRemaining(cart, MINUTE);
            applied(new ExpireAggregate(cart, AggregateKind.SET, Expiry.UNCHANGED));
            assertRemaining(cart, MINUTE);
            applied(new ExpireAggregate(cart, AggregateKind.SET, Expiry.NEVER));
            assertRemaining(cart, Expiry.NEVER);
        }

        @Test
        void aggregate_doesNotGoWithAnotherThatExpires() {
            EncodedKey first = member("first");
            EncodedKey second = member("second");
            EncodedKey third = member("third");
            create(first, AggregateKind.HASH, SOON);
            long lasting = create(second, AggregateKind.LIST, Expiry.UNCHANGED);
            long prolonged = create(third, AggregateKind.SET, SOON);
            create(first, AggregateKind.HASH, SOON);
            applied(new ExpireAggregate(third, AggregateKind.SET, Expiry.NEVER));

            pass(A_MOMENT);

            assertThat(contents(first, AggregateKind.HASH)).isEqualTo(NOTHING);
            assertThat(contents(second, AggregateKind.LIST).stamp()).isEqualTo(lasting);
            assertThat(contents(third, AggregateKind.SET).stamp()).isEqualTo(prolonged);
        }
    }

    @Nested
    class OtherEpoch {
        @ParameterizedTest
        @EnumSource(AggregateKind.class)
        void aggregate_countsAsNoneAndIsReplaced(AggregateKind kind) throws Exception {
            EncodedKey cart = member("cart");
            GroupCommand creation = command(List.of(), change(cart, kind, Expiry.NEVER));
            try (PartitionConnection before = connect()) {
                answers(answer(reply(before, creation)));
                answer(reply(before, new NewEpoch()));
            }

            try (PartitionConnection after = connect()) {
                GroupCommand reading = command(
                        List.of(new Expected(cart, kind, Command.ABSENT)),
                        new ReadAggregate(cart, kind),
                        new TimeToLive(cart, kind),
                        change(cart, kind, Expiry.UNCHANGED),
                        new TimeToLive(cart, kind));

                List<?> answers = answers(answer(reply(after, reading)));

                assertThat(answers.get(0)).isEqualTo(NOTHING);
                assertThat(answers.get(1)).isEqualTo(-2L);
                assertThat(answers.get(3)).isEqualTo(-1L);
            }
        }

        private PartitionConnection connect() throws Exception {
            return separateConnector().connect().get(10, TimeUnit.SECONDS);
        }
    }

    @Nested
    class Token {
        @Test
        void tokenOfNoLock_isLostAndNothingHappens() {
            EncodedKey cart = member("cart");

            assertThat(done(withToken(7, cart))).isEqualTo(new GroupReply.LockLost());

            assertThat(contents(cart, AggregateKind.HASH)).isEqualTo(NOTHING);
        }

        @Test
        void tokenOfTheLock_isHeld() {
            EncodedKey cart = member("cart");
            hold(connection().epoch(), 7);

            answers(done(withToken(7, cart)));
        }

        @Test
        void anotherTokenOrEpoch_isLost() {
            EncodedKey cart = member("cart");
            hold(connection().epoch(), 8);
            assertThat(done(withToken(7, cart))).isEqualTo(new GroupReply.LockLost());
            hold(connection().epoch() + 1, 7);
            assertThat(done(withToken(7, cart))).isEqualTo(new GroupReply.LockLost());
        }

        private void hold(int epoch, long token) {
            ByteBuffer bytes = ByteBuffer.allocate(12).putInt(epoch).putLong(token);
            storeRaw(home().lock(), bytes.array());
        }

        private GroupCommand withToken(long token, EncodedKey key) {
            GroupStep change = change(key, AggregateKind.HASH, Expiry.NEVER);
            return new GroupCommand(home(), token, List.of(), List.of(change), stamp());
        }
    }
}
