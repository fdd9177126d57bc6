// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCacheManager;
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
abstract class ServersGroups {
    abstract PartitionedCacheManager manager();

    /** Groups in real servers, in real time. */
    private static final class Servers extends GroupFixture {
        private final ServersGroups groups;

        Servers(ServersGroups groups) {
            this.groups = groups;
        }

        @Override
        protected PartitionedCacheManager manager() {
            return groups.manager();
        }

        @Override
        protected void pass(Duration duration) {
            Awaitility.await()
                    .pollDelay(duration.toNanos(), TimeUnit.NANOSECONDS)
                    .until(() -> true);
        }
    }

    @Nested
    class Hash extends HashContract {
        Hash() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class Lists extends ListContract {
        Lists() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class Sets extends SetContract {
        Sets() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class SortedSet extends SortedSetContract {
        SortedSet() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class Counter extends CounterContract {
        Counter() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class Rows extends RowsContract {
        Rows() {
            super(() -> new Servers(ServersGroups.this));
        }
    }

    @Nested
    class Lifetime extends LifetimeContract {
        Lifetime() {
            super(() -> new Servers(ServersGroups.this));
        }
    }
}
