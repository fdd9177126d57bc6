// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts an operation on the model of an aggregate into a step for the partition that cannot fail: an increment sets
 * the sum, which is correct because the commit is refused if the aggregate has changed.
 */
final class RecordedStep {
    private RecordedStep() {}

    static GroupStep of(
            EncodedKey key,
            AggregateOperation operation,
            List<Element> arguments,
            @Nullable Object answer,
            Expiry expiry) {
        return switch (operation) {
            case HASH_INCREMENT, HASH_INCREMENT_BY_DOUBLE ->
                new GroupStep.Apply(
                        key, AggregateOperation.HASH_PUT, List.of(arguments.get(0), element(answer)), expiry);
            case SORTED_INCREMENT ->
                new GroupStep.Apply(
                        key, AggregateOperation.SORTED_ADD, List.of(element(answer), arguments.get(1)), expiry);
            case COUNTER_ADD ->
                new GroupStep.Apply(key, AggregateOperation.COUNTER_SET, List.of(element(answer)), expiry);
            default -> new GroupStep.Apply(key, operation, arguments, expiry);
        };
    }

    private static Element element(@Nullable Object answer) {
        return answer instanceof Element text ? text : Element.of((Long) Objects.requireNonNull(answer, "sum"));
    }
}
