// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.KnownNodes.Range;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KnownNodesTest {
    private static final String RED = "0123456789012345678901234567890123456789";
    private static final String BLUE = "b123456789012345678901234567890123456789";
    private static final String COPY = "c123456789012345678901234567890123456789";
    private static final String WHOLE = String.join(
            "\n",
            RED + " 127.0.0.1:7001@17001,,shard-id=1 myself,master - 0 1700000000000 1 connected 0-8190 8192",
            BLUE + " 127.0.0.1:7002@17002 master - 0 1700000000000 2 connected 8191 8193-16383",
            COPY + " 127.0.0.1:7003@17003 slave " + BLUE + " 0 1700000000000 2 connected",
            "");

    @Test
    void of_textOfAServer_hasRolesAndSlots() {
        KnownNodes view = KnownNodes.of(WHOLE);

        assertThat(view.self().slots()).containsExactly(new Range(0, 8_190), new Range(8_192, 8_192));
        assertThat(view.self().slotCount()).isEqualTo(8_192);
        assertThat(view.members()).extracting(KnownNodes.Member::isPrimary).containsExactly(true, true, false);
        assertThat(view.isWhole()).isTrue();
    }

    @Test
    void isWhole_slotIsMoving_isFalse() {
        assertThat(KnownNodes.of(WHOLE.replace("8192\n", "8192 [8192->-" + BLUE + "]\n"))
                        .isWhole())
                .isFalse();
    }

    @Test
    void isWhole_slotWithoutOwner_isFalse() {
        assertThat(KnownNodes.of(WHOLE.replace(" 8192\n", "\n")).isWhole()).isFalse();
    }

    @Test
    void isWhole_ownerHasFailedOrMayHave_isFalse() {
        assertThat(KnownNodes.of(WHOLE.replace("17002 master", "17002 master,fail"))
                        .isWhole())
                .isFalse();
        assertThat(KnownNodes.of(WHOLE.replace("17002 master", "17002 master,fail?"))
                        .isWhole())
                .isFalse();
    }

    @Test
    void agreed_viewsOfTwoNodes_areTheSameThoughTheySeeThemselves() {
        String other = WHOLE.replace("myself,", "").replace("17002 master", "17002 myself,master");
        String reversed = other.lines().sorted((one, two) -> two.compareTo(one)).collect(Collectors.joining("\n"));

        assertThat(KnownNodes.of(reversed).agreed())
                .isEqualTo(KnownNodes.of(WHOLE).agreed());
        assertThat(KnownNodes.of(other.replace("0-8190", "0-8189")).agreed())
                .isNotEqualTo(KnownNodes.of(WHOLE).agreed());
    }
}
