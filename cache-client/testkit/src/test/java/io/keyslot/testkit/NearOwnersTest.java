// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.search.Mutation;
import org.junit.jupiter.api.Test;

/** Near copies of a slot that gets another owner, while the former one says nothing of it: {@link NearOwnersSearch}. */
class NearOwnersTest {
    @Test
    void copyOfASlotThatHasMoved_isNotServed_norIfItComesBack() {
        assertThat(new NearOwnersSearch().apply("", 1)).isEmpty();
    }

    /** Nobody tells of what the new owner has until the former one is emptied. */
    @Test
    void mapThatIsNotChecked_isNoticed() {
        Mutation mutation = new Mutation(
                "io.keyslot.client.near.NearEntry", "&& slots.isStill(slot, version);", "&& slots != null;");

        assertThat(mutation.searched(NearOwnersSearch.class, "", 1)).isNotEmpty();
    }
}
