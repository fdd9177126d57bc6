// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ContenderTypeTest {
    @Test
    void first_isPlainLettuce() {
        assertThat(ContenderType.all().get(0).label()).isEqualTo("lettuce-sync");
    }

    @Test
    void all_areFoundByTheirNames() {
        assertThat(ContenderType.all())
                .allSatisfy(type -> assertThat(ContenderType.of(type.label())).isSameAs(type));
    }

    @Test
    void unknownName_isRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> ContenderType.of("memcached"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memcached")
                .hasMessageContaining("lettuce-sync, lettuce-kryo, keyslot");
    }
}
