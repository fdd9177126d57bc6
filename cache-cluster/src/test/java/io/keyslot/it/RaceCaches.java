// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.Codec;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.race.Database;
import io.keyslot.race.RaceSetting;
import io.keyslot.race.Rows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheManager;

/**
 * The caches of races on real servers, the same in each process that draws them from the same seed.
 *
 * @param isLarge whether values take more than 1 MiB, and are stored in parts
 */
record RaceCaches(RaceSetting setting, boolean isLarge) {
    private static final int LARGE_BYTES = 1_200_000;

    static RaceCaches draw(long seed) {
        Random chance = new Random(seed);
        RaceSetting setting = RaceSetting.random(chance);
        return new RaceCaches(setting, chance.nextInt(10) == 0);
    }

    /** Returns the same, with the calls in two processes. */
    RaceCaches inTwoProcesses() {
        return new RaceCaches(setting.inTwoProcesses(), isLarge);
    }

    @SuppressWarnings("unchecked") // of these types
    PartitionedCache<String, String> create(CacheManager manager, String name, Rows database) {
        PartitionedConfiguration<String, String> configuration = setting.configuration(database);
        if (isLarge) {
            configuration.setCodecFactory(Padded::new);
        }
        return manager.createCache(name, configuration).unwrap(PartitionedCache.class);
    }

    /** Returns what is behind them, in one of the processes. */
    Database database() {
        return new Database(this::pause, this::fails);
    }

    private void pause() {
        switch (setting.writer()) {
            case FAST -> {}
            case FAILING, SLOW ->
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(300_000));
            case VERY_SLOW -> LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(3_000_000));
        }
    }

    private boolean fails() {
        return setting.writer() == RaceSetting.Writer.FAILING
                && ThreadLocalRandom.current().nextInt(3) == 0;
    }

    /** Text that takes more than a megabyte. */
    private static final class Padded implements Codec<String> {
        @Override
        public String name() {
            return "padded";
        }

        @Override
        public byte[] encode(String value) {
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(LARGE_BYTES)
                    .putInt(text.length)
                    .put(text)
                    .array();
        }

        @Override
        public String decode(ByteBuffer bytes) {
            byte[] text = new byte[bytes.getInt()];
            bytes.get(text);
            return new String(text, StandardCharsets.UTF_8);
        }
    }
}
