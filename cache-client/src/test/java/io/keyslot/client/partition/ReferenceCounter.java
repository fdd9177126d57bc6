// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateOperation;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class ReferenceCounter implements ReferenceAggregate {
    private @Nullable String number;

    /** Adds whole numbers as they are written, without zeros in front. */
    static String sum(String present, String delta) {
        if (!present.matches("0|-?[1-9][0-9]*")) {
            throw new ArithmeticException();
        }
        return Long.toString(new BigInteger(present).add(new BigInteger(delta)).longValueExact());
    }

    @Override
    public @Nullable Object perform(AggregateOperation operation, List<String> arguments) {
        String before = number;
        return switch (operation) {
            case COUNTER_GET -> before;
            case COUNTER_SET -> {
                number = arguments.get(0);
                yield before;
            }
            case COUNTER_ADD -> {
                number = sum(before == null ? "0" : before, arguments.get(0));
                yield number;
            }
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    @Override
    public List<String> elements() {
        return number == null ? List.of() : List.of(number);
    }
}
