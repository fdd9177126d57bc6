// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.slot.HashSlot;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
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

/** The time to find the hash slot of a key that is bytes already, by ours and by Lettuce's arithmetic. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HashSlotBenchmark {
    @Param
    private KeyShape shape = KeyShape.SHORT;

    private byte[] key = {};

    /** The keys whose slots are looked for. */
    public enum KeyShape {
        SHORT("customer:99"),
        HASH_TAG("order:{customer:99}:1001"),
        BYTES_64("session:0123456789abcdef0123456789abcdef0123456789abcdef01234567");

        private final String text;

        KeyShape(String text) {
            this.text = text;
        }

        byte[] bytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** For JMH, which sets the shape. */
    public HashSlotBenchmark() {}

    HashSlotBenchmark(KeyShape shape) {
        this.shape = shape;
        prepare();
    }

    /** Makes the key, which is not measured. */
    @Setup
    public void prepare() {
        key = shape.bytes();
    }

    /** Finds the slot as this project does. */
    @Benchmark
    public int keyslot() {
        return HashSlot.of(key);
    }

    /** Finds the slot as Lettuce does. */
    @Benchmark
    public int lettuce() {
        return SlotHash.getSlot(key);
    }
}
