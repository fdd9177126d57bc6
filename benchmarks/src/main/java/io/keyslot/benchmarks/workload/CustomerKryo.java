// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;

/**
 * Customers as Kryo writes a registered class, without references and class names: the codec of every contender that can be
 * given one, so that codecs are not what is compared.
 *
 * <p>Safe for use by several threads, each of which has a Kryo of its own.
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

    /** Returns the customer's bytes. */
    public static byte[] encode(Customer customer) {
        CustomerKryo coder = OF_THREAD.get();
        coder.output.reset();
        coder.kryo.writeObject(coder.output, customer);
        return coder.output.toBytes();
    }

    /** Reads a customer. */
    public static Customer decode(byte[] bytes) {
        return decode(bytes, 0, bytes.length);
    }

    /** Reads a customer from a part of the bytes. */
    public static Customer decode(byte[] bytes, int offset, int length) {
        CustomerKryo coder = OF_THREAD.get();
        coder.input.setBuffer(bytes, offset, length);
        return coder.kryo.readObject(coder.input, Customer.class);
    }
}
