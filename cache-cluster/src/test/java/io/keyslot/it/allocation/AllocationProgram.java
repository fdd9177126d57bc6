// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import com.sun.management.ThreadMXBean;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.slot.HashSlot;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessor;

/**
 * Measures every path in a JVM of its own, and prints a line for each: {@code embedded.get 1234}. The arguments are the
 * addresses of servers.
 */
final class AllocationProgram {
    private static final int ENTRIES = 100;
    private static final int EPOCH = 7;
    private static final long STAMP = 99;
    private static final String KEY = "17";

    private static final EntryProcessor<String, Customer, Integer> MOVE = (entry, arguments) -> {
        entry.setValue(Customer.of(17));
        return 1;
    };

    private final AllocationMeter meter = new AllocationMeter();

    private AllocationProgram() {}

    public static void main(String[] addresses) {
        AllocationProgram program = new AllocationProgram();
        program.parts();
        program.embedded();
        program.near();
        program.instances(List.of(addresses));
    }

    private void measure(String path, Runnable call) {
        System.out.println(path + " " + meter.bytesPerCall(call));
    }

    private void parts() {
        KeyCodec<String> keys = KeyCodec.create(
                new KeySpace("", "customer", null),
                String.class,
                AllocationProgram.class.getClassLoader(),
                name -> false,
                Codecs.ofKeys("kryo", AllowedClasses.everything(), AllocationProgram.class.getClassLoader()));
        EncodedKey key = keys.encode(KEY);
        byte[] stored = Envelope.of(STAMP, new byte[150]).toBytes(key, EPOCH);
        measure("key.encode", () -> keys.encode(KEY));
        measure("key.slot", () -> HashSlot.of(key.bytes()));
        measure("envelope.read", () -> Envelope.read(key, EPOCH, stored, false));
    }

    private void embedded() {
        try (CacheManager manager = KeyslotManagers.openPatiently("embedded", List.of("3"))) {
            Cache<String, Customer> cache = filled(manager);
            Set<String> all =
                    IntStream.range(0, ENTRIES).mapToObj(Integer::toString).collect(Collectors.toSet());
            measure("embedded.get", () -> cache.get(KEY));
            measure("embedded.put", () -> cache.put(KEY, Customer.of(17)));
            measure("embedded.getAll100", () -> cache.getAll(all));
            measure("embedded.invoke", () -> cache.invoke(KEY, MOVE));
        }
    }

    /** A copy in this process, that has been read before. */
    private void near() {
        Map<String, String> settings = Map.of("keyslot.near.maximumEntries", "1000", "keyslot.near.values", "shared");
        try (CacheManager manager = KeyslotManagers.openPatiently("near", List.of("3"), settings)) {
            Cache<String, Customer> cache = filled(manager);
            cache.get(KEY);
            measure("near.get", () -> cache.get(KEY));
            measure("near.containsKey", () -> cache.containsKey(KEY));
        }
    }

    private void instances(List<String> addresses) {
        try (CacheManager manager = KeyslotManagers.openPatiently("instances", addresses)) {
            Cache<String, Customer> cache = filled(manager);
            measure("instances.get", () -> cache.get(KEY));
            measure("instances.put", () -> cache.put(KEY, Customer.of(17)));
            Map<String, Customer> all = IntStream.range(0, ENTRIES)
                    .boxed()
                    .collect(Collectors.toMap(id -> Integer.toString(id), Customer::of));
            measure("instances.getAll100", () -> cache.getAll(all.keySet()));
            measure("instances.putAll100", () -> cache.putAll(all));
            measure("instances.invoke", () -> cache.invoke(KEY, MOVE));
        }
    }

    private static Cache<String, Customer> filled(CacheManager manager) {
        Cache<String, Customer> cache = manager.createCache(
                "customer", new MutableConfiguration<String, Customer>().setTypes(String.class, Customer.class));
        for (int id = 0; id < ENTRIES; id++) {
            cache.put(Integer.toString(id), Customer.of(id));
        }
        return cache;
    }

    /**
     * Counts the bytes that all threads of this JVM allocate while one of them calls: which of them does the work of a call is
     * not what is measured. Other work in the JVM can only add, so the least of several rounds is taken.
     */
    private static final class AllocationMeter {
        private static final int WARM_UP_CALLS = 1_000;
        private static final int ROUNDS = 8;
        private static final int CALLS_OF_A_ROUND = 500;

        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /** Returns how many bytes are allocated for each call, rounded down. */
        long bytesPerCall(Runnable call) {
            repeat(call, WARM_UP_CALLS);
            return LongStream.generate(() -> bytesOfARound(call))
                            .limit(ROUNDS)
                            .min()
                            .orElseThrow()
                    / CALLS_OF_A_ROUND;
        }

        private long bytesOfARound(Runnable call) {
            long before = allocatedBytes();
            repeat(call, CALLS_OF_A_ROUND);
            return allocatedBytes() - before;
        }

        private long allocatedBytes() {
            // Of a thread that has just ended, the answer is -1.
            return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                    .filter(bytes -> bytes > 0)
                    .sum();
        }

        private static void repeat(Runnable call, int times) {
            for (int i = 0; i < times; i++) {
                call.run();
            }
        }
    }
}
