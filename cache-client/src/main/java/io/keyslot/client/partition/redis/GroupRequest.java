// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.GroupStep.PutEntry;
import io.keyslot.client.partition.redis.NativeOperation.NativeCommand;
import io.keyslot.client.partition.redis.Script.Use;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Slices;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A group command, encoded for {@code group.lua}, which documents the keys and arguments, and the decoding of its answers. */
final class GroupRequest {
    /** A change of an aggregate takes several commands. */
    private static final int SEVERAL = 2;

    /** The words of a feed before those of its changes. */
    private static final int FEED_WORDS = 6;

    private static final Set<String> TO_PUT = Set.of("MSET", "SET", "PTTL", "GETRANGE");
    private static final Set<String> TO_READ = Set.of("GET");
    private static final Set<String> TO_CHANGE_AGGREGATES =
            Set.of("UNLINK", "EXISTS", "HLEN", "HSET", "HDEL", "PTTL", "PERSIST", "PEXPIRE", "HRANDFIELD");

    /** The maximal number of keys of one {@code EXISTS}; Lua's {@code unpack} fails at 8,000. */
    private static final int MAX_CHECKED = 1_000;

    private final GroupCommand command;
    private final RedisSession session;
    private final List<EncodedKey> stepKeys = new ArrayList<>();
    private final List<byte[]> stepWords = new ArrayList<>();
    private final Set<String> commands = new TreeSet<>();
    private final List<StepAnswer> readers = new ArrayList<>();
    private final CheckedEntries checked;
    private PutBatch puts = new PutBatch();
    private int changes;
    private boolean reads;
    private boolean takesMemory;
    private boolean listsEntries;

    /** The changes by the feeds to which they are appended. */
    private final Map<Feed, List<FedChange>> fed = new LinkedHashMap<>();

    /** Whether an entry is put or removed that is indexed; then the index follows all other keys. */
    private final boolean areIndexed;

    private final List<EncodedKey> keys = new ArrayList<>();
    private final List<byte[]> arguments = new ArrayList<>();

    GroupRequest(GroupCommand command, RedisSession session) {
        this.command = command;
        this.session = session;
        this.checked = CheckedEntries.of(command);
        this.areIndexed = command.steps().stream()
                .filter(step -> step instanceof GroupStep.PutEntry || step instanceof GroupStep.RemoveEntry)
                .anyMatch(step -> step.key().isIndexed());
        command.steps().forEach(this::add);
        writePuts();
        if (!fed.isEmpty()) {
            changes++;
            takesMemory = true;
            commands.addAll(Set.of("XADD", "GETRANGE"));
        }
        keys.addAll(List.of(
                command.home().stamps(), command.home().lock(), command.home().nothing()));
        if (session.isGuarded()) {
            add("guarded");
        }
        if (command.fencingToken() != 0) {
            add("token", session.lockBytes(command.fencingToken()));
        }
        addAggregates();
        addEntries("present", checked.present());
        addEntries("absent", checked.allAbsent());
        addEntries("present", checked.presentPuts());
        addPrecautions();
        keys.addAll(stepKeys);
        if (session.isGuarded()) {
            addPlacesOfPuts();
        }
        addFeeds();
        arguments.addAll(stepWords);
        if (areIndexed) {
            keys.add(command.home().index());
        }
    }

    ScriptCall call() {
        Use use = command.isRepeatable() ? Use.READS : takesMemory ? Use.STORES : Use.FREES;
        return new ScriptCall(Script.GROUP.withEffects(areIndexed, !fed.isEmpty()), use, keys, arguments);
    }

    GroupReply read(List<? extends @Nullable Object> answer) {
        int outcome = (int) Resp.number(answer.get(0));
        return switch (outcome) {
            case 0 -> new GroupReply.Applied(readSteps(answer.subList(1, answer.size())));
            case 1 -> new GroupReply.Conflict(key(answer));
            case 2 -> new GroupReply.WrongType(key(answer), detail(answer));
            case 3 -> new GroupReply.Impossible(key(answer), detail(answer));
            case 4 -> new GroupReply.LockLost();
            default -> throw new IllegalStateException("group.lua answers 0 to 4");
        };
    }

