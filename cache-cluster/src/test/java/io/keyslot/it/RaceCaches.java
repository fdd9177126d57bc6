// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.race.Database;
import io.keyslot.race.RaceSetting;
import io.keyslot.race.Rows;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheManager;

/** The caches of races on real servers, the same in each process that draws them from the same seed. */
record RaceCaches(RaceSetting setting) {
    static RaceCaches draw(long seed) {
        return new RaceCaches(RaceSetting.random(new Random(seed)));
    }

    /** Returns the same, with the calls in two processes. */
    RaceCaches inTwoProcesses() {
        return new RaceCaches(setting.inTwoProcesses());
    }

    @SuppressWarnings("unchecked") // of these types
    PartitionedCache<String, String> create(CacheManager manager, String name, Rows database) {
        return manager.createCache(name, setting.configuration(database)).unwrap(PartitionedCache.class);
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
}
