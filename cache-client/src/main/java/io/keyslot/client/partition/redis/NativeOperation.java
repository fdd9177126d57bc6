// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An operation on an aggregate as Redis commands, executed in order, whose answers are combined into one. */
record NativeOperation(Function<List<@Nullable Object>, @Nullable Object> answer, List<NativeCommand> commands) {
    /** Lua's {@code unpack} fails at 8,000. An even number, so that a field stays with its value. */
    static final int MAX_ARGUMENTS = 1_000;

    static NativeOperation of(AggregateOperation operation) {
        return switch (operation) {
            case HASH_GET -> of(NativeOperation::first, reading("HGET"));
            case HASH_GET_MANY -> of(NativeOperation::joined, reading("HMGET"));
            case HASH_GET_ALL -> of(NativeOperation::first, reading("HGETALL"));
            case HASH_FIELDS -> of(NativeOperation::first, reading("HKEYS"));
            case HASH_CONTAINS -> of(NativeOperation::first, reading("HEXISTS"));
            case HASH_SIZE -> of(NativeOperation::first, reading("HLEN"));
            case HASH_PUT -> of(NativeOperation::first, reading("HGET").with(1), growing(How.DO, "HSET"));
            case HASH_PUT_MANY -> of(NativeOperation::sum, growing(How.DO, "HSET"));
            case HASH_PUT_IF_ABSENT -> of(NativeOperation::first, growing(How.SOME, "HSETNX"));
            case HASH_REMOVE -> of(NativeOperation::first, reading("HGET"), shrinking(How.SOME, "HDEL"));
            case HASH_REMOVE_MANY -> of(NativeOperation::sum, shrinking(How.SOME, "HDEL"));
            case HASH_INCREMENT ->
                of(
                        NativeOperation::number,
                        growing(How.ATTEMPT, "HINCRBY"),
                        reading("HGET").with(1));
            case HASH_INCREMENT_BY_DOUBLE -> of(NativeOperation::first, growing(How.ATTEMPT, "HINCRBYFLOAT"));

            case LIST_GET -> of(NativeOperation::first, reading("LINDEX"));
            case LIST_RANGE -> of(NativeOperation::first, reading("LRANGE"));
            case LIST_SIZE -> of(NativeOperation::first, reading("LLEN"));
            case LIST_ADD_FIRST -> of(NativeOperation::last, growing(How.DO, "LPUSH"));
            case LIST_ADD_LAST -> of(NativeOperation::last, growing(How.DO, "RPUSH"));
            case LIST_POLL_FIRST -> of(NativeOperation::first, shrinking(How.SOME, "LPOP"));
            case LIST_POLL_LAST -> of(NativeOperation::first, shrinking(How.SOME, "RPOP"));
            case LIST_SET -> of(NativeOperation::first, growing(How.INDEX, "LSET"));
            case LIST_REMOVE ->
                of(
                        NativeOperation::first,
                        shrinking(How.SOME, "LREM").with(given -> List.of(Element.of(1), given.get(0))));
            case LIST_RETAIN -> of(answers -> null, shrinking(How.DO, "LTRIM"));

            case SET_CONTAINS -> of(NativeOperation::first, reading("SISMEMBER"));
            case SET_SIZE -> of(NativeOperation::first, reading("SCARD"));
            case SET_GET_ALL -> of(NativeOperation::first, reading("SMEMBERS"));
            case SET_ADD -> of(NativeOperation::sum, growing(How.SOME, "SADD"));
            case SET_REMOVE -> of(NativeOperation::sum, shrinking(How.SOME, "SREM"));

            case SORTED_SCORE -> of(NativeOperation::first, reading("ZSCORE"));
            case SORTED_RANK -> of(NativeOperation::first, reading("ZRANK"));
            case SORTED_SIZE -> of(NativeOperation::first, reading("ZCARD"));
            case SORTED_COUNT -> of(NativeOperation::first, reading("ZCOUNT"));
            case SORTED_BY_RANK -> of(NativeOperation::first, reading("ZRANGE").with(2, "WITHSCORES"));
            case SORTED_BY_RANK_DESCENDING ->
                of(NativeOperation::first, reading("ZRANGE").with(2, "REV", "WITHSCORES"));
            case SORTED_BY_SCORE ->
                of(NativeOperation::first, reading("ZRANGE").with(limited("BYSCORE", "WITHSCORES")));
            case SORTED_BY_SCORE_DESCENDING ->
                of(NativeOperation::first, reading("ZRANGE").with(limited("BYSCORE", "REV", "WITHSCORES")));
            case SORTED_BY_ELEMENT ->
                of(NativeOperation::first, reading("ZRANGE").with(NativeOperation::betweenElements));
            case SORTED_ADD -> of(NativeOperation::sum, growing(How.DO, "ZADD"));
            case SORTED_INCREMENT -> of(NativeOperation::first, growing(How.ATTEMPT, "ZINCRBY"));
            case SORTED_REMOVE -> of(NativeOperation::sum, shrinking(How.SOME, "ZREM"));
            case SORTED_REMOVE_BY_SCORE -> of(NativeOperation::first, shrinking(How.SOME, "ZREMRANGEBYSCORE"));
            case SORTED_POLL_FIRST -> of(NativeOperation::first, shrinking(How.SOME, "ZPOPMIN"));
            case SORTED_POLL_LAST -> of(NativeOperation::first, shrinking(How.SOME, "ZPOPMAX"));

            case COUNTER_GET -> of(NativeOperation::first, reading("GET"));
            case COUNTER_SET ->
                of(
                        NativeOperation::first,
                        reading("GET").with(0),
                        growing(How.DO, "SET").with(1, "KEEPTTL"));
            case COUNTER_ADD ->
                of(
                        NativeOperation::number,
                        growing(How.ATTEMPT, "INCRBY"),
                        reading("GET").with(0));
        };
    }

