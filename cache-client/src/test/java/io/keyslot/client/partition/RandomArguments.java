// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Operations and arguments for them, few enough to meet each other often. */
final class RandomArguments {
    private static final int MOST = 4;

    private final Random random;

    RandomArguments(Random random) {
        this.random = random;
    }

    AggregateOperation operation(AggregateKind kind) {
        List<AggregateOperation> all = Arrays.stream(AggregateOperation.values())
                .filter(operation -> operation.kind() == kind)
                .toList();
        return all.get(random.nextInt(all.size()));
    }

    List<String> of(AggregateOperation operation) {
        return switch (operation) {
            case HASH_GET_ALL, HASH_FIELDS, HASH_SIZE, LIST_SIZE, LIST_POLL_FIRST, LIST_POLL_LAST -> List.of();
            case SET_SIZE, SET_GET_ALL, SORTED_SIZE, SORTED_POLL_FIRST, SORTED_POLL_LAST, COUNTER_GET -> List.of();
            case HASH_GET, HASH_CONTAINS, HASH_REMOVE, LIST_REMOVE, SET_CONTAINS -> List.of(name());
            case SORTED_SCORE, SORTED_RANK -> List.of(name());
            case HASH_GET_MANY, HASH_REMOVE_MANY, LIST_ADD_FIRST, LIST_ADD_LAST -> many(() -> List.of(name()));
            case SET_ADD, SET_REMOVE, SORTED_REMOVE -> many(() -> List.of(name()));
            case HASH_PUT, HASH_PUT_IF_ABSENT -> List.of(name(), value());
            case HASH_PUT_MANY -> many(() -> List.of(name(), value()));
            // Decimal sums go to other fields than whole ones: a large whole number has no exact decimal sum on a
            // server.
            case HASH_INCREMENT -> List.of(oneOf("a", "b"), whole());
            case HASH_INCREMENT_BY_DOUBLE -> List.of(oneOf("c", "d"), oneOf("0.25", "-1.5", "2", "1e3"));
            case LIST_GET -> List.of(index());
            case LIST_SET -> List.of(index(), name());
            case LIST_RANGE, LIST_RETAIN, SORTED_BY_RANK, SORTED_BY_RANK_DESCENDING -> List.of(index(), index());
            case SORTED_COUNT, SORTED_REMOVE_BY_SCORE -> List.of(score(), score());
            case SORTED_BY_SCORE, SORTED_BY_SCORE_DESCENDING -> List.of(score(), score(), limit());
            case SORTED_BY_ELEMENT -> List.of(name(), name(), limit());
            case SORTED_ADD -> many(() -> List.of(score(), name()));
            case SORTED_INCREMENT -> List.of(score(), name());
            case COUNTER_SET, COUNTER_ADD -> List.of(whole());
        };
    }

    private List<String> many(Supplier<List<String>> one) {
        List<String> all = new ArrayList<>();
        int count = 1 + random.nextInt(MOST);
        for (int i = 0; i < count; i++) {
            all.addAll(one.get());
        }
        return all;
    }

    private String name() {
        return oneOf("a", "b", "c", "d", "e", "A", "é", "", "aa", "ab");
    }

    private String value() {
        return oneOf("5", "-3", "x", "05", "1.5", "-0.25", "");
    }

    private String whole() {
        return oneOf("1", "-7", "0", "9223372036854775807", "-9223372036854775808");
    }

    private String score() {
        return oneOf("-inf", "-1.5", "0", "0.25", "2", "2", "2", "1000", "inf");
    }

    private String index() {
        return Integer.toString(random.nextInt(12) - 6);
    }

    private String limit() {
        return Integer.toString(random.nextInt(5));
    }

    private String oneOf(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