    private EncodedKey key(List<? extends @Nullable Object> answer) {
        return keys.get((int) Resp.number(answer.get(1)) - 1);
    }

    private static String detail(List<? extends @Nullable Object> answer) {
        return Resp.element(answer.get(2)).text();
    }

    /** Not needed if a put is the only step, or the first write without a check of rights: the server refuses that. */
    private boolean asksForMemory() {
        return takesMemory && (areSeveral() || !isFirstWritePut());
    }

    private boolean isFirstWritePut() {
        return command.steps().stream()
                .filter(GroupStep::isWrite)
                .findFirst()
                .map(GroupStep.PutEntry.class::isInstance)
                .orElse(false);
    }

    private void addEntries(String word, List<Expected> entries) {
        for (List<Expected> some : Slices.of(entries, MAX_CHECKED)) {
            add(word, Resp.word(some.size()));
            for (Expected expected : some) {
                keys.add(expected.key());
                arguments.add(session.header(expected.key(), expected.stamp()));
            }
        }
    }

    private void addAggregates() {
        Map<EncodedKey, byte[]> expectedStamps = new LinkedHashMap<>();
        Map<EncodedKey, AggregateKind> kinds = new HashMap<>();
        for (Expected expected : command.expectations()) {
            if (expected.kind() != null) {
                kinds.put(expected.key(), expected.kind());
                expectedStamps.put(expected.key(), Resp.binary(expected.stamp()));
            }
        }
        for (GroupStep step : command.steps()) {
            if (step.kind() != null) {
                kinds.putIfAbsent(step.key(), step.kind());
                expectedStamps.putIfAbsent(step.key(), new byte[0]);
            }
        }
        if (!kinds.isEmpty()) {
            add("use", session.epochBytes(), Resp.binary(command.stamp()), Resp.word(kinds.size()));
            expectedStamps.forEach((key, stamp) -> addAggregate(key, Objects.requireNonNull(kinds.get(key)), stamp));
        }
    }

    private void addAggregate(EncodedKey key, AggregateKind kind, byte[] expectedStamp) {
        keys.add(key);
        arguments.add(session.header(key, Command.ABSENT));
        arguments.add(command.home().nameOf(key).bytes());
        arguments.add(Resp.word(kind.typeName()));
        arguments.add(expectedStamp);
    }

    /** With several steps, no command may be refused after the first change. */
    private void addPrecautions() {
        if (asksForMemory()) {
            add("reserve");
        }
        if (areSeveral()) {
            add("allow", Resp.word(commands.size()));
            commands.forEach(this::add);
            if (listsEntries) {
                add("indexed");
            }
        }
    }

    /** Where foreign keys are possible, they must be detected before the first change. */
    private void addPlacesOfPuts() {
        Map<EncodedKey, Integer> places = places();
        List<EncodedKey> puts = command.steps().stream()
                .filter(step -> step instanceof GroupStep.PutEntry)
                .map(GroupStep::key)
                .distinct()
                .toList();
        if (!puts.isEmpty()) {
            add("free", Resp.word(puts.size()));
            for (EncodedKey key : puts) {
                arguments.add(Resp.word(Objects.requireNonNull(places.get(key))));
                arguments.add(session.header(key));
            }
        }
    }

