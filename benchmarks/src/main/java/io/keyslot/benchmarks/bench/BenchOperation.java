// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Operation;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What can be measured: the methods of {@code CacheBenchmark}, by their names. */
enum BenchOperation {
    GET("get", Operation.GET),
    PUT("put", Operation.PUT),
    GET_ALL("getAll", Operation.GET_ALL),
    PUT_ALL("putAll", Operation.PUT_ALL),
    INVOKE("invoke", Operation.INVOKE),
    /** Gets and puts; whoever can put can get. */
    MIXED("mixed95", Operation.PUT),
    TRANSACTION("transaction", Operation.TRANSACTION);

    private final String method;
    private final Operation needed;

    BenchOperation(String method, Operation needed) {
        this.method = method;
        this.needed = needed;
    }

    /**
     * Returns the operation of this name.
     *
     * @throws IllegalArgumentException if there is none; the message has all names
     */
    static BenchOperation of(String name) {
        return Stream.of(values())
                .filter(operation -> operation.method.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "operation is \"%s\", must be one of %s".formatted(name, names())));
    }

    /** Returns all names, separated by commas. */
    static String names() {
        return Stream.of(values()).map(BenchOperation::method).collect(Collectors.joining(", "));
    }

    String method() {
        return method;
    }

    boolean isPossibleWith(ContenderType contender) {
        return contender.operations().contains(needed);
    }
}
