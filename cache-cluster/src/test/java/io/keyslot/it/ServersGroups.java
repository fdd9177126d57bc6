// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.group.AggregateContract;
import io.keyslot.group.CounterContract;
import io.keyslot.group.GroupFixture;
import io.keyslot.group.HashContract;
import io.keyslot.group.LifetimeContract;
import io.keyslot.group.ListContract;
import io.keyslot.group.RowsContract;
import io.keyslot.group.SetContract;
import io.keyslot.group.SortedSetContract;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;

/** The contracts of aggregates on real servers; who extends this starts them. */
abstract class ServersGroups implements AggregateContract.Engine {
    abstract PartitionedCacheManager manager();

    @Override
    public GroupFixture fixture() {
        return new Servers();
    }

    /** Groups in real servers, in real time. */
    private final class Servers extends GroupFixture {
        @Override
        protected PartitionedCacheManager manager() {
            return ServersGroups.this.manager();
        }

        @Override
        protected void pass(Duration duration) {
            Awaitility.await()
                    .pollDelay(duration.toNanos(), TimeUnit.NANOSECONDS)
                    .until(() -> true);
        }
    }

    @Nested
    class Hash extends HashContract {}

    @Nested
    class Lists extends ListContract {}

    @Nested
    class Sets extends SetContract {}

    @Nested
    class SortedSet extends SortedSetContract {}

    @Nested
    class Counter extends CounterContract {}

    @Nested
    class Rows extends RowsContract {}

    @Nested
    class Lifetime extends LifetimeContract {}
}
