// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.PartitionedCache;
import java.time.Duration;
import java.util.Map;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time to live of one call, which JCache does not have. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class TimeToLiveConformance extends JCacheConformance {
    private static final Duration SHORT = Duration.ofMillis(60);

    private final SettableExpiry policy = new SettableExpiry();
    private PartitionedCache<String, String> cache;

    @BeforeEach
    @SuppressWarnings("unchecked")
    void createCache() {
        cache = create(strings().setExpiryPolicyFactory(() -> policy)).unwrap(PartitionedCache.class);
    }

    @Test
    void entryWithATimeToLive_expires() {
        cache.put("a", "v", SHORT);
        cache.putAll(Map.of("b", "v"), SHORT);
        assertThat(cache.putIfAbsent("c", "v", SHORT)).isTrue();
        await("expiry of the entries").until(() -> !cache.iterator().hasNext());
    }

    @Test
    void timeToLive_goesBeforeThePolicy() {
        policy.onCreation(() -> javax.cache.expiry.Duration.ZERO);
        cache.put("k", "v", Duration.ofHours(1));
        assertThat(cache.get("k")).isEqualTo("v");
        assertThat(policy.takeQuestions()).doesNotContain("creation", "update");
    }

    @Test
    void timeToLiveOfAnUpdate_replacesTheOldOne() {
        cache.put("k", "v");
        cache.put("k", "w", Duration.ofHours(1));
        assertThat(timeToLive()).isGreaterThan(Duration.ofMinutes(59)).isLessThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void putWithoutATimeToLive_asksThePolicyAgain() {
        cache.put("k", "v", Duration.ofHours(1));
        policy.onUpdate(() -> javax.cache.expiry.Duration.ETERNAL);
        cache.put("k", "w");
        assertThat(cache.explain("k").timeToLive()).isNull();
    }

    @Test
    void lessThanAMillisecond_isRoundedUp() {
        cache.put("k", "v", Duration.ofNanos(1));
        await("expiry of the entry").until(() -> !cache.containsKey("k"));
    }

    @Test
    void failedPutIfAbsent_leavesTheTimeToLiveAlone() {
        cache.put("k", "v");
        assertThat(cache.putIfAbsent("k", "w", SHORT)).isFalse();
        assertThat(cache.explain("k").timeToLive()).isNull();
    }

    @Test
    void timeToLiveThatIsNotPositive_isAnIllegalArgument() {
        assertThatThrownBy(() -> cache.put("k", "v", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.put("k", "v", Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.putAll(Map.of("k", "v"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.putIfAbsent("k", "v", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(cache).isEmpty();
    }

    @Test
    void entriesOfOneCall_expireEachAsItSays() {
        cache.put("short", "v", SHORT);
        cache.put("long", "v", Duration.ofHours(1));
        await("expiry of the entry").until(() -> !cache.containsKey("short"));
        assertThat(cache.get("long")).isEqualTo("v");
    }

    /** A put replaces an entry without regard to it, in each way; what depends on the old value keeps its lifetime. */
    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("unchecked")
    void inACacheThatIsEternal_putsForgetTheTimeToLive_andUpdatesKeepIt(Change change) {
        PartitionedCache<String, String> eternal =
                manager.createCache("eternal", strings()).unwrap(PartitionedCache.class);
        eternal.put("k", "v", Duration.ofHours(1));

        make(change, eternal);

        assertThat(eternal.get("k")).isEqualTo("w");
        assertThat(eternal.explain("k").timeToLive() == null)
                .as("expires never")
                .isEqualTo(change.name().contains("PUT"));
    }

    enum Change {
        PUT,
        PUT_ALL,
        GET_AND_PUT,
        HEARD_PUT,
        REPLACE,
        REPLACE_IF_EQUAL,
        INVOKE
    }

    private static void make(Change change, PartitionedCache<String, String> cache) {
        switch (change) {
            case PUT -> cache.put("k", "w");
            case PUT_ALL -> cache.putAll(Map.of("k", "w", "other", "x"));
            case GET_AND_PUT -> assertThat(cache.getAndPut("k", "w")).isEqualTo("v");
            case HEARD_PUT -> {
                cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                        () -> (CacheEntryUpdatedListener<String, String>) events -> {}, null, true, true));
                cache.put("k", "w");
            }
            case REPLACE -> assertThat(cache.replace("k", "w")).isTrue();
            case REPLACE_IF_EQUAL -> assertThat(cache.replace("k", "v", "w")).isTrue();
            case INVOKE ->
                assertThat(cache.<Boolean>invoke("k", (entry, arguments) -> {
                            entry.setValue("w");
                            return true;
                        }))
                        .isTrue();
        }
    }

    private Duration timeToLive() {
        EntryExplanation explanation = cache.explain("k");
        Duration timeToLive = explanation.timeToLive();
        assertThat(timeToLive).as("time to live").isNotNull();
        return timeToLive;
    }
}
