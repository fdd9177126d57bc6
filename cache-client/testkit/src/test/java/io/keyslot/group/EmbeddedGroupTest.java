// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The contracts of aggregates on the engine that runs without any server. */
class EmbeddedGroupTest {
    private static final Supplier<GroupFixture> ENGINE = EmbeddedGroupFixture::new;

    @Nested
    class Hash extends HashContract {
        Hash() {
            super(ENGINE);
        }
    }

    @Nested
    class List extends ListContract {
        List() {
            super(ENGINE);
        }
    }

    @Nested
    class Set extends SetContract {
        Set() {
            super(ENGINE);
        }
    }

    @Nested
    class SortedSet extends SortedSetContract {
        SortedSet() {
            super(ENGINE);
        }
    }

    @Nested
    class Counter extends CounterContract {
        Counter() {
            super(ENGINE);
        }
    }

    @Nested
    class Rows extends RowsContract {
        Rows() {
            super(ENGINE);
        }
    }

    @Nested
    class Lifetime extends LifetimeContract {
        Lifetime() {
            super(ENGINE);
        }
    }
}
