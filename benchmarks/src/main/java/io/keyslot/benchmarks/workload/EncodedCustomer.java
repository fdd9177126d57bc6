// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

/** A customer together with its bytes, for contenders that have no codec. */
public final class EncodedCustomer {
    private final Customer customer;
    private final byte[] bytes;

    EncodedCustomer(Customer customer) {
        this.customer = customer;
        this.bytes = CustomerKryo.encode(customer);
    }

    public Customer customer() {
        return customer;
    }

    /** Returns the customer's bytes; do not modify. */
    public byte[] bytes() {
        return bytes;
    }
}
