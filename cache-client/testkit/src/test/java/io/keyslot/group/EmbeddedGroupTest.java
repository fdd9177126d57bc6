// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The contracts of aggregates on the engine that runs without any server. */
class EmbeddedGroupTest implements AggregateContract.Engine {
    @Override
    public GroupFixture fixture() {
        return new EmbeddedGroupFixture();
    }

    @Nested
    class Hash extends HashContract {}

    @Nested
    class List extends ListContract {}

    @Nested
    class Set extends SetContract {}

    @Nested
    class SortedSet extends SortedSetContract {}

    @Nested
    class Counter extends CounterContract {}

    @Nested
    class Rows extends RowsContract {}

    @Nested
    class Lifetime extends LifetimeContract {}

    private static final class EmbeddedGroupFixture extends GroupFixture {
        private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

        @Override
        protected PartitionedCacheManager manager() {
            return keyslot.cacheManager();
        }

        @Override
        protected void pass(Duration duration) {
            keyslot.advance(duration);
        }

        @Override
        public void close() {
            keyslot.close();
        }
    }
}
