// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.search.Mutation;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import javax.cache.Cache;
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

    /**
     * All slots go to another partition and come back, by maps of which all processes hear at once. What was stored before stays where
     * it was, as it does until a move is over. Answers what was found that must not be; the empty text if nothing was.
     */
    public static final class NearOwnersSearch implements BiFunction<String, Integer, String> {
        private static final PartitionId P1 = new PartitionId("p1");
        private static final PartitionId P2 = new PartitionId("p2");
        private static final int KEYS = 8;

        private final List<Source> sources = new ArrayList<>();

        /** Where a process hears of it. */
        private final class Source implements TopologySource {
            private final ClientOptions options;
            private Consumer<Layout> listener = layout -> {};

            Source(ClientOptions options) {
                this.options = options;
                sources.add(this);
            }

            @Override
            public Layout first() {
                return layout(1, P1, P2);
            }

            private Layout layout(long version, PartitionId first, PartitionId second) {
                return new Layout(SlotMap.ofEqualShares(version, List.of(first, second)), options.partitions());
            }

            @Override
            public void listen(Consumer<Layout> told) {
                listener = told;
            }

            @Override
            public void close() {
                listener = layout -> {};
            }

            void go(long version, PartitionId first, PartitionId second) {
                listener.accept(layout(version, first, second));
            }
        }

        @Override
        public String apply(String unused, Integer times) {
            try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
                    KeyslotSettings.defaults().withPartitions(2), (process, options) -> new Source(options))) {
                PartitionedConfiguration<String, Integer> near = new PartitionedConfiguration<>();
                near.setNear(NearOptions.ofEntries(100).withStaleness(Duration.ofMinutes(1)));
                Cache<String, Integer> reader = keyslot.cacheManager(0).createCache("prices", near);
                Cache<String, Integer> writer =
                        keyslot.cacheManager(1).createCache("prices", new PartitionedConfiguration<>());
                keyslot.advance(Duration.ofSeconds(1)); // until the links are there
                String found = round(reader, writer, 1);
                sources.forEach(source -> source.go(2, P2, P1));
                found += round(reader, writer, 2);
                sources.forEach(source -> source.go(3, P1, P2));
                return found + round(reader, writer, 3);
            }
        }

        /** Others write, and what they have written is read twice: the second time it is a copy. */
        private static String round(Cache<String, Integer> reader, Cache<String, Integer> writer, int value) {
            StringBuilder wrong = new StringBuilder();
            for (int i = 0; i < KEYS; i++) {
                String key = "k" + i;
                writer.put(key, value);
                for (int read = 0; read < 2; read++) {
                    Integer found = reader.get(key);
                    if (!Objects.equals(found, value)) {
                        wrong.append("%s is %s instead of %d%n".formatted(key, found, value));
                    }
                }
            }
            return wrong.toString();
        }
    }
}
