// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.List;
import java.util.function.Predicate;

/** Helper methods of the models. */
final class OperationArguments {
    private OperationArguments() {}

    static IllegalArgumentException notFor(AggregateModel model, AggregateOperation operation) {
        return new IllegalArgumentException(
                "%s is an operation of a %s, not of a %s".formatted(operation, operation.kind(), model.kind()));
    }

    static long count(List<Element> elements, Predicate<Element> done) {
        long count = 0;
        for (Element element : elements) {
            count += oneIf(done.test(element));
        }
        return count;
    }

    static long oneIf(boolean condition) {
        return condition ? 1 : 0;
    }

    static long bytes(Element element) {
        return (long) element.length() + AggregateModel.OVERHEAD_BYTES;
    }
}
