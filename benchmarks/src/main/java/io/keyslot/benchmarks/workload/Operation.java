// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operations of contenders, by the names of the methods of {@code CacheBenchmark}. */
public enum Operation {
    GET("get"),
    PUT("put"),
    GET_ALL("getAll"),
    PUT_ALL("putAll"),
    INVOKE("invoke"),
    /** Gets and puts. */
    MIXED("mixed95"),
    TRANSACTION("transaction");

    private final String method;

    Operation(String method) {
        this.method = method;
    }

    /** Throws {@code IllegalArgumentException} if there is none; the message has all names. */
    public static Operation of(String name) {
        return Stream.of(values())
                .filter(operation -> operation.method.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "operation is \"%s\", must be one of %s".formatted(name, names())));
    }

    private static String names() {
        return Stream.of(values()).map(Operation::method).collect(Collectors.joining(", "));
    }

    public String method() {
        return method;
    }
}
