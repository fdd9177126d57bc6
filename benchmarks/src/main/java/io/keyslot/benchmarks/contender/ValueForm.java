// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.nio.ByteBuffer;

/** The encoding of a plain client. */
enum ValueForm {
    /** None: the application has bytes, of which the last eight are a counter. */
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

    abstract Visit visit(byte[] before);

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
