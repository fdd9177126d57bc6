// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;

/**
 * Encodes customers with Kryo as a registered class, without references: the codec of every contender that accepts one,
 * so that codecs are not compared. Thread-safe, with a Kryo for each thread.
 */
public final class CustomerKryo {
    private static final int INITIAL_BUFFER = 512;
    private static final int LARGEST_BUFFER = 1 << 20;

    private static final ThreadLocal<CustomerKryo> OF_THREAD = ThreadLocal.withInitial(CustomerKryo::new);

    private final Kryo kryo = new Kryo();
    private final Output output = new Output(INITIAL_BUFFER, LARGEST_BUFFER);
    private final Input input = new Input();

    private CustomerKryo() {
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.register(Customer.class);
    }

    public static byte[] encode(Customer customer) {
        CustomerKryo coder = OF_THREAD.get();
        coder.output.reset();
        coder.kryo.writeObject(coder.output, customer);
        return coder.output.toBytes();
    }

    public static Customer decode(byte[] bytes) {
        return decode(bytes, 0, bytes.length);
    }

    public static Customer decode(byte[] bytes, int offset, int length) {
        CustomerKryo coder = OF_THREAD.get();
        coder.input.setBuffer(bytes, offset, length);
        return coder.kryo.readObject(coder.input, Customer.class);
    }
}
