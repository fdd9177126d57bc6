// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PropertyOverridesTest {
    @Nested
    class Scalars {
        @Test
        void property_overridesTheFileEvenABadValue() {
            ClientOptions options = Given.yaml("namespace: file", "startup: { wait: soon }")
                    .property("keyslot.namespace", "property")
                    .property("keyslot.startup.wait", "5s")
                    .options();

            assertThat(options.namespace()).isEqualTo("property");
            assertThat(options.startupWait()).isEqualTo(Duration.ofSeconds(5));
            assertThat(options.origin()).isEqualTo("test, overridden by keyslot.namespace, keyslot.startup.wait");
        }

        @Test
        void listWithCommas_replacesTheListOfTheFile() {
            ClientOptions options = Given.yaml("codec: { allow: [ com.acme.A ] }")
                    .property("keyslot.codec.allow", "com.acme.B, com.acme.shop.**")
                    .options();

            assertThat(options.codec().allow()).containsExactly("com.acme.B", "com.acme.shop.**");
        }
    }

    @Test
    void settingOfACache_isAddedOrReplaced() {
        ClientOptions options = Given.yaml("caches: { sale: { ttl: 1h, groupedBy: customer } }")
                .property("keyslot.caches.sale.ttl", "2h")
                .property("keyslot.caches.order.writeBehind.queue", "5")
                .options();

        assertThat(options.cache("sale").ttl()).isEqualTo(Duration.ofHours(2));
        assertThat(options.cache("sale").groupedBy()).isEqualTo("customer");
        assertThat(options.cache("order").writeBehind())
                .isEqualTo(WriteBehindOptions.defaults().withQueue(5));
    }

    @Nested
    class SectionsOfACache {
        @Test
        void sectionWithinASection_isFound() {
            ClientOptions options = Given.yaml("caches: { com.acme.Sale: { near: { maximumEntries: 7 } } }")
                    .property("keyslot.caches.com.acme.Sale.near.whenMissing.serve", "30s")
                    .property("keyslot.caches.com.acme.Sale.near.staleness", "1s")
                    .options();

            assertThat(options.caches()).containsOnlyKeys("com.acme.Sale");
            assertThat(options.cache("com.acme.Sale").near())
                    .isEqualTo(NearOptions.ofEntries(7)
                            .withStaleness(Duration.ofSeconds(1))
                            .withWhenMissing(Duration.ofSeconds(30)));
        }

        @Test
        void nameWithDots_isWhatStandsBeforeTheSection() {
            ClientOptions options = Given.yaml()
                    .property("keyslot.caches.com.acme.Sale.writeThrough", "true")
                    .property("keyslot.caches.com.acme.Sale.writeBehind.queue", "7")
                    .options();

            assertThat(options.caches()).containsOnlyKeys("com.acme.Sale");
            assertThat(options.cache("com.acme.Sale").writeBehind())
                    .isEqualTo(WriteBehindOptions.defaults().withQueue(7));
        }

        @Test
        void nameThatEndsLikeASection_isKnownByASettingThatIsNotInIt() {
            ClientOptions options = Given.yaml()
                    .property("keyslot.caches.page.loading.ttl", "1h")
                    .options();

            assertThat(options.caches()).containsOnlyKeys("page.loading");
        }
    }

    @Nested
    class Partitions {
        @Test
        void addresses_areNamedByTheirPlace() {
            ClientOptions options = Given.yaml("partitions: 5")
                    .property("keyslot.partitions", "redis://127.0.0.1:7001, redis://127.0.0.1:7002")
                    .options();

            assertThat(options.engine()).isEqualTo(Engine.INSTANCES);
            assertThat(options.partitions())
                    .extracting(partition -> partition.name().name())
                    .containsExactly("p1", "p2");
        }

        @Test
        void pairs_areNamedByThemselves() {
            ClientOptions options = Given.yaml()
                    .property("keyslot.partitions", "red=redis://127.0.0.1:7001, blue=redis://:a=b@127.0.0.1:7002")
                    .options();

            assertThat(options.partitions())
                    .extracting(partition -> partition.name().name())
                    .containsExactly("red", "blue");
        }

        @Test
        void settingOfAPartition_isAddedOrReplaced() {
            ClientOptions options = Given.yaml("partitions: { p1: { uri: 'redis://127.0.0.1', weight: 3 } }")
                    .property("keyslot.partitions.p1.weight", "2")
                    .property("keyslot.partitions.p2.eu", "redis://127.0.0.1:7002")
                    .options();

            assertThat(options.partitions())
                    .extracting(partition -> partition.name() + " " + partition.weight())
                    .containsExactly("p1 2", "p2.eu 1");
        }
    }

    @Nested
    class Problem {
        @Test
        void unknownProperty_isAProblem() {
            assertThat(Given.yaml()
                            .property("keyslot.deadline.call", "1s")
                            .property("keyslot.caches.sale.tll", "1s")
                            .property("other.setting", "1")
                            .problems())
                    .containsExactly(
                            "property keyslot.caches.sale.tll: caches.sale.tll is not a setting, did you mean ttl?",
                            "property keyslot.deadline.call: deadline is not a setting, did you mean deadlines?");
        }

        @Test
        void settingBelowASingleValue_isAProblem() {
            assertThat(Given.yaml("partitions:", "  p1: redis://127.0.0.1")
                            .property("keyslot.partitions.p1.weight", "2")
                            .problems())
                    .containsExactly("property keyslot.partitions.p1.weight: p1 is a single value there"
                            + " (keyslot.yaml:2:3) and has no settings below it: write it as a mapping,"
                            + " or override it as a whole");
        }

        @Test
        void object_isAProblemUnlessTheClientNamesIt() {
            assertThat(Given.yaml()
                            .property("keyslot.sharedInstances", true)
                            .property("keyslot.meterRegistry", new Object())
                            .property("other", 1)
                            .problems())
                    .containsExactly(
                            "property keyslot.sharedInstances: is an object of java.lang.Boolean, must be text");
        }

        @Test
        void addressWithAPassword_isNotShown() {
            assertThat(Given.yaml()
                            .property("keyslot.partitions", "redis://user:ti,ger@host")
                            .failure())
                    .hasMessageNotContainingAny("ti,", "ger@");
        }
    }
}
