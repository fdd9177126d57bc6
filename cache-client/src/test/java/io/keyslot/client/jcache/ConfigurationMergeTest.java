// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConfigurationMergeTest {
    private static final URI ANY = URI.create("merge-test");
    private static final ClassLoader LOADER = ConfigurationMergeTest.class.getClassLoader();

    private final Properties properties = new Properties();
    private final PartitionedConfiguration<String, String> given =
            new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);

    private ConfigurationMergeTest file(String setting, String value) {
        properties.setProperty("keyslot.caches.customer." + setting, value);
        return this;
    }

    private ClientOptions options() {
        return ConfigurationLoader.load(ANY, ANY, LOADER, properties, name -> null);
    }

    private ConfigurationMerge merge() {
        return new ConfigurationMerge(options(), LOADER);
    }

    private PartitionedConfiguration<String, String> merged() {
        return merge().merged("customer", given);
    }

    private ExpiryPolicy expiry() {
        return merged().getExpiryPolicyFactory().create();
    }

    private static javax.cache.expiry.Duration minutes(long minutes) {
        return new javax.cache.expiry.Duration(TimeUnit.MINUTES, minutes);
    }

    /** Loads what it is asked for. */
    public static class Echo implements CacheLoader<String, String> {
        @Override
        public String load(String key) {
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            Map<String, String> all = new HashMap<>();
            keys.forEach(key -> all.put(key, key));
            return all;
        }
    }

    /** Cannot be made. */
    public static final class Exploding extends Echo {
        public Exploding() {
            throw new IllegalStateException("no database");
        }
    }

    @Test
    void feed_isOfTheFileOrTheProgram_andNotForAClusterOrRawValues() {
        assertThat(merged().getFeed()).isNull();
        file("feed.keep", "5m");
        assertThat(merged().getFeed()).isEqualTo(FeedOptions.defaults().withKeep(Duration.ofMinutes(5)));
        given.setFeed(FeedOptions.defaults().withValues(true));
        assertThat(merged().getFeed()).isEqualTo(FeedOptions.defaults().withValues(true));

        given.setLayout(ValueLayout.RAW);
        assertThatThrownBy(this::merged).hasMessageContaining("it has a feed and raw values");
        given.setLayout(ValueLayout.KEYSLOT);
        properties.setProperty("keyslot.engine", "cluster");
        properties.setProperty("keyslot.partitions", "redis://127.0.0.1:1");
        assertThatThrownBy(this::merged).hasMessageContaining("it has a feed, which engine: cluster does not offer");
    }

    @Nested
    class Expiry {
        @Test
        void kind_isThatOfTheFile() {
            file("ttl", "5m").file("expiry", "created");
            assertThat(expiry()).isEqualTo(new CreatedExpiryPolicy(minutes(5)));

            file("expiry", "accessed");
            assertThat(expiry()).isEqualTo(new AccessedExpiryPolicy(minutes(5)));
        }
    }

    @Nested
    class Types {
        @Test
        void ofTheFile_areTakenIfTheProgramSaysNone() {
            file("keyType", "java.lang.Long").file("valueType", "java.lang.String");

            Configuration<Object, Object> merged =
                    merge().merged("customer", new MutableConfiguration<Object, Object>());

            assertThat((Class<?>) merged.getKeyType()).isEqualTo(Long.class);
            assertThat((Class<?>) merged.getValueType()).isEqualTo(String.class);
        }

        @Test
        void classThatIsNotThereAnyMore_isNamedWithItsSetting() {
            file("keyType", ConfigurationMergeTest.class.getName());
            ConfigurationMerge elsewhere = new ConfigurationMerge(options(), ClassLoader.getPlatformClassLoader());

            assertThatThrownBy(() -> elsewhere.merged("customer", new MutableConfiguration<Object, Object>()))
                    .isInstanceOf(CacheException.class)
                    .hasMessageEndingWith("caches.customer.keyType is io.keyslot.client.jcache.ConfigurationMergeTest,"
                            + " which is not on the class path of the cache manager");
        }
    }

    @Test
    void loaderThatCannotBeMade_isNamedWithItsSetting() {
        file("loader", Exploding.class.getName());

        assertThatThrownBy(() -> merged().getCacheLoaderFactory().create())
                .isInstanceOf(CacheException.class)
                .hasMessageEndingWith(
                        "caches.customer.loader is " + Exploding.class.getName() + ", of which no object could be made")
                .hasRootCauseMessage("no database");
    }

    @Nested
    class Options {
        private final LoadingOptions mine = LoadingOptions.defaults().withBulkhead(3);

        @BeforeEach
        void customise() {
            given.setCacheLoaderFactory(Echo::new);
            given.setReadThrough(true);
            given.setCacheWriterFactory(RecordingWriter::new);
            given.setWriteThrough(true);
        }

        @Test
        void ofTheFile_areTakenIfTheProgramSaysNone() {
            file("missingPartitionWrites", "journal");
            file("readThrough", "true").file("loading.negativeTtl", "5s");
            file("writeThrough", "true").file("writeBehind.queue", "7");

            assertThat(merged().getMissingPartitionWrites()).isEqualTo(MissingPartitionWritePolicy.JOURNAL);
            assertThat(merged().getLoading())
                    .isEqualTo(LoadingOptions.defaults().withNegativeTimeToLive(Duration.ofSeconds(5)));
            assertThat(merged().getWriteBehind())
                    .isEqualTo(WriteBehindOptions.defaults().withQueue(7));
        }

        @Test
        void ofTheProgram_goFirstAsAWhole() {
            file("missingPartitionWrites", "journal");
            file("readThrough", "true").file("loading.negativeTtl", "5s");
            file("writeThrough", "true").file("writeBehind.queue", "7");
            given.setMissingPartitionWrites(MissingPartitionWritePolicy.FAIL)
                    .setLoading(mine)
                    .setWriteBehind(WriteBehindOptions.defaults());

            assertThat(merged().getMissingPartitionWrites()).isEqualTo(MissingPartitionWritePolicy.FAIL);
            assertThat(merged().getLoading()).isEqualTo(mine);
            assertThat(merged().getWriteBehind()).isEqualTo(WriteBehindOptions.defaults());
        }
    }

    @Nested
    class Contradictions {
        @Test
        void loaderPolicyWithoutReadThrough_isRefused() {
            given.setMissingPartition(MissingPartitionPolicy.LOADER).setCacheLoaderFactory(Echo::new);

            assertThatThrownBy(ConfigurationMergeTest.this::merged)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Cache customer: missingPartition is LOADER, but the cache does not read through;"
                            + " set a loader and readThrough, or choose MISS or FAIL");
        }

        @Test
        void throughOfTheFileWithoutLoaderOrWriter_isRefused() {
            file("readThrough", "true").file("writeThrough", "true");

            assertThatThrownBy(ConfigurationMergeTest.this::merged)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Cache customer: readThrough is true, but there is no loader")
                    .hasMessageContaining("Cache customer: writeThrough is true, but there is no writer");
        }

        @Test
        void severalContradictions_areNamedAtOnce() {
            given.setGroupedBy("customer")
                    .setLoading(LoadingOptions.defaults())
                    .setWriteBehind(WriteBehindOptions.defaults());

            assertThatThrownBy(ConfigurationMergeTest.this::merged)
                    .hasMessageMatching("Cache customer: it is grouped by .*\\R"
                            + "Cache customer: it has options for loading.*\\R"
                            + "Cache customer: it is to write behind.*");
        }
    }
}
