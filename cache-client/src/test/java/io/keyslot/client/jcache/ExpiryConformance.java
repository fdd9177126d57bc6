// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.SettableExpiry.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.expiry.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When entries expire, and what the expiry policy is asked. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class ExpiryConformance extends JCacheConformance {
    private static final long SHORT = 60;
    private final SettableExpiry policy = new SettableExpiry();
    private Cache<String, String> cache;

    @BeforeEach
    void createCache() {
        cache = create(strings().setExpiryPolicyFactory(() -> policy));
    }

    /** A policy that returns null, and one that throws. */
    static List<Supplier<@Nullable Duration>> withoutAnAnswer() {
        return List.of(() -> null, () -> {
            throw new IllegalStateException("of the policy");
        });
    }

    @ParameterizedTest
    @MethodSource("withoutAnAnswer")
    void noAnswerOnCreation_meansForEver(Supplier<@Nullable Duration> none) {
        policy.onCreation(none);
        cache.put("k", "v");
        awaitAnotherThatLives(SHORT);
        assertThat(cache.get("k")).isEqualTo("v");
    }

    @ParameterizedTest
    @MethodSource("withoutAnAnswer")
    void noAnswerOnUpdateOrAccess_leavesTheExpiryAlone(Supplier<@Nullable Duration> none) {
        policy.onCreation(() -> millis(SHORT)).onUpdate(none).onAccess(none);
        cache.putAll(Map.of("k", "v", "l", "v"));
        cache.put("k", "w");
        assertThat(cache.get("l")).isIn("v", null);
        awaitGone("k");
        awaitGone("l");
    }

    @Test
    void eternalOnUpdateOrAccess_endsTheExpiry() {
        policy.onCreation(() -> millis(4 * SHORT))
                .onUpdate(() -> Duration.ETERNAL)
                .onAccess(() -> Duration.ETERNAL);
        cache.putAll(Map.of("k", "v", "l", "v"));
        cache.put("k", "w");
        cache.get("l");
        awaitAnotherThatLives(4 * SHORT);
        assertThat(cache.get("k")).isEqualTo("w");
        assertThat(cache.containsKey("l")).isTrue();
    }

    @Test
    void positiveOnCreation_expires() {
        policy.onCreation(() -> millis(SHORT));
        cache.put("k", "v");
        awaitGone("k");
    }

    @Test
    void veryLongOnCreation_doesNotOverflow() {
        policy.onCreation(() -> new Duration(TimeUnit.DAYS, Long.MAX_VALUE / 100_000_000_000L));
        cache.put("k", "v");
        assertThat(cache.get("k")).isEqualTo("v");
    }

    @Test
    void positiveOnAccess_isCountedFromTheAccess() {
        policy.onAccess(() -> millis(SHORT));
        cache.put("k", "v");
        cache.get("k");
        awaitGone("k");
    }

    @Test
    void putAfterExpiry_isACreation() {
        policy.onCreation(() -> millis(SHORT));
        cache.put("k", "v");
        awaitGone("k");
        asks("creation", c -> c.put("k", "w"));
    }

    @Test
    void expiredEntry_isAbsentForEveryOperation() {
        policy.onCreation(() -> millis(SHORT));
        cache.put("k", "v");
        awaitGone("k");
        assertThat(cache.get("k")).isNull();
        assertThat(cache.getAll(Set.of("k"))).isEmpty();
        assertThat(cache.replace("k", "w")).isFalse();
        assertThat(cache.replace("k", "v", "w")).isFalse();
        assertThat(cache.getAndReplace("k", "w")).isNull();
        assertThat(cache.remove("k", "v")).isFalse();
        assertThat(cache.remove("k")).isFalse();
        assertThat(cache.getAndRemove("k")).isNull();
        assertThat(cache.<Boolean>invoke("k", (entry, arguments) -> entry.exists()))
                .isFalse();
        assertThat(cache).isEmpty();
    }

    private void asks(String question, Consumer<Cache<String, String>> operation) {
        policy.takeQuestions();
        operation.accept(cache);
        assertThat(String.join(" ", policy.takeQuestions())).isEqualTo(question);
    }

    private void awaitGone(String key) {
        await("expiry of the entry").until(() -> !cache.containsKey(key));
    }

    /** Waits until an entry that was written now has expired: one that had to expire before has expired as well. */
    private void awaitAnotherThatLives(long millis) {
        policy.onCreation(() -> millis(millis));
        cache.put("witness", "v");
        awaitGone("witness");
    }
}
