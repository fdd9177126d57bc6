// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PartitionedConfigurationTest {
    private static final EntryLimits LIMITS = new EntryLimits(100, 1_000, 10);
    private static final LoadingOptions LOADING = LoadingOptions.defaults().withTimeout(Duration.ofSeconds(3));
    private static final WriteBehindOptions WRITE_BEHIND =
            WriteBehindOptions.defaults().withQueue(7);
    private static final NearOptions NEAR = NearOptions.ofEntries(7);

    @Nested
    class Copy {
        @Test
        void everyOption_isKept() {
            PartitionedConfiguration<String, String> original = full();

            PartitionedConfiguration<String, String> copy = new PartitionedConfiguration<>(original);

            assertThat(copy).isEqualTo(original).hasSameHashCodeAs(original);
        }
    }

    @Nested
    class Equality {
        @ParameterizedTest
        @MethodSource("io.keyslot.cache.PartitionedConfigurationTest#changes")
        void configurationsThatDifferInOneOption_areNotEqual(
                Consumer<PartitionedConfiguration<String, String>> change) {
            PartitionedConfiguration<String, String> changed = full();

            change.accept(changed);

            assertThat(changed).isNotEqualTo(full());
        }
    }

    static Stream<Consumer<PartitionedConfiguration<String, String>>> changes() {
        return Stream.of(
                configuration -> configuration.setEntityType("other"),
                configuration -> configuration.setGroupedBy("other"),
                configuration -> configuration.setCodecFactory(new FactoryBuilder.SingletonFactory<>(new Plain("b"))),
                configuration -> configuration.setMissingPartition(MissingPartitionPolicy.MISS),
                configuration -> configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.FAIL),
                configuration -> configuration.setLoading(LOADING.withBulkhead(1)),
                configuration -> configuration.setWriteBehind(WRITE_BEHIND.withBatch(1)),
                configuration -> configuration.setNear(NEAR.withStaleness(Duration.ofSeconds(1))),
                configuration -> configuration.setEvents(EventScope.LOCAL),
                configuration -> configuration.setReads(ReplicaReads.nearest(Duration.ofSeconds(1))),
                configuration -> configuration.setLimits(LIMITS.withKeyBytes(101)),
                configuration -> configuration.setLimits(LIMITS.withValueBytes(1_001)),
                configuration -> configuration.setLimits(LIMITS.withBatchKeys(11)),
                configuration -> configuration.setStatisticsEnabled(false),
                configuration -> configuration.setTimeToLive(Duration.ofMinutes(1)));
    }

    @Test
    void everySetter_canBeChained() {
        assertThat(Stream.of(PartitionedConfiguration.class.getMethods())
                        .filter(method -> method.getName().matches("(set|add|remove).*"))
                        .filter(method -> !method.isBridge()))
                .hasSizeGreaterThan(20)
                .allSatisfy(setter -> assertThat(setter.getReturnType()).isEqualTo(PartitionedConfiguration.class));
    }

    @Nested
    class Serialization {
        @Test
        void configuration_comesBackEqual() throws Exception {
            PartitionedConfiguration<String, String> original = full().setTimeToLive(Duration.ofSeconds(5));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(original);
            }

            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                assertThat(in.readObject()).isEqualTo(original);
            }
        }
    }

    @Nested
    class TimeToLive {
        @Test
        void timeToLive_countsFromTheLastWrite() {
            PartitionedConfiguration<String, String> configuration =
                    new PartitionedConfiguration<String, String>().setTimeToLive(Duration.ofSeconds(5));

            assertThat(configuration.getExpiryPolicyFactory())
                    .isEqualTo(ModifiedExpiryPolicy.factoryOf(
                            new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, 5_000)));
            assertThat(configuration.hasExpiryPolicy()).isTrue();
        }

        @Test
        void lessThanAMillisecond_isRejected() {
            assertThatThrownBy(() -> new PartitionedConfiguration<>().setTimeToLive(Duration.ofNanos(999_999)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeToLive is PT0.000999999S, must be from 1 ms to PT2562047788015H12M55.807S");
        }
    }

    @Nested
    class Options {
        @Test
        void emptyNames_areRejected() {
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();

            assertThatThrownBy(() -> configuration.setEntityType("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> configuration.setGroupedBy("")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static PartitionedConfiguration<String, String> full() {
        return new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setStatisticsEnabled(true)
                .setManagementEnabled(true)
                .setEntityType("customer")
                .setGroupedBy("company")
                .setCodecFactory(new FactoryBuilder.SingletonFactory<>(new Plain("a")))
                .setMissingPartition(MissingPartitionPolicy.FAIL)
                .setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL)
                .setLoading(LOADING)
                .setWriteBehind(WRITE_BEHIND)
                .setNear(NEAR)
                .setEvents(EventScope.FEED)
                .setReads(ReplicaReads.upTo(Duration.ofSeconds(1)))
                .setLimits(LIMITS);
    }

    /** A codec that can be serialized. */
    private record Plain(String name) implements Codec<String>, Serializable {
        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString();
        }
    }
}