    private Map<EncodedKey, Integer> places() {
        Map<EncodedKey, Integer> places = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            places.put(keys.get(i), i + 1);
        }
        return places;
    }

    /** A change for a feed. The value of a put is the place of its bytes in {@code stepWords}, otherwise there is none. */
    private record FedChange(FeedCommand.Kind kind, EncodedKey key, int place) {
        static final int WORDS = 3;

        boolean isOfGroup() {
            return kind == FeedCommand.Kind.GROUP;
        }
    }

    private void append(FeedCommand.Kind kind, EncodedKey key, int place) {
        if (key.feed() != null) {
            fed.computeIfAbsent(key.feed(), feed -> new ArrayList<>()).add(new FedChange(kind, key, place));
        }
    }

    /** Appends the changes to their feeds, before all others, so that a refusal precedes them. */
    private void addFeeds() {
        if (fed.isEmpty()) {
            return;
        }
        Map<EncodedKey, Integer> places = places();
        int behind = arguments.size() + 1;
        for (List<FedChange> some : fed.values()) {
            behind += FEED_WORDS + FedChange.WORDS * some.size();
        }
        int first = behind;
        fed.forEach((feed, some) -> {
            add("feed");
            arguments.addAll(session.feedWords(feed));
            arguments.add(Resp.word(some.size()));
            for (FedChange change : some) {
                arguments.add(Resp.word(change.kind().letter()));
                arguments.add(Resp.word(
                        change.isOfGroup() ? command.home().tag() : Objects.requireNonNull(places.get(change.key()))));
                arguments.add(
                        change.kind() == FeedCommand.Kind.PUT
                                ? Resp.word(first + change.place())
                                : Resp.binary(command.stamp()));
            }
        });
    }

    private void add(String word, byte[]... others) {
        arguments.add(Resp.word(word));
        arguments.addAll(List.of(others));
    }

    /** Returns whether the server might refuse a command after the first change. */
    private boolean areSeveral() {
        return changes > 1 || (changes == 1 && reads);
    }

    private List<@Nullable Object> readSteps(List<? extends @Nullable Object> answers) {
        Iterator<? extends @Nullable Object> next = answers.iterator();
        List<@Nullable Object> read = new ArrayList<>(readers.size());
        readers.forEach(reader -> read.add(reader.read(next)));
        return read;
    }

    private void add(GroupStep step) {
        if (step instanceof GroupStep.PutEntry put) {
            put(put);
            return;
        }
        writePuts();
        if (step instanceof GroupStep.ReadEntry) {
            instruct(step.key(), "get");
            commands.addAll(TO_READ);
            reads = true;
            readers.add(answers -> session.readAnswer(step.key(), answers.next()));
        } else if (step instanceof GroupStep.RemoveEntry) {
            instruct(step.key(), "remove");
            stepWords.add(session.header(step.key()));
            stepWords.add(step.key().isIndexed() ? nameOf(step.key()) : new byte[0]);
            commands.add("UNLINK");
            changes++;
            append(FeedCommand.Kind.REMOVE, step.key(), 0);
            readers.add(answers -> {
                answers.next();
                return null;
            });
        } else {
            addOnAggregate(step);
        }
    }

    private void addOnAggregate(GroupStep step) {
        reads |= !step.isWrite();
        if (step.isWrite()) {
            commands.addAll(TO_CHANGE_AGGREGATES);
            changes += SEVERAL;
            Feed feed = step.key().feed();
            if (feed != null && fed.getOrDefault(feed, List.of()).stream().noneMatch(FedChange::isOfGroup)) {
                append(FeedCommand.Kind.GROUP, step.key(), 0);
            }
        }
        if (step instanceof GroupStep.ReadAggregate read) {
            readAll(read);
        } else if (step instanceof GroupStep.Apply apply) {
            apply(apply);
        } else {
            String word = step instanceof GroupStep.DeleteAggregate
                    ? "delete"
                    : step instanceof GroupStep.ExpireAggregate ? "expire" : "ttl";
            instruct(step.key(), word);
            if (step instanceof GroupStep.ExpireAggregate expire) {
                stepWords.add(Resp.word(expire.expiry()));
            }
            readers.add(answers -> Resp.number(answers.next()));
        }
    }

    private void put(GroupStep.PutEntry put) {
        if (!puts.accepts(put)) {
            writePuts();
        }
        puts.add(put);
        readers.add(answers -> null);
    }

    private void writePuts() {
        if (puts.isEmpty()) {
            return;
        }
        CheckedEntries before = stepWords.isEmpty() ? checked : CheckedEntries.NONE;
        List<EncodedKey> all = puts.keys(before);
        stepKeys.addAll(all.subList(before.putFirst().size(), all.size()));
        for (int i = 0; i < all.size(); i++) {
            append(FeedCommand.Kind.PUT, puts.keyOf(all.get(i)), stepWords.size() + PutBatch.WORDS_BEFORE + i);
        }
        stepWords.addAll(puts.words(session, before));
        commands.addAll(TO_PUT);
        listsEntries |= puts.areIndexed();
        changes++;
        takesMemory = true;
        puts = new PutBatch();
    }

    private void readAll(GroupStep.ReadAggregate read) {
        instruct(read.key(), "stamp");
        AggregateOperation all = switch (read.kind()) {
            case HASH -> AggregateOperation.HASH_GET_ALL;
            case LIST -> AggregateOperation.LIST_RANGE;
            case SET -> AggregateOperation.SET_GET_ALL;
            case SORTED_SET -> AggregateOperation.SORTED_BY_RANK;
            case COUNTER -> AggregateOperation.COUNTER_GET;
        };
        boolean isByIndex = read.kind() == AggregateKind.LIST || read.kind() == AggregateKind.SORTED_SET;
        List<Element> range = isByIndex ? List.of(Element.of(0), Element.of(-1)) : List.of();
        NativeCommand command = NativeOperation.of(all).commands().get(0);
        execute(read.key(), command, command.argumentLists(range).get(0), Expiry.UNCHANGED);
        readers.add(answers -> contents(answers.next(), answers.next()));
    }

    private void apply(GroupStep.Apply apply) {
        NativeOperation operation = NativeOperation.of(apply.operation());
        int count = 0;
        for (NativeCommand command : operation.commands()) {
            for (List<Element> arguments : command.argumentLists(apply.arguments())) {
                execute(apply.key(), command, arguments, apply.expiry());
                count++;
            }
        }
        int answersToRead = count;
        readers.add(answers -> operation.answer().apply(next(answers, answersToRead)));
    }

    private void execute(EncodedKey key, NativeCommand command, List<Element> arguments, Expiry expiry) {
        instruct(key, command.how().name().toLowerCase(Locale.ROOT));
        if (command.how() != NativeOperation.How.ASK) {
            stepWords.add(Resp.word(expiry));
        }
        stepWords.add(Resp.word(command.name()));
        stepWords.add(Resp.word(arguments.size()));
        arguments.forEach(argument -> stepWords.add(argument.bytes()));
        commands.add(command.name());
        takesMemory |= command.takesMemory();
    }

    private void instruct(EncodedKey key, String word) {
        stepKeys.add(key);
        stepWords.add(Resp.word(word));
    }

    private static byte[] nameOf(EncodedKey key) {
        return GroupHome.of(key).nameOf(key).bytes();
    }

    private static List<@Nullable Object> next(Iterator<? extends @Nullable Object> answers, int count) {
        List<@Nullable Object> next = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            next.add(answers.next());
        }
        return next;
    }

    private static GroupStep.Contents contents(@Nullable Object stamp, @Nullable Object content) {
        List<Element> elements = new ArrayList<>();
        if (content instanceof List<?> list) {
            list.forEach(element -> elements.add(Resp.element(element)));
        } else if (content != null) {
            elements.add(Resp.element(content));
        }
        return new GroupStep.Contents(ByteBuffer.wrap(Resp.bytes(stamp)).getLong(), elements);
    }

    /**
     * The expected entries of a group command, in the order in which {@code group.lua} checks them. Entries that the first
     * instruction puts are checked last: their keys are sent once, and the put knows what they hold. Free of I/O.
     *
     * @param present must exist, and are not put first
     * @param absent must not exist, and are not put first
     * @param absentPuts must not exist, and are put first
     * @param presentPuts must exist, and are put first
     */
    record CheckedEntries(
            List<Expected> present, List<Expected> absent, List<Expected> absentPuts, List<Expected> presentPuts) {
        static final CheckedEntries NONE = new CheckedEntries(List.of(), List.of(), List.of(), List.of());

        static CheckedEntries of(GroupCommand command) {
            List<Expected> entries = command.expectations().stream()
                    .filter(expected -> expected.kind() == null)
                    .toList();
            PutBatch first = leading(command.steps());
            Predicate<Expected> isPut = expected -> first.puts(expected.key());
            Predicate<Expected> isAbsent = expected -> expected.stamp() == Command.ABSENT;
            return new CheckedEntries(
                    those(entries, isAbsent.or(isPut).negate()),
                    those(entries, isAbsent.and(isPut.negate())),
                    those(entries, isAbsent.and(isPut)),
                    those(entries, isPut.and(isAbsent.negate())));
        }

        private static PutBatch leading(List<GroupStep> steps) {
            PutBatch puts = new PutBatch();
            for (GroupStep step : steps) {
                if (!(step instanceof GroupStep.PutEntry put) || !puts.accepts(put)) {
                    break;
                }
                puts.add(put);
            }
            return puts;
        }

        private static List<Expected> those(List<Expected> entries, Predicate<Expected> are) {
            return entries.stream().filter(are).toList();
        }

        List<Expected> allAbsent() {
            return Stream.concat(absent.stream(), absentPuts.stream()).toList();
        }

        /** Returns the keys that the first instruction contains already, in their order. */
        List<EncodedKey> putFirst() {
            return Stream.concat(absentPuts.stream(), presentPuts.stream())
                    .map(Expected::key)
                    .toList();
        }
    }

    @FunctionalInterface
    private interface StepAnswer {
        @Nullable
        Object read(Iterator<? extends @Nullable Object> answers);
    }

    /** The puts of one instruction of {@code group.lua}: different keys with equal expiry, all indexed or none. */
    static final class PutBatch {
        /** One {@code MSET} has a key and an entry for each, and Lua's {@code unpack} fails at 8,000. */
        static final int MAX_PUTS = 1_000;

        /** The words before those of the entries. */
        static final int WORDS_BEFORE = 7;

        private final Map<EncodedKey, PutEntry> puts = new LinkedHashMap<>();

        boolean isEmpty() {
            return puts.isEmpty();
        }

        boolean puts(EncodedKey key) {
            return puts.containsKey(key);
        }

        boolean accepts(PutEntry put) {
            return puts.size() < MAX_PUTS && !puts.containsKey(put.key()) && (isEmpty() || isLike(any(), put));
        }

        private static boolean isLike(PutEntry one, PutEntry other) {
            return one.onCreation().equals(other.onCreation())
                    && one.onUpdate().equals(other.onUpdate())
                    && one.key().isIndexed() == other.key().isIndexed();
        }

        private PutEntry any() {
            return puts.values().iterator().next();
        }

        void add(PutEntry put) {
            puts.put(put.key(), put);
        }

        /** Returns the key as it is put, with the feed of its cache; the expected one may lack it. */
        EncodedKey keyOf(EncodedKey key) {
            return Objects.requireNonNull(puts.get(key)).key();
        }

        List<EncodedKey> keys(CheckedEntries checked) {
            Set<EncodedKey> keys = new LinkedHashSet<>(checked.putFirst());
            keys.addAll(puts.keySet());
            return List.copyOf(keys);
        }

        List<byte[]> words(RedisSession session, CheckedEntries checked) {
            List<EncodedKey> keys = keys(checked);
            List<byte[]> words = new ArrayList<>();
            words.add(Resp.word("put"));
            words.add(Resp.word(checked.absentPuts().size()));
            words.add(Resp.word(checked.presentPuts().size()));
            words.add(Resp.word(keys.size()));
            words.add(Resp.word(any().onCreation()));
            words.add(Resp.word(any().onUpdate()));
            words.add(areIndexed() ? Resp.word(lastingTogether(any())) : new byte[0]);
            keys.forEach(key -> words.add(
                    session.bytes(key, Objects.requireNonNull(puts.get(key)).envelope())));
            if (areIndexed()) {
                keys.forEach(key -> words.add(nameOf(key)));
            }
            return words;
        }

        boolean areIndexed() {
            return any().key().isIndexed();
        }

        /** Returns how long the index must live; unchanged if the script has to find out whether the puts keep an expiry. */
        private static Expiry lastingTogether(PutEntry put) {
            boolean depends = put.onUpdate().isUnchanged() && !put.onCreation().isNever();
            return depends ? Expiry.UNCHANGED : lastingFor(put);
        }

        /** Returns how long the index must live for an entry. An entry that keeps its expiry may never expire. */
        static Expiry lastingFor(PutEntry put) {
            Expiry creation = put.onCreation();
            Expiry update = put.onUpdate();
            boolean mayLast = creation.isNever() || update.isNever() || update.isUnchanged();
            return mayLast ? Expiry.NEVER : new Expiry(Math.max(creation.millis(), update.millis()));
        }
    }
}
