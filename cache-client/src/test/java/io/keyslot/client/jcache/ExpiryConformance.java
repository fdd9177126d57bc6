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
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When entries expire, and what the expiry policy is asked. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class ExpiryConformance extends JCacheConformance {
    private static final long SHORT = 60;
    private static final String NOTHING = "";
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
    void zeroOnCreation_storesNothing() {
        policy.onCreation(() -> Duration.ZERO);
        cache.put("a", "v");
        cache.putAll(Map.of("b", "v", "c", "v"));
        cache.getAndPut("d", "v");
        cache.putIfAbsent("e", "v");
        cache.<@Nullable Void>invoke("f", (entry, arguments) -> {
            entry.setValue("v");
            return null;
        });
        assertThat(cache).isEmpty();
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
    void zeroOnUpdate_removesAtOnce() {
        policy.onUpdate(() -> Duration.ZERO);
        cache.put("k", "v");
        cache.put("k", "w");
        assertThat(cache.containsKey("k")).isFalse();
    }

    @Test
    void positiveOnAccess_isCountedFromTheAccess() {
        policy.onAccess(() -> millis(SHORT));
        cache.put("k", "v");
        cache.get("k");
        awaitGone("k");
    }

    @Test
    void zeroOnAccess_answersAndRemoves() {
        policy.onAccess(() -> Duration.ZERO);
        cache.put("k", "v");
        assertThat(cache.get("k")).isEqualTo("v");
        assertThat(cache.containsKey("k")).isFalse();
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

    @Test
    void reads_areAccessesOfEntriesThatAreThere() {
        cache.put("k", "v");
        asks("access", c -> c.get("k"));
        asks("access", c -> c.getAll(Set.of("k", "absent")));
        asks("access", c -> c.iterator().next());
        asks("access", c -> c.invoke("k", (entry, arguments) -> entry.getValue()));
        asks("access", c -> c.replace("k", "wrong", "w"));
        asks("access", c -> c.remove("k", "wrong"));
        asks(NOTHING, c -> c.get("absent"));
        asks(NOTHING, c -> c.getAll(Set.of("absent")));
        asks(NOTHING, c -> c.invoke("absent", (entry, arguments) -> entry.getValue()));
        asks(NOTHING, c -> c.containsKey("k"));
        asks(NOTHING, c -> c.<Boolean>invoke("k", (entry, arguments) -> entry.exists()));
    }

    @Test
    void writes_areCreationsOrUpdates_andNoAccesses() {
        asks("creation", c -> c.put("a", "v"));
        asks("creation", c -> c.putAll(Map.of("b", "v")));
        asks("creation", c -> c.getAndPut("c", "v"));
        asks("creation", c -> c.putIfAbsent("d", "v"));
        asks("creation", c -> c.invoke("k", (entry, arguments) -> setTo(entry, "v")));
        asks("update", c -> c.put("k", "v"));
        asks("update", c -> c.putAll(Map.of("k", "v")));
        asks("update", c -> c.getAndPut("k", "v"));
        asks("update", c -> c.replace("k", "v"));
        asks("update", c -> c.replace("k", "v", "v"));
        asks("update", c -> c.getAndReplace("k", "v"));
        asks("update", c -> c.invoke("k", (entry, arguments) -> setTo(entry, "v")));
        asks("update", c -> c.invoke("k", (entry, arguments) -> setTo(entry, entry.getValue() + "w")));
    }

    @Test
    void removals_andWritesThatFail_askNothing() {
        cache.putAll(Map.of("a", "v", "b", "v", "c", "v", "d", "v", "e", "v"));
        asks(NOTHING, c -> c.putIfAbsent("a", "w"));
        asks(NOTHING, c -> c.replace("absent", "v"));
        asks(NOTHING, c -> c.replace("absent", "v", "w"));
        asks(NOTHING, c -> c.getAndReplace("absent", "w"));
        asks(NOTHING, c -> c.remove("a"));
        asks(NOTHING, c -> c.remove("b", "v"));
        asks(NOTHING, c -> c.getAndRemove("c"));
        asks(NOTHING, c -> c.removeAll(Set.of("d")));
        asks(NOTHING, Cache::removeAll);
        asks(NOTHING, Cache::clear);
    }

    private void asks(String question, Consumer<Cache<String, String>> operation) {
        policy.takeQuestions();
        operation.accept(cache);
        assertThat(String.join(" ", policy.takeQuestions())).isEqualTo(question);
    }

    private static @Nullable String setTo(MutableEntry<String, String> entry, String value) {
        entry.setValue(value);
        return null;
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
