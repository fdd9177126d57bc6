// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.Generation;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.routing.Layout;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CatalogueSourceTest {
    private static final ClientOptions OPTIONS = ClientOptions.embeddedDefaults();
    private static final PartitionMap FIRST = ConfiguredMap.of(OPTIONS);
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");

    private final ManualTime time = new ManualTime(3);
    private final Offered catalogue = new Offered();
    private final CatalogueSource source = new CatalogueSource(catalogue, FIRST, MapLayouts.of(OPTIONS), time.timing());
    private final List<Layout> told = new ArrayList<>();

    /** Shows what the test says, when the test says so. */
    private static final class Offered implements Catalogue {
        private PartitionMap map = FIRST;
        private final List<CompletableFuture<Optional<PartitionMap>>> copies = new ArrayList<>();

        @Override
        public CompletableFuture<CatalogueAnswer> read() {
            return CompletableFuture.completedFuture(new CatalogueAnswer.Ok(map));
        }

        @Override
        public CompletableFuture<Optional<MapStamp>> peek() {
            return CompletableFuture.completedFuture(Optional.of(map.stamp()));
        }

        @Override
        public CompletableFuture<Optional<MapStamp>> glance() {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletableFuture<Optional<PartitionMap>> copy() {
            CompletableFuture<Optional<PartitionMap>> copy = new CompletableFuture<>();
            copies.add(copy);
            return copy;
        }

        void show() {
            copies.forEach(copy -> copy.complete(Optional.of(map)));
        }

        @Override
        public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
            return read();
        }

        @Override
        public CompletableFuture<CatalogueAnswer> repeat(PartitionMap next) {
            return read();
        }

        @Override
        public void close() {}
    }

    private static PartitionMap changed(PartitionMap map) {
        return map.next(new MapCommit("op" + map.version(), "test", "", Instant.EPOCH), content -> content);
    }

    private void listen() {
        source.listen(told::add);
        catalogue.show();
    }

    private static PartitionMap in(PartitionMap map, Generation generation) {
        return new PartitionMap(new MapStamp(generation, map.version() + 1), map.commit(), map.content());
    }

    @Test
    void aNewerMap_isToldWithinSixSeconds() {
        listen();
        catalogue.map = changed(FIRST);

        time.advance(Duration.ofSeconds(6));
        catalogue.show();

        assertThat(told).extracting(layout -> layout.slotMap().version()).containsExactly(2L);
    }

    @Test
    void whatIsSought_isLookedForAgain_untilItIsSeen() {
        listen();
        int before = catalogue.copies.size();
        for (int i = 0; i < 1_000; i++) {
            assertThat(source.isSought(2, P1)).isTrue();
        }
        catalogue.show();
        time.advance(Duration.ofMillis(50));
        catalogue.show();
        catalogue.map = changed(FIRST);

        for (int i = 0; i < 5; i++) {
            time.advance(Duration.ofMillis(50));
            catalogue.show();
        }

        assertThat(told).hasSize(1);
        assertThat(catalogue.copies.size() - before).isBetween(3, 8);
    }

    @Test
    void anOlderMap_andARival_areNotTold_aLaterGenerationIs() {
        listen();
        PartitionMap third = changed(changed(FIRST));
        catalogue.map = third;
        look();
        catalogue.map = changed(FIRST);
        look();
        catalogue.map = in(third, new Generation(0, "rival"));
        look();
        assertThat(source.map()).isEqualTo(third);

        catalogue.map = in(third, new Generation(1, "a"));
        look();

        assertThat(source.map()).isEqualTo(catalogue.map);
        assertThat(told).extracting(layout -> layout.slotMap().version()).containsExactly(3L, 4L);
    }

    private void look() {
        CompletableFuture<PartitionMap> unused = source.refresh();
        catalogue.show();
    }

    @Test
    void partitionOfTheMapOnly_isReachedByTheLoginOfTheConfiguration() {
        PartitionUri own = new PartitionUri(false, "one", 6379, 0, "one", "own");
        PartitionUri plain = new PartitionUri(false, "two", 6379, 0, null, null);
        PartitionUri bare = new PartitionUri(false, "one", 6379, 0, null, null);
        MappedPartition p1 = MappedPartition.active(P1, bare, 1);
        MappedPartition p2 = MappedPartition.active(P2, plain, 1);
        MapLayouts layouts = new MapLayouts(
                List.of(new PartitionOptions(P1, own, 1, List.of())),
                new Access(new Login("app", "secret"), Login.NONE, TlsOptions.defaults()),
                List.of("tw*"));

        assertThat(layouts.options(p1).uri()).isEqualTo(own);
        assertThat(layouts.options(p2).uri())
                .isEqualTo(new PartitionUri(false, "two", 6379, 0, "app", "secret"))
                .asString()
                .doesNotContain("secret");
    }
}
