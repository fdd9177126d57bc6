// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of calls, each for keys of its own, on partitions that are slow, busy, frozen or lose answers; some calls are
 * interrupted at some moment, others come to their deadline. Of a call that has returned nothing is ever sent again but what
 * takes something away: deletions of what nobody knows, and leases that are given up.
 */
class GivingUpSimulationTest {
    private static final int CALLS = 120;
    private static final Duration CALL = Duration.ofMillis(500);
    private static final Duration AFTERWARDS = Duration.ofSeconds(5);

    private final Set<String> returned = new HashSet<>();
    private final List<String> sentTooLate = new ArrayList<>();
    private int calls;
    private int interrupted;
    private boolean inCall;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void returnedCall_sendsNothing(long seed) {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                .withPartitions(2)
                .withProperty("keyslot.metrics", "false")
                .withSeed(seed))) {
            Cache<String, String> cache =
                    keyslot.cacheManager().createCache("calls", new PartitionedConfiguration<String, String>());
            keyslot.partitions().forEach(partition -> partition.watch(this::sent));
            Random random = new Random(seed);
            for (int i = 0; i < CALLS; i++) {
                fault(keyslot, random);
                call(keyslot, cache, random);
            }
            keyslot.partitions()
                    .forEach(partition -> partition.slow(Duration.ZERO).thaw());
            keyslot.advance(AFTERWARDS);
        } finally {
            boolean unused = Thread.interrupted();
        }

        assertThat(sentTooLate).isEmpty();
        assertThat(interrupted).isPositive();
    }

    private static void fault(EmbeddedKeyslot keyslot, Random random) {
        PartitionFaults partition = keyslot.partitions().get(random.nextInt(2));
        switch (random.nextInt(8)) {
            case 0, 1 -> partition.slow(Duration.ofMillis(random.nextInt(180)));
            case 2, 3 -> partition.refuseNow(1 + random.nextInt(6));
            case 4 -> partition.dropReplies(1 + random.nextInt(2));
            case 5 -> partition.freeze();
            case 6 -> partition.thaw();
            default -> keyslot.advance(Duration.ofMillis(random.nextInt(400)));
        }
    }

    private void call(EmbeddedKeyslot keyslot, Cache<String, String> cache, Random random) {
        calls++;
        String key = "call-" + calls + "-";
        Thread thread = Thread.currentThread();
        if (random.nextInt(3) > 0) {
            keyslot.after(Duration.ofMillis(random.nextInt((int) CALL.toMillis())), () -> {
                if (inCall) {
                    thread.interrupt();
                }
            });
        }
        inCall = true;
        try {
            operate(cache, key, random.nextInt(12));
        } catch (CallInterruptedException e) {
            interrupted++;
        } catch (KeyslotException e) {
            // not done, or not known: what counts is what is sent from now on
        } finally {
            inCall = false;
            boolean unused = Thread.interrupted();
            returned.add(key);
        }
        keyslot.advance(Duration.ofMillis(random.nextInt(50)));
    }

    private static void operate(Cache<String, String> cache, String key, int choice) {
        switch (choice) {
            case 0 -> cache.put(key, "v");
            case 1 -> cache.putIfAbsent(key, "v");
            case 2 -> cache.remove(key);
            case 3 -> cache.getAndRemove(key);
            case 4 -> cache.getAndPut(key, "v");
            case 5 -> cache.replace(key, "v");
            case 6 -> cache.get(key);
            case 7 -> cache.containsKey(key);
            case 8 -> cache.putAll(many(key));
            case 9 -> cache.getAll(many(key).keySet());
            case 10 -> cache.removeAll(many(key).keySet());
            default ->
                cache.invoke(key, (entry, arguments) -> {
                    entry.setValue("v");
                    return true;
                });
        }
    }

    private static Map<String, String> many(String key) {
        Map<String, String> many = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            many.put(key + i, "v");
        }
        return many;
    }

    private void sent(Command<?> command) {
        for (EncodedKey key : keysOf(command)) {
            String text = key.text();
            int from = text.indexOf("call-");
            String call = from < 0 ? "" : text.substring(from, text.indexOf('-', from + 5) + 1);
            if (returned.contains(call)) {
                sentTooLate.add(command.name() + " " + text);
            }
        }
    }

    /** Returns the keys of a command, none if it takes away only what may or must go. */
    private static List<EncodedKey> keysOf(Command<?> command) {
        if (command instanceof Command.PutAll all) {
            return all.puts().stream().map(Command.Put::key).toList();
        }
        if (command instanceof Command.GetAll all) {
            return all.keys();
        }
        EncodedKey key = keyOf(command);
        return key == null ? List.of() : List.of(key);
    }

    private static @Nullable EncodedKey keyOf(Command<?> command) {
        if (command instanceof Command.Put put) {
            return put.key();
        }
        if (command instanceof Command.CompareAndSet set) {
            return set.key();
        }
        if (command instanceof Command.Get get) {
            return get.key();
        }
        if (command instanceof Command.GetAndRemove remove) {
            return remove.key();
        }
        if (command instanceof Command.GetAndExpire expire) {
            return expire.key();
        }
        return command instanceof Command.Lease lease ? lease.key() : null;
    }
}