    private static NativeOperation of(
            Function<List<@Nullable Object>, @Nullable Object> answer, NativeCommand... commands) {
        return new NativeOperation(answer, List.of(commands));
    }

    private static NativeCommand reading(String name) {
        return new NativeCommand(How.ASK, name, false, UnaryOperator.identity());
    }

    private static NativeCommand growing(How how, String name) {
        return new NativeCommand(how, name, true, UnaryOperator.identity());
    }

    private static NativeCommand shrinking(How how, String name) {
        return new NativeCommand(how, name, false, UnaryOperator.identity());
    }

    private static List<Element> join(List<Element> first, List<Element> second) {
        List<Element> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static UnaryOperator<List<Element>> limited(String... words) {
        List<Element> between = Stream.concat(Stream.of(words), Stream.of("LIMIT", "0"))
                .map(Element::of)
                .toList();
        return given -> join(join(given.subList(0, 2), between), given.subList(2, 3));
    }

    private static List<Element> betweenElements(List<Element> given) {
        return limited("BYLEX").apply(List.of(marked('[', given.get(0)), marked('(', given.get(1)), given.get(2)));
    }

    static Element marked(char mark, Element element) {
        return Element.of(ByteBuffer.allocate(1 + element.length())
                .put((byte) mark)
                .put(element.bytes())
                .array());
    }

    /** The effect of the command on the aggregate. */
    enum How {
        /** The command reads. */
        ASK,
        /** The command changes the aggregate. */
        DO,
        /** The command changes the aggregate, unless its answer says that nothing changed. */
        SOME,
        /** The command changes the aggregate if the list has the index. */
        INDEX,
        /** The command changes the aggregate if that is possible. */
        ATTEMPT
    }

    /** A Redis command for an operation on an aggregate; the function maps the arguments after the key. */
    record NativeCommand(How how, String name, boolean takesMemory, UnaryOperator<List<Element>> arguments) {
        NativeCommand with(UnaryOperator<List<Element>> others) {
            return new NativeCommand(how, name, takesMemory, others);
        }

        /** Returns a copy that takes the first arguments of the operation, followed by further ones. */
        NativeCommand with(int count, String... further) {
            List<Element> words = Stream.of(further).map(Element::of).toList();
            return with(given -> join(given.subList(0, count), words));
        }

        /** Returns the arguments after the key: several lists if there are too many for one command. */
        List<List<Element>> argumentLists(List<Element> given) {
            List<Element> all = arguments.apply(given);
            List<List<Element>> lists = new ArrayList<>();
            int from = 0;
            do {
                lists.add(all.subList(from, Math.min(all.size(), from + MAX_ARGUMENTS)));
                from += MAX_ARGUMENTS;
            } while (from < all.size());
            return lists;
        }
    }

    // Combinations of the answers of several commands into a result. They throw if the answers do not match the
    // commands.

    private static @Nullable Object first(List<@Nullable Object> answers) {
        return decoded(answers.get(0));
    }

    private static @Nullable Object last(List<@Nullable Object> answers) {
        return decoded(answers.get(answers.size() - 1));
    }

    /** Returns the last answer as an integer. Lua has no 64-bit integers, so the script returns text. */
    private static Object number(List<@Nullable Object> answers) {
        return Long.valueOf(Resp.element(answers.get(answers.size() - 1)).text());
    }

    private static Object sum(List<@Nullable Object> answers) {
        return answers.stream().mapToLong(Resp::number).sum();
    }

    private static Object joined(List<@Nullable Object> answers) {
        return answers.stream().flatMap(answer -> list(answer).stream()).toList();
    }

    /** Decodes an answer to null, a number, an element, or a list of answers. */
    private static @Nullable Object decoded(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return Element.of(bytes);
        }
        return answer == null || answer instanceof Long ? answer : list(answer);
    }

    private static List<@Nullable Object> list(@Nullable Object answer) {
        if (!(answer instanceof List<?> list)) {
            throw new IllegalStateException("an answer is no list");
        }
        List<@Nullable Object> decoded = new ArrayList<>(list.size());
        list.forEach(element -> decoded.add(decoded(element)));
        return decoded;
    }
}
