// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a handle is a handle of, and how to reach it. Immutable.
 *
 * @param stored the key as the partition has it
 * @param expiry when the aggregate expires after a change
 */
record Aggregate(
        GroupForms forms, AggregateAccess access, EntityKey key, EncodedKey stored, AggregateKind kind, Expiry expiry) {

    Aggregate withExpiry(Expiry other) {
        return new Aggregate(forms, access, key, stored, kind, other);
    }

    <E> ElementCoder<E> coder(Class<E> type) {
        return forms.ofElements(key, type);
    }

    /**
     * Returns whether a bulk operation has anything to do.
     *
     * @throws LimitExceededException if it has more elements than the limit
     */
    boolean isBatch(String operation, int size) {
        int most = forms.codecs().limits().batchKeys();
        if (size > most) {
            throw new LimitExceededException(
                    "Group %s: %s has %d elements, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(forms.keys().root().text(), operation, size, most));
        }
        return size > 0;
    }

    @Nullable
    Object apply(String called, AggregateOperation operation, List<Element> arguments) {
        return access.apply(called, stored, operation, arguments, expiry);
    }

    /** Does an operation that answers a number. */
    long number(String called, AggregateOperation operation, Element... arguments) {
        return number(called, operation, List.of(arguments));
    }

    long number(String called, AggregateOperation operation, List<Element> arguments) {
        return (Long) Objects.requireNonNull(apply(called, operation, arguments), operation::name);
    }

    /** Does an operation that counts elements; more than an {@code int} holds are as many as it holds. */
    int count(String called, AggregateOperation operation, Element... arguments) {
        return count(called, operation, List.of(arguments));
    }

    int count(String called, AggregateOperation operation, List<Element> arguments) {
        return (int) Math.min(Integer.MAX_VALUE, number(called, operation, arguments));
    }

    /** Does an operation that answers whether it found or did something. */
    boolean test(String called, AggregateOperation operation, Element... arguments) {
        return number(called, operation, arguments) > 0;
    }

    /** Does an operation that answers an element, or null. */
    @Nullable
    Element element(String called, AggregateOperation operation, Element... arguments) {
        return (Element) apply(called, operation, List.of(arguments));
    }

    /** Does an operation that answers elements. */
    List<Element> elements(String called, AggregateOperation operation, Element... arguments) {
        return elements(called, operation, List.of(arguments));
    }

    /** As {@link #elements(String, AggregateOperation, Element...)}; those that are not there are null if the operation says so. */
    @SuppressWarnings("unchecked") // the operation says so
    List<Element> elements(String called, AggregateOperation operation, List<Element> arguments) {
        return (List<Element>) Objects.requireNonNull(apply(called, operation, arguments), operation::name);
    }

    /** Returns how an exception begins that concerns this aggregate. */
    String title() {
        return forms.keys().titleOf(key);
    }
}
