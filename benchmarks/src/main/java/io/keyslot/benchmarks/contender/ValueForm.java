// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.nio.ByteBuffer;

/** What a plain client does between the application and the bytes that it stores. */
enum ValueForm {
    /** Nothing: the application has bytes. The last eight are a counter. */
    RAW {
        @Override
        byte[] bytes(EncodedCustomer customer) {
            return customer.bytes();
        }

        @Override
        Object read(byte[] bytes) {
            return bytes;
        }

        @Override
        Visit visit(byte[] before) {
            byte[] after = before.clone();
            ByteBuffer counter = ByteBuffer.wrap(after, after.length - Long.BYTES, Long.BYTES)
                    .slice();
            long visits = counter.getLong(0) + 1;
            counter.putLong(0, visits);
            return new Visit(after, visits);
        }
    },

    /** Kryo with a registered class. */
    KRYO {
        @Override
        byte[] bytes(EncodedCustomer customer) {
            return CustomerKryo.encode(customer.customer());
        }

        @Override
        Object read(byte[] bytes) {
            return CustomerKryo.decode(bytes);
        }

        @Override
        Visit visit(byte[] before) {
            Customer after = CustomerKryo.decode(before).visitedAgain();
            return new Visit(CustomerKryo.encode(after), after.visits());
        }
    };

    abstract byte[] bytes(EncodedCustomer customer);

    abstract Object read(byte[] bytes);

    /** Counts one more visit in a value. */
    abstract Visit visit(byte[] before);

    /** A value after a visit, and how many there were. */
    static final class Visit {
        private final byte[] value;
        private final long visits;

        Visit(byte[] value, long visits) {
            this.value = value;
            this.visits = visits;
        }

        byte[] value() {
            return value;
        }

        long visits() {
            return visits;
        }
    }
}
