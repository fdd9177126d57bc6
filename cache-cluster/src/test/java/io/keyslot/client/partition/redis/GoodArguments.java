// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Arguments with which each operation of an aggregate can be done: numbers, which are also texts and scores. */
final class GoodArguments {
    private GoodArguments() {}

    static String[] of(AggregateOperation operation) {
        return texts(operation).toArray(String[]::new);
    }

    static List<Element> elementsOf(AggregateOperation operation) {
        return texts(operation).map(Element::of).toList();
    }

    private static Stream<String> texts(AggregateOperation operation) {
        return IntStream.rangeClosed(1, count(operation)).mapToObj(Integer::toString);
    }

    private static int count(AggregateOperation operation) {
        return switch (operation) {
            case HASH_GET_ALL,
                    HASH_FIELDS,
                    HASH_SIZE,
                    LIST_SIZE,
                    LIST_POLL_FIRST,
                    LIST_POLL_LAST,
                    SET_SIZE,
                    SET_GET_ALL,
                    SORTED_SIZE,
                    SORTED_POLL_FIRST,
                    SORTED_POLL_LAST,
                    COUNTER_GET -> 0;
            case HASH_GET,
                    HASH_CONTAINS,
                    HASH_REMOVE,
                    LIST_GET,
                    LIST_REMOVE,
                    SET_CONTAINS,
                    SORTED_SCORE,
                    SORTED_RANK,
                    COUNTER_SET,
                    COUNTER_ADD -> 1;
            case SORTED_BY_SCORE, SORTED_BY_SCORE_DESCENDING, SORTED_BY_ELEMENT -> 3;
            default -> 2;
        };
    }
}
