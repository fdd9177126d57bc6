// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearState;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What {@code explain} says of near copies, in virtual time. */
class NearExplanationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
            KeyslotSettings.defaults().withPartitions(2).withProperty("keyslot.metrics", "false"));

    private final PartitionedCache<String, String> near =
            cache(0, configuration().setNear(NearOptions.ofEntries(100)));
    private final PartitionedCache<String, String> other = cache(1, configuration());

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> cache(
            int process, PartitionedConfiguration<String, String> configuration) {
        return keyslot.cacheManager(process).createCache("near", configuration).unwrap(PartitionedCache.class);
    }

    private NearState explained() {
        return Objects.requireNonNull(near.explain("a").near());
    }

    private void read() {
        near.put("a", "1");
        near.get("a");
    }

    @Test
    void copy_isExplainedWithItsAge() {
        read();
        keyslot.advance(SECOND);

        NearState state = explained();

        assertThat(state.isServed()).isTrue();
        assertThat(state.readAgo()).isEqualTo(SECOND);
        assertThat(state.age()).isLessThan(SECOND);
        assertThat(state.lastEnd()).isNull();
    }

    private void assertEnded(NearEnd cause) {
        NearState state = explained();
        assertThat(state.isServed()).isFalse();
        assertThat(state.lastEnd()).isEqualTo(cause);
        assertThat(state.endedAgo()).isNotNull();
    }

    @Test
    void ownChange_isNamed() {
        read();

        near.put("a", "2");
        keyslot.advance(SECOND);

        assertThat(explained().readAgo()).isNull();
        assertThat(explained().lastEnd()).isIn(NearEnd.OWN_CHANGE, NearEnd.TOLD);
        assertThat(explained().endedAgo()).isEqualTo(SECOND);
    }

    @Test
    void changeOfAnother_isNamed() {
        read();

        other.put("a", "2");

        assertEnded(NearEnd.TOLD);
    }

    @Test
    void lostConnection_isNamed() {
        read();

        keyslot.partitionOf(near, "a").resetConnections();
        near.get("b");
        keyslot.advance(SECOND);

        assertEnded(NearEnd.LINK_LOST);
    }
}
