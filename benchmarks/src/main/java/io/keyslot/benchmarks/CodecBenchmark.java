// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.Codec;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Encryption;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time to encode and decode one customer in one thread, without a cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {
    private static final int MANY = 1_023;

    @Param
    private Coder coder = Coder.DEFAULT;

    @Param("BYTES_200")
    private ValueSize value = ValueSize.BYTES_200;

    private Codec<Customer> codec = new CustomerCodec();
    private List<EncodedCustomer> samples = List.of();
    private ByteBuffer[] encoded = {};
    private int last;

    public enum Coder {
        /** Kryo with the class registered and without references, which is what an application would write itself. */
        REGISTERED {
            @Override
            Codec<Customer> codec() {
                return new CustomerCodec();
            }
        },

        /** The same with our checksum. */
        REGISTERED_VERIFIED {
            @Override
            Codec<Customer> codec() {
                return new VerifiedCodec<>(new CustomerCodec(), Customer.class);
            }
        },

        /** The default codec of a cache: the class name with each value, limits, and our checksum. */
        DEFAULT {
            @Override
            @SuppressWarnings("unchecked") // created for this class
            Codec<Customer> codec() {
                ClassLoader loader = Customer.class.getClassLoader();
                Codec<?> made = Codecs.create("default", Customer.class, AllowedClasses.of(List.of()), loader);
                return new VerifiedCodec<>((Codec<Customer>) made, Customer.class);
            }
        },

        /** The default codec of a cache with encryption. */
        ENCRYPTED {
            @Override
            Codec<Customer> codec() {
                return new EncryptedCodec(
                        DEFAULT.codec(), new Encryption(new byte[Encryption.SECRET_BYTES], List.of()));
            }
        };

        abstract Codec<Customer> codec();
    }

    /** Encrypts as a cache does, always under the same key. */
    private record EncryptedCodec(Codec<Customer> codec, Encryption encryption) implements Codec<Customer> {
        private static final EncodedKey KEY = EncodedKey.of("customer:99");

        @Override
        public String name() {
            return codec.name();
        }

        @Override
        public byte[] encode(Customer value) {
            return encryption.encryptValue(KEY, codec.encode(value));
        }

        @Override
        public Customer decode(ByteBuffer bytes) {
            return codec.decode(ByteBuffer.wrap(encryption.decryptValue(
                    KEY, bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining())));
        }
    }

    public CodecBenchmark() {}

    CodecBenchmark(Coder coder) {
        this.coder = coder;
        prepare();
    }

    @Setup
    public final void prepare() {
        codec = coder.codec();
        samples = value.samples();
        encoded = samples.stream()
                .map(sample -> ByteBuffer.wrap(codec.encode(sample.customer())))
                .toArray(ByteBuffer[]::new);
    }

    @Benchmark
    public byte[] encode() {
        return codec.encode(samples.get(next()).customer());
    }

    @Benchmark
    public Customer decode() {
        return codec.decode(encoded[next()].duplicate());
    }

    private int next() {
        last = last + 1 & MANY;
        return last;
    }
}
