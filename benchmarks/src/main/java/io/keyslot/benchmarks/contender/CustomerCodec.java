// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/** The registered Kryo of the other contenders as a codec of Keyslot. */
public final class CustomerCodec implements Codec<Customer> {
    @Override
    public String name() {
        return "customer-kryo";
    }

    @Override
    public byte[] encode(Customer value) {
        return CustomerKryo.encode(value);
    }

    @Override
    public Customer decode(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return CustomerKryo.decode(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return CustomerKryo.decode(copy);
    }
}
