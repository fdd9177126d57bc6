// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a slot consists of is the same at another server: whatever commands of all kinds have stored, by chance, in many groups,
 * is exported from one and imported to the other, and reads the same there; brought back, it is the same to the last byte.
 *
 * <p>{@code -Dtests.transfer.groups} says how many groups there are, {@code -Dtests.transfer.seed} where they begin.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class SlotTransferIT {
    private static final int GROUPS = Integer.getInteger("tests.transfer.groups", 60);
    private static final long SEED = Long.getLong("tests.transfer.seed", 69);
    private static final int COMMANDS = 25;
    private static final long MINUTE = 60_000;
    private static final long CLOCK_TOLERANCE_MILLIS = 3_000;
    private static final Expiry LONG = Expiry.afterMillis(MINUTE);
    private static final String MOVE = "m-1";
    private static final long COORDINATOR = 3;
    private static final Guard IMPORTING = new Guard(SlotFence.State.IMPORTING, MOVE, COORDINATOR);

    private final LocalServers servers = TestServers.none();
    private final LocalServer first = servers.start("--enable-debug-command", "yes");
    private final LocalServer second = servers.start("--enable-debug-command", "yes");
    private final RedisFixture fixture = new RedisFixture();
    private final List<GroupHome> homes = new ArrayList<>();
    private final Set<EncodedKey> entries = new HashSet<>();
    private final Map<GroupHome, Long> tokens = new HashMap<>();
    private RedisConnection source;
    private RedisConnection target;
    private ServerDialogue sourceAdmin;
    private ServerDialogue targetAdmin;

    @BeforeEach
    void connect() throws Exception {
        PartitionIdentity shared = new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "", true, Adoption.UNUSED);
        source = RedisFixture.connect(fixture.connector(first.uri(), shared, RedisFixture.PATIENT));
        target = fixture.connect(second.uri());
        sourceAdmin = ServerDialogue.with(first);
        targetAdmin = ServerDialogue.with(second);
    }

    @AfterEach
    void close() throws Exception {
        sourceAdmin.close();
        targetAdmin.close();
        fixture.close();
        servers.close();
    }

    private static void fence(ServerDialogue admin, char state) throws IOException {
        for (List<Integer> slots :
                Slices.of(IntStream.range(0, HashSlot.COUNT).boxed().toList(), 1_000)) {
            List<String> words =
                    new ArrayList<>(List.of("HSET", "keyslot:fence:", "coordinator " + MOVE, "" + COORDINATOR));
            slots.forEach(slot -> words.addAll(List.of(slot.toString(), state + " " + MOVE + " 2 0")));
            admin.ask(words.toArray(String[]::new));
        }
    }

    private void store(GroupHome home, AggregateOperation operation, EncodedKey key, Element... arguments)
            throws Exception {
        GroupStep step = new GroupStep.Apply(key, operation, List.of(arguments), Expiry.UNCHANGED);
        done(source, new GroupCommand(home, 0, List.of(), List.of(step), 77));
    }

    private void storeEverything() throws Exception {
        for (int group = 0; group < GROUPS; group++) {
            GeneratedCommands commands = new GeneratedCommands(SEED + group, "customer:" + group, MINUTE);
            homes.add(commands.home());
            entries.addAll(commands.entries());
            for (int i = 0; i < COMMANDS; i++) {
                Reply<?> unused = RedisFixture.reply(source, commands.next());
            }
            if (group % 2 == 0) {
                tokens.put(commands.home(), done(source, new LockCommand.Lock(commands.home(), group + 1, LONG)));
            }
            if (group % 4 == 0) {
                done(source, new LockCommand.Unlock(commands.home(), group + 1));
            }
        }
        long stamp = 1L << 60;
        for (int i = 0; i < 300; i++) {
            EncodedKey key = EncodedKey.of("country:" + i);
            entries.add(key);
            Envelope envelope = i % 3 == 0
                    ? Envelope.negative(++stamp)
                    : i % 3 == 1 ? Envelope.timed(++stamp, 1 + i, new byte[i]) : Envelope.of(++stamp, new byte[i]);
            Expiry expiry = i % 2 == 0 ? Expiry.NEVER : Expiry.afterMillis(MINUTE + i);
            done(source, new Command.Put(key, envelope, expiry, expiry));
        }
        done(
                source,
                new Command.Put(EncodedKey.of("country:1").copy(0), Envelope.of(++stamp, new byte[9]), LONG, LONG));
        storeLargeAggregates();
        GroupHome queue = new GroupHome("keyslot:mail:1");
        homes.add(queue);
        EncodedKey dictionary = GroupHome.ofOurs("", "customer").dictionary(":01234567");
        done(source, new Command.Put(dictionary, Envelope.of(++stamp, new byte[99]), Expiry.NEVER, Expiry.NEVER));
        done(source, new QueueCommand.Send(queue, Element.of("message"), "session", "id", 100, MINUTE));
    }

    /** Each is more than one piece. */
    private void storeLargeAggregates() throws Exception {
        GroupHome home = new GroupHome("large:1");
        homes.add(home);
        for (int i = 0; i < 4; i++) {
            Element many = Element.of(new byte[600_000 + i]);
            store(home, AggregateOperation.HASH_PUT, EncodedKey.of("h:{large:1}"), Element.of(i), many);
            store(home, AggregateOperation.LIST_ADD_LAST, EncodedKey.of("l:{large:1}"), many);
            store(home, AggregateOperation.SET_ADD, EncodedKey.of("s:{large:1}"), many);
            store(home, AggregateOperation.SORTED_ADD, EncodedKey.of("z:{large:1}"), Element.of(i), many);
        }
        for (int from = 0; from < 3_000; from += 500) {
            Element[] names = IntStream.range(from, from + 500)
                    .mapToObj(i -> Element.of("element-" + i))
                    .toArray(Element[]::new);
            store(home, AggregateOperation.SET_ADD, EncodedKey.of("many:{large:1}"), names);
        }
    }

    private static List<EncodedKey> keysOf(RedisConnection connection) throws Exception {
        Set<EncodedKey> keys = new HashSet<>();
        String cursor = ScanPage.START;
        do {
            ScanPage page = done(connection, new SlotTransfer.Keys(cursor, key -> true, 500));
            keys.addAll(page.keys());
            cursor = page.next();
        } while (!cursor.equals(ScanPage.START));
        return List.copyOf(keys);
    }

    /** Copies everything, and returns the forms of what there was. */
    private static Set<Piece.Form> copy(RedisConnection from, RedisConnection to) throws Exception {
        Set<Piece.Form> forms = EnumSet.noneOf(Piece.Form.class);
        for (List<EncodedKey> keys : Slices.of(keysOf(from), SlotTransfer.MOST_KEYS)) {
            List<EncodedKey> left = keys;
            while (!left.isEmpty()) {
                List<Piece> pieces = done(from, new SlotTransfer.Export(left));
                left = left.subList(pieces.size(), left.size());
                assertThat(done(to, new SlotTransfer.Import(IMPORTING, pieces))).isTrue();
                for (Piece first : pieces) {
                    forms.add(first.form());
                    for (Piece piece = first; !piece.isLast(); ) {
                        piece = done(from, new SlotTransfer.ExportRest(piece.key(), piece.form(), piece.next()));
                        assertThat(piece.sizeBytes()).isLessThan(20L * SlotTransfer.MOST_BYTES);
                        assertThat(done(to, new SlotTransfer.Import(IMPORTING, List.of(piece))))
                                .isTrue();
                    }
                }
            }
        }
        return forms;
    }

    /** Returns what readers find. */
    private Map<String, String> found(RedisConnection connection) throws Exception {
        Map<String, String> all = new LinkedHashMap<>();
        for (EncodedKey key : entries) {
            Description description = done(connection, new Command.Describe(key));
            all.put(key.text(), said(description.lookup()) + lasting(description.expiresInMillis()));
        }
        for (GroupHome home : homes) {
            GroupListing.Span whole = new GroupListing.Span(Element.of(""), Element.of("\u007f"), 100, false);
            all.put(home.tag() + " names", texts(done(connection, new GroupListing.Names(home, whole))));
            all.put(
                    home.tag() + " aggregates",
                    done(connection, new GroupListing.Aggregates(home)).stream()
                            .map(each -> each.key().text() + each.kind() + lasting(each.expiresInMillis()))
                            .sorted()
                            .toList()
                            .toString());
        }
        return all;
    }

    private static String texts(List<Element> elements) {
        return elements.stream().map(Element::text).toList().toString();
    }

    /** Half minutes: what is read later has a little less. */
    private static String lasting(long millis) {
        return millis < 0 ? " for ever" : " for " + Math.round(millis / 30_000.0);
    }

    private static String said(Lookup lookup) {
        Envelope envelope = lookup.envelope();
        return envelope == null
                ? lookup.outcome() + " " + lookup.leaseStamp()
                : "%d %d %d %b"
                        .formatted(
                                envelope.stamp(),
                                envelope.freshUntilMillis(),
                                envelope.payload().hashCode(),
                                envelope.isReserved());
    }

    @Test
    void everything_isTheSameElsewhere_andComesBack() throws Exception {
        storeEverything();
        StoredState before = slots(StoredState.of(sourceAdmin));
        Map<String, String> read = found(source);
        assertEveryKindIsThere(read);
        fence(targetAdmin, 'I');

        Set<Piece.Form> forms = copy(source, target);

        assertThat(forms)
                .contains(Piece.Form.STRING, Piece.Form.HASH, Piece.Form.LIST, Piece.Form.SET, Piece.Form.SORTED_SET);
        assertThat(found(target)).isEqualTo(read);
        assertThat(StoredState.of(targetAdmin).keys().keySet())
                .containsAll(before.keys().keySet());

        fence(sourceAdmin, 'I');
        for (List<EncodedKey> keys : Slices.of(keysOf(source), SlotTransfer.MOST_KEYS)) {
            assertThat(done(source, new SlotTransfer.Purge(IMPORTING, keys))).isTrue();
        }
        assertThat(keysOf(source)).isEmpty();
        copy(target, source);

        StoredState after = slots(StoredState.of(sourceAdmin));
        assertThat(after.keys().keySet()).isEqualTo(before.keys().keySet());
        after.keys().forEach((key, stored) -> {
            StoredState.Stored was = Objects.requireNonNull(before.keys().get(key));
            assertThat(stored.digest()).as(key).isEqualTo(was.digest());
            assertThat(Math.abs(stored.expiresAt() - was.expiresAt())).as(key).isLessThan(CLOCK_TOLERANCE_MILLIS);
        });
        assertThat(found(source)).isEqualTo(read);
    }

    /** Without what is in no slot, and copies of entries, which stay. */
    private static StoredState slots(StoredState all) {
        Map<String, StoredState.Stored> kept = new HashMap<>(all.keys());
        kept.keySet()
                .removeIf(key -> key.equals("keyslot:meta")
                        || key.startsWith("keyslot:fence:")
                        || key.startsWith("keyslot:gutter:"));
        return new StoredState(kept);
    }

    /** A kind that is stored one day, and is not made here, makes this fail. */
    private void assertEveryKindIsThere(Map<String, String> read) throws Exception {
        Set<String> outcomes = new HashSet<>();
        for (EncodedKey key : entries) {
            outcomes.add(done(source, new Command.Get(key)).outcome().name());
        }
        assertThat(outcomes)
                .containsAll(Stream.of(Lookup.Outcome.values())
                        .filter(outcome -> !outcome.isUnreadable())
                        .filter(outcome ->
                                outcome != Lookup.Outcome.OUTDATED && outcome != Lookup.Outcome.BEING_DELETED)
                        .map(Enum::name)
                        .toList());
        assertThat(Stream.of(AggregateKind.values()).map(Enum::name))
                .allMatch(kind -> read.values().stream().anyMatch(said -> said.contains(kind)));
        Set<String> keys = StoredState.of(sourceAdmin).keys().keySet();
        for (Method method : GroupHome.class.getMethods()) {
            if (method.getReturnType() == EncodedKey.class
                    && method.getParameterCount() == 0
                    && !method.getName().equals("nothing")) {
                Set<String> ofHomes = new HashSet<>();
                for (GroupHome home : homes) {
                    ofHomes.add(((EncodedKey) method.invoke(home)).text());
                }
                assertThat(keys).as(method.getName()).containsAnyElementsOf(ofHomes);
            }
        }
    }

    /** Nobody says of a key whether its cache is raw: the bytes do. */
    @Test
    void rawValues_areCopiedAsTheyAre_whateverTheyBeginWith() throws Exception {
        Random random = new Random(SEED);
        Map<EncodedKey, byte[]> values = new LinkedHashMap<>();
        for (int i = 0; i < 500; i++) {
            EncodedKey key = EncodedKey.of("price:" + i).raw();
            byte[] value = new byte[random.nextInt(64)];
            random.nextBytes(value);
            if (i % 3 == 0) { // the header of another key, of this epoch
                value = Envelope.of(i + 1, value).toBytes(EncodedKey.of("price:x" + i), source.epoch());
            }
            values.put(key, value);
            Expiry expiry = i % 2 == 0 ? Expiry.NEVER : LONG;
            done(source, new Command.Put(key, Envelope.bare(value, true), expiry, expiry));
        }
        fence(targetAdmin, 'I');

        copy(source, target);

        for (Map.Entry<EncodedKey, byte[]> entry : values.entrySet()) {
            Description there = done(target, new Command.Describe(entry.getKey()));
            assertThat(Objects.requireNonNull(there.lookup().envelope()).payload())
                    .isEqualTo(ByteBuffer.wrap(entry.getValue()));
            Description here = done(source, new Command.Describe(entry.getKey()));
            assertThat(lasting(there.expiresInMillis())).isEqualTo(lasting(here.expiresInMillis()));
        }
    }

    @Test
    void tokensOfLocks_neverGoDown() throws Exception {
        storeEverything();
        fence(targetAdmin, 'I');

        copy(source, target);

        for (Map.Entry<GroupHome, Long> lock : tokens.entrySet()) {
            GroupHome home = lock.getKey();
            long group = Long.parseLong(home.tag().split(":", 2)[1]);
            boolean isHeld = group % 4 != 0;
            assertThat(done(target, new LockCommand.RenewLock(home, lock.getValue(), LONG)))
                    .isEqualTo(isHeld);
            long next = done(target, new LockCommand.Lock(home, 999_999, LONG));
            assertThat(next)
                    .satisfiesAnyOf(
                            token -> assertThat(isHeld && token == 0).isTrue(),
                            token -> assertThat(token).isGreaterThan(lock.getValue()));
        }
    }

    @Test
    void whatWasLost_isNotRevived() throws Exception {
        EncodedKey key = EncodedKey.of("customer:1");
        byte[] old = Envelope.of(5, new byte[9]).toBytes(key, source.epoch() + 1);
        sourceAdmin.ask(List.of(RedisFixture.bytes("SET"), key.bytes(), old));
        byte[] lock =
                ByteBuffer.allocate(12).putInt(source.epoch() + 1).putLong(7).array();
        EncodedKey ofLock = new GroupHome("customer:1").lock();
        sourceAdmin.ask(List.of(RedisFixture.bytes("SET"), ofLock.bytes(), lock));
        GroupHome home = new GroupHome("customer:2");
        EncodedKey cart = EncodedKey.of("cart:{customer:2}");
        sourceAdmin.ask(List.of(RedisFixture.bytes("HSET"), cart.bytes(), new byte[] {1}, new byte[] {2}));
        byte[] stampOfOld =
                ByteBuffer.allocate(12).putInt(source.epoch() + 1).putLong(7).array();
        sourceAdmin.ask(List.of(
                RedisFixture.bytes("HSET"),
                home.stamps().bytes(),
                home.nameOf(cart).bytes(),
                stampOfOld));
        fence(targetAdmin, 'I');
        done(target, RedisFixture.put("customer:1", "of another time"));

        copy(source, target);

        assertThat(done(target, new Command.Get(key)).outcome()).isEqualTo(Lookup.Outcome.ABSENT);
        assertThat(done(target, new GroupListing.Aggregates(home))).isEmpty();
        assertThat(keysOf(target)).containsOnly(cart); // which nobody takes for an aggregate, without its stamp
    }

    @Test
    void keysOfOthers_areNotListed() throws Exception {
        done(source, RedisFixture.put("customer:1", "ours"));
        done(source, RedisFixture.put("shop/customer:1", "of another namespace"));
        done(source, RedisFixture.put("url:http://a/b:1", "no namespace"));
        fence(sourceAdmin, 'M');
        sourceAdmin.ask("SADD", "keyslot:dirty::1", "");
        sourceAdmin.ask("HSET", "keyslot:map:", "a", "b");

        assertThat(keysOf(source)).extracting(EncodedKey::text).containsOnly("customer:1", "url:http://a/b:1");
        PartitionIdentity shop =
                new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "shop", true, Adoption.UNUSED);
        RedisConnection ofShop = RedisFixture.connect(fixture.connector(first.uri(), shop, RedisFixture.PATIENT));
        assertThat(keysOf(ofShop)).extracting(EncodedKey::text).containsOnly("shop/customer:1");
    }

    @Test
    void nothingIsChanged_ofSlotsThatAreFencedOtherwise() throws Exception {
        Command.Put put = RedisFixture.put("customer:1", "value");
        done(source, put);
        EncodedKey key = put.key();
        List<Piece> pieces = done(source, new SlotTransfer.Export(List.of(key)));

        for (char state : List.of('O', 'M', 'F', 'X')) {
            fence(targetAdmin, state);
            assertThat(done(target, new SlotTransfer.Import(IMPORTING, pieces))).isFalse();
        }
        fence(targetAdmin, 'I');
        assertThat(done(target, new SlotTransfer.Import(guard("other", COORDINATOR), pieces)))
                .isFalse();
        assertThat(done(target, new SlotTransfer.Import(guard(MOVE, COORDINATOR - 1), pieces)))
                .isFalse();
        assertThat(keysOf(target)).isEmpty();
        assertThat(done(target, new SlotTransfer.Import(IMPORTING, pieces))).isTrue();
        assertThat(done(target, new SlotTransfer.Purge(guard(MOVE, COORDINATOR - 1), List.of(key))))
                .isFalse();
        assertThat(keysOf(target)).containsOnly(key);
        assertThat(done(target, new SlotTransfer.Purge(IMPORTING, List.of(key))))
                .isTrue();
        assertThat(keysOf(target)).isEmpty();
    }

    private static Guard guard(String move, long coordinator) {
        return new Guard(SlotFence.State.IMPORTING, move, coordinator);
    }

    @Test
    void whatWasWritten_isReadAndForgotten() throws Exception {
        Guard moving = new Guard(SlotFence.State.MOVING, MOVE, COORDINATOR);
        fence(sourceAdmin, 'M');
        sourceAdmin.ask("SADD", "keyslot:dirty::5", "", "a", "b", "c");
        sourceAdmin.ask("SADD", "keyslot:dirty::6", "");
        sourceAdmin.ask("SADD", "keyslot:dirty::7", "a");

        List<SlotTransfer.Dirty> dirty = done(source, new SlotTransfer.ReadDirty(moving, List.of(5, 6, 7), 2));

        assertThat(dirty).extracting(SlotTransfer.Dirty::slot).containsExactly(5, 7);
        assertThat(dirty.get(0).keys()).hasSize(2);
        assertThat(dirty.get(0).isKnown()).isTrue();
        assertThat(dirty.get(1).isKnown()).isFalse(); // the empty member was evicted
        assertThat(done(
                        source,
                        new SlotTransfer.ForgetDirty(moving, 5, dirty.get(0).keys())))
                .isTrue();
        List<SlotTransfer.Dirty> left = done(source, new SlotTransfer.ReadDirty(moving, List.of(5, 6), 10));
        assertThat(left).hasSize(1);
        assertThat(left.get(0).keys()).hasSize(1);
        Guard frozen = new Guard(SlotFence.State.FROZEN, MOVE, COORDINATOR);
        assertThat(done(
                        source,
                        new SlotTransfer.ForgetDirty(frozen, 5, left.get(0).keys())))
                .isFalse();
    }

    @Test
    void fullServer_refusesAnImport_andHasChangedNothing() throws Exception {
        Command.Put put = RedisFixture.put("customer:1", "value");
        done(source, put);
        List<Piece> pieces = done(source, new SlotTransfer.Export(List.of(put.key())));
        fence(targetAdmin, 'I');
        targetAdmin.ask("CONFIG", "SET", "maxmemory", "1");

        Reply<Boolean> reply = RedisFixture.reply(target, new SlotTransfer.Import(IMPORTING, pieces));

        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_WRITABLE));
        assertThat(keysOf(target)).isEmpty();
    }
}
