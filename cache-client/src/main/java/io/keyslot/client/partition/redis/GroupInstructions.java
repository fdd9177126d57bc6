// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.GroupStep.PutEntry;
import io.keyslot.client.partition.redis.GroupRequest.CheckedEntries;
import io.keyslot.client.partition.redis.NativeOperation.NativeCommand;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The steps of a group command as instructions of {@code group.lua}, and the decoding of its answers. */
final class GroupInstructions {
    /** A change of an aggregate takes several commands. */
    private static final int SEVERAL = 2;

    private static final Set<String> TO_PUT = Set.of("MSET", "SET", "PTTL", "GETRANGE");
    private static final Set<String> TO_READ = Set.of("GET");
    private static final Set<String> TO_CHANGE_AGGREGATES =
            Set.of("UNLINK", "EXISTS", "HLEN", "HSET", "HDEL", "PTTL", "PERSIST", "PEXPIRE", "HRANDFIELD");

    private final RedisSession session;
    private final List<EncodedKey> keys = new ArrayList<>();
    private final List<byte[]> words = new ArrayList<>();
    private final Set<String> commands = new TreeSet<>();
    private final List<StepAnswer> readers = new ArrayList<>();
    private PutBatch puts = new PutBatch();
    private final CheckedEntries checked;
    private int changes;
    private boolean reads;
    private boolean takesMemory;
    private boolean listsEntries;
    private final boolean areIndexed;

    GroupInstructions(RedisSession session, List<GroupStep> steps, CheckedEntries checked) {
        this.session = session;
        this.checked = checked;
        this.areIndexed = steps.stream()
                .filter(step -> step instanceof GroupStep.PutEntry || step instanceof GroupStep.RemoveEntry)
                .anyMatch(step -> step.key().isIndexed());
        steps.forEach(this::add);
        writePuts();
    }

    List<EncodedKey> keys() {
        return keys;
    }

    List<byte[]> words() {
        return words;
    }

    Set<String> commands() {
        return commands;
    }

    /** Returns whether the server might refuse a command after the first change. */
    boolean areSeveral() {
        return changes > 1 || (changes == 1 && reads);
    }

    /** Returns whether an entry is put that is indexed. */
    boolean listsEntries() {
        return listsEntries;
    }

    /** Returns whether an entry is put or removed that is indexed; then the index follows all other keys. */
    boolean areIndexed() {
        return areIndexed;
    }

    boolean takesMemory() {
        return takesMemory;
    }

    List<@Nullable Object> read(List<? extends @Nullable Object> answers) {
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
            words.add(session.header(step.key()));
            words.add(step.key().isIndexed() ? nameOf(step.key()) : new byte[0]);
            commands.add("UNLINK");
            changes++;
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
                words.add(Resp.word(expire.expiry()));
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
        CheckedEntries before = words.isEmpty() ? checked : CheckedEntries.NONE;
        List<EncodedKey> all = puts.keys(before);
        keys.addAll(all.subList(before.putFirst().size(), all.size()));
        words.addAll(puts.words(session, before));
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
            words.add(Resp.word(expiry));
        }
        add(command.name());
        words.add(Resp.word(arguments.size()));
        arguments.forEach(argument -> words.add(argument.bytes()));
        commands.add(command.name());
        takesMemory |= command.takesMemory();
    }

    private void instruct(EncodedKey key, String word) {
        keys.add(key);
        add(word);
    }

    private void add(String word) {
        words.add(Resp.word(word));
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

    @FunctionalInterface
    private interface StepAnswer {
        @Nullable
        Object read(Iterator<? extends @Nullable Object> answers);
    }

    /** The puts of one instruction of {@code group.lua}: different keys with equal expiry, all indexed or none. */
    static final class PutBatch {
        /** One {@code MSET} has a key and an entry for each, and Lua's {@code unpack} fails at 8,000. */
        static final int MAX_PUTS = 1_000;

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
