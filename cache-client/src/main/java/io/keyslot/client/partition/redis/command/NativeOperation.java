// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import static io.keyslot.client.partition.redis.command.NativeCommand.growing;
import static io.keyslot.client.partition.redis.command.NativeCommand.reading;
import static io.keyslot.client.partition.redis.command.NativeCommand.shrinking;

import io.keyslot.client.partition.redis.command.NativeCommand.How;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** An operation on an aggregate as Redis commands, executed in order, whose answers are combined into one. */
record NativeOperation(NativeAnswer answer, List<NativeCommand> commands) {
    static NativeOperation of(AggregateOperation operation) {
        return switch (operation) {
            case HASH_GET -> of(NativeAnswer.FIRST, reading("HGET"));
            case HASH_GET_MANY -> of(NativeAnswer.JOINED, reading("HMGET"));
            case HASH_GET_ALL -> of(NativeAnswer.FIRST, reading("HGETALL"));
            case HASH_FIELDS -> of(NativeAnswer.FIRST, reading("HKEYS"));
            case HASH_CONTAINS -> of(NativeAnswer.FIRST, reading("HEXISTS"));
            case HASH_SIZE -> of(NativeAnswer.FIRST, reading("HLEN"));
            case HASH_PUT -> of(NativeAnswer.FIRST, reading("HGET").with(1), growing(How.DO, "HSET"));
            case HASH_PUT_MANY -> of(NativeAnswer.SUM, growing(How.DO, "HSET"));
            case HASH_PUT_IF_ABSENT -> of(NativeAnswer.FIRST, growing(How.SOME, "HSETNX"));
            case HASH_REMOVE -> of(NativeAnswer.FIRST, reading("HGET"), shrinking(How.SOME, "HDEL"));
            case HASH_REMOVE_MANY -> of(NativeAnswer.SUM, shrinking(How.SOME, "HDEL"));
            case HASH_INCREMENT ->
                of(
                        NativeAnswer.NUMBER,
                        growing(How.ATTEMPT, "HINCRBY"),
                        reading("HGET").with(1));
            case HASH_INCREMENT_BY_DOUBLE -> of(NativeAnswer.FIRST, growing(How.ATTEMPT, "HINCRBYFLOAT"));

            case LIST_GET -> of(NativeAnswer.FIRST, reading("LINDEX"));
            case LIST_RANGE -> of(NativeAnswer.FIRST, reading("LRANGE"));
            case LIST_SIZE -> of(NativeAnswer.FIRST, reading("LLEN"));
            case LIST_ADD_FIRST -> of(NativeAnswer.LAST, growing(How.DO, "LPUSH"));
            case LIST_ADD_LAST -> of(NativeAnswer.LAST, growing(How.DO, "RPUSH"));
            case LIST_POLL_FIRST -> of(NativeAnswer.FIRST, shrinking(How.SOME, "LPOP"));
            case LIST_POLL_LAST -> of(NativeAnswer.FIRST, shrinking(How.SOME, "RPOP"));
            case LIST_SET -> of(NativeAnswer.FIRST, growing(How.INDEX, "LSET"));
            case LIST_REMOVE ->
                of(NativeAnswer.FIRST, shrinking(How.SOME, "LREM").with(given -> List.of(Element.of(1), given.get(0))));
            case LIST_RETAIN -> of(NativeAnswer.NONE, shrinking(How.DO, "LTRIM"));

            case SET_CONTAINS -> of(NativeAnswer.FIRST, reading("SISMEMBER"));
            case SET_SIZE -> of(NativeAnswer.FIRST, reading("SCARD"));
            case SET_GET_ALL -> of(NativeAnswer.FIRST, reading("SMEMBERS"));
            case SET_ADD -> of(NativeAnswer.SUM, growing(How.SOME, "SADD"));
            case SET_REMOVE -> of(NativeAnswer.SUM, shrinking(How.SOME, "SREM"));

            case SORTED_SCORE -> of(NativeAnswer.FIRST, reading("ZSCORE"));
            case SORTED_RANK -> of(NativeAnswer.FIRST, reading("ZRANK"));
            case SORTED_SIZE -> of(NativeAnswer.FIRST, reading("ZCARD"));
            case SORTED_COUNT -> of(NativeAnswer.FIRST, reading("ZCOUNT"));
            case SORTED_BY_RANK -> of(NativeAnswer.FIRST, reading("ZRANGE").with(2, "WITHSCORES"));
            case SORTED_BY_RANK_DESCENDING ->
                of(NativeAnswer.FIRST, reading("ZRANGE").with(2, "REV", "WITHSCORES"));
            case SORTED_BY_SCORE -> of(NativeAnswer.FIRST, reading("ZRANGE").with(limited("BYSCORE", "WITHSCORES")));
            case SORTED_BY_SCORE_DESCENDING ->
                of(NativeAnswer.FIRST, reading("ZRANGE").with(limited("BYSCORE", "REV", "WITHSCORES")));
            case SORTED_BY_ELEMENT -> of(NativeAnswer.FIRST, reading("ZRANGE").with(NativeOperation::betweenElements));
            case SORTED_ADD -> of(NativeAnswer.SUM, growing(How.DO, "ZADD"));
            case SORTED_INCREMENT -> of(NativeAnswer.FIRST, growing(How.ATTEMPT, "ZINCRBY"));
            case SORTED_REMOVE -> of(NativeAnswer.SUM, shrinking(How.SOME, "ZREM"));
            case SORTED_REMOVE_BY_SCORE -> of(NativeAnswer.FIRST, shrinking(How.SOME, "ZREMRANGEBYSCORE"));
            case SORTED_POLL_FIRST -> of(NativeAnswer.FIRST, shrinking(How.SOME, "ZPOPMIN"));
            case SORTED_POLL_LAST -> of(NativeAnswer.FIRST, shrinking(How.SOME, "ZPOPMAX"));

            case COUNTER_GET -> of(NativeAnswer.FIRST, reading("GET"));
            case COUNTER_SET ->
                of(
                        NativeAnswer.FIRST,
                        reading("GET").with(0),
                        growing(How.DO, "SET").with(1, "KEEPTTL"));
            case COUNTER_ADD ->
                of(
                        NativeAnswer.NUMBER,
                        growing(How.ATTEMPT, "INCRBY"),
                        reading("GET").with(0));
        };
    }

    private static NativeOperation of(NativeAnswer answer, NativeCommand... commands) {
        return new NativeOperation(answer, List.of(commands));
    }

    private static UnaryOperator<List<Element>> limited(String... words) {
        List<Element> between = Stream.concat(Stream.of(words), Stream.of("LIMIT", "0"))
                .map(Element::of)
                .toList();
        return given -> NativeCommand.join(NativeCommand.join(given.subList(0, 2), between), given.subList(2, 3));
    }

    private static List<Element> betweenElements(List<Element> given) {
        return limited("BYLEX").apply(List.of(marked('[', given.get(0)), marked('(', given.get(1)), given.get(2)));
    }

    private static Element marked(char mark, Element element) {
        return Element.of(ByteBuffer.allocate(1 + element.length())
                .put((byte) mark)
                .put(element.bytes())
                .array());
    }
}
