// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Action;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Four reads out of five, of all keys; writes of increasing versions to the keys that this thread owns.
 *
 * <p>A key has one owner, as the order in which two writers reach the database need not be that in which they reach the
 * cache. Half of the calls are about a few keys that everybody reads.
 */
final class VersionScript implements Script {
    static final int HOT_PER_THREAD = 2;
    static final int COLD_PER_THREAD = 100;

    private final Random random;
    private final int thread;
    private final int threads;
    private final Map<String, Long> versions = new HashMap<>();

    VersionScript(Random random, int thread, int threads) {
        this.random = random;
        this.thread = thread;
        this.threads = threads;
    }

    @Override
    public Call next() {
        int kind = random.nextInt(100);
        if (kind < 80) {
            return Call.get(key(random.nextInt(threads)));
        }
        String key = key(thread);
        long version = versions.merge(key, 1L, Long::sum);
        if (kind < 93) {
            return Call.of(Action.PUT, key, version);
        }
        return Call.of(kind < 95 ? Action.REMOVE : Action.EXCHANGE, key, version);
    }

    private String key(int owner) {
        return random.nextBoolean()
                ? "hot:%d.%d".formatted(owner, random.nextInt(HOT_PER_THREAD))
                : "cold:%d.%d".formatted(owner, random.nextInt(COLD_PER_THREAD));
    }
}
