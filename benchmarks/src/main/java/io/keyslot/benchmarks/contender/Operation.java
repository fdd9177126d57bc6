// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

/** What a contender may be able to do. */
public enum Operation {
    GET,
    PUT,
    GET_ALL,
    PUT_ALL,
    INVOKE,
    TRANSACTION
}
