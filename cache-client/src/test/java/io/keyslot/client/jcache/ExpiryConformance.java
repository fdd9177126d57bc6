// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.SettableExpiry.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Properties;
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

/** When entries expire, and what the expiry policy is asked. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class ExpiryConformance extends JCacheConformance {
    private static final long SHORT = 60;
    private final SettableExpiry policy = new SettableExpiry();
    private Cache<String, String> cache;

    protected ExpiryConformance(Supplier<Properties> engine) {
        super(engine);
    }

    @BeforeEach
    void createCache() {
        cache = create(strings().setExpiryPolicyFactory(() -> policy));
    }

    @Test
    void nullOnCreation_meansForEver() {
        policy.onCreation(() -> null);
        cache.put("k", "v");
        awaitAnotherThatLives(SHORT);
        assertThat(cache.get("k")).isEqualTo("v");
    }

    @Test
    void policyThatThrowsOnCreation_meansForEver() {
        policy.onCreation(ExpiryConformance::failing);
        cache.put("k", "v");
        awaitAnotherThatLives(SHORT);
        assertThat(cache.get("k")).isEqualTo("v");
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
    void nullOnUpdate_leavesTheExpiryAlone() {
        policy.onCreation(() -> millis(SHORT)).onUpdate(() -> null);
        cache.put("k", "v");
        cache.put("k", "w");
        awaitGone("k");
    }

    @Test
    void policyThatThrowsOnUpdate_leavesTheExpiryAlone() {
        policy.onCreation(() -> millis(SHORT)).onUpdate(ExpiryConformance::failing);
        cache.put("k", "v");
        cache.put("k", "w");
        awaitGone("k");
    }

    @Test
    void eternalOnUpdate_endsTheExpiry() {
        policy.onCreation(() -> millis(4 * SHORT)).onUpdate(() -> Duration.ETERNAL);
        cache.put("k", "v");
        cache.put("k", "w");
        awaitAnotherThatLives(4 * SHORT);
        assertThat(cache.get("k")).isEqualTo("w");
    }

    @Test
    void zeroOnUpdate_removesAtOnce() {
        policy.onUpdate(() -> Duration.ZERO);
        cache.put("k", "v");
        cache.put("k", "w");
        assertThat(cache.containsKey("k")).isFalse();
    }

    @Test
    void nullOnAccess_leavesTheExpiryAlone() {
        policy.onCreation(() -> millis(SHORT)).onAccess(() -> null);
        cache.put("k", "v");
        cache.get("k");
        awaitGone("k");
    }

    @Test
    void policyThatThrowsOnAccess_leavesTheExpiryAlone() {
        policy.onCreation(() -> millis(SHORT)).onAccess(ExpiryConformance::failing);
        cache.put("k", "v");
        assertThat(cache.get("k")).isIn("v", null);
        awaitGone("k");
    }

    @Test
    void eternalOnAccess_endsTheExpiry() {
        policy.onCreation(() -> millis(4 * SHORT)).onAccess(() -> Duration.ETERNAL);
        cache.put("k", "v");
        cache.get("k");
        awaitAnotherThatLives(4 * SHORT);
        assertThat(cache.containsKey("k")).isTrue();
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
        assertThat(askedBy(c -> c.put("k", "w"))).containsExactly("creation");
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
    void readsOfAPresentEntry_areAccesses() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.get("k"))).containsExactly("access");
        assertThat(askedBy(c -> c.getAll(Set.of("k", "absent")))).containsExactly("access");
        assertThat(askedBy(c -> c.iterator().next())).containsExactly("access");
        assertThat(askedBy(c -> c.invoke("k", (entry, arguments) -> entry.getValue())))
                .containsExactly("access");
    }

    @Test
    void readsOfAnAbsentEntry_askNothing() {
        assertThat(askedBy(c -> c.get("k"))).isEmpty();
        assertThat(askedBy(c -> c.getAll(Set.of("k")))).isEmpty();
        assertThat(askedBy(c -> c.invoke("k", (entry, arguments) -> entry.getValue())))
                .isEmpty();
    }

    @Test
    void writesOfAnAbsentEntry_areCreations() {
        assertThat(askedBy(c -> c.put("a", "v"))).containsExactly("creation");
        assertThat(askedBy(c -> c.putAll(Map.of("b", "v")))).containsExactly("creation");
        assertThat(askedBy(c -> c.getAndPut("c", "v"))).containsExactly("creation");
        assertThat(askedBy(c -> c.putIfAbsent("d", "v"))).containsExactly("creation");
        assertThat(askedBy(c -> c.invoke("e", (entry, arguments) -> setTo(entry, "v"))))
                .containsExactly("creation");
    }

    @Test
    void writesOfAPresentEntry_areUpdatesAndNoAccesses() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.put("k", "v"))).containsExactly("update");
        assertThat(askedBy(c -> c.putAll(Map.of("k", "v")))).containsExactly("update");
        assertThat(askedBy(c -> c.getAndPut("k", "v"))).containsExactly("update");
        assertThat(askedBy(c -> c.replace("k", "v"))).containsExactly("update");
        assertThat(askedBy(c -> c.replace("k", "v", "v"))).containsExactly("update");
        assertThat(askedBy(c -> c.getAndReplace("k", "v"))).containsExactly("update");
        assertThat(askedBy(c -> c.invoke("k", (entry, arguments) -> setTo(entry, "v"))))
                .containsExactly("update");
        assertThat(askedBy(c -> c.invoke("k", (entry, arguments) -> setTo(entry, entry.getValue() + "w"))))
                .containsExactly("update");
    }

    @Test
    void replaceWithAWrongOldValue_isAnAccess() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.replace("k", "wrong", "w"))).containsExactly("access");
    }

    @Test
    void removeWithAWrongOldValue_isAnAccess() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.remove("k", "wrong"))).containsExactly("access");
    }

    @Test
    void containsKey_asksNothing() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.containsKey("k"))).isEmpty();
    }

    @Test
    void failedPutIfAbsent_asksNothing() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.putIfAbsent("k", "w"))).isEmpty();
    }

    @Test
    void failedReplaceOfAnAbsentEntry_asksNothing() {
        assertThat(askedBy(c -> c.replace("k", "v"))).isEmpty();
        assertThat(askedBy(c -> c.replace("k", "v", "w"))).isEmpty();
        assertThat(askedBy(c -> c.getAndReplace("k", "w"))).isEmpty();
    }

    @Test
    void removals_askNothing() {
        cache.putAll(Map.of("a", "v", "b", "v", "c", "v", "d", "v", "e", "v"));
        policy.takeQuestions();
        assertThat(askedBy(c -> c.remove("a"))).isEmpty();
        assertThat(askedBy(c -> c.remove("b", "v"))).isEmpty();
        assertThat(askedBy(c -> c.getAndRemove("c"))).isEmpty();
        assertThat(askedBy(c -> c.removeAll(Set.of("d")))).isEmpty();
        assertThat(askedBy(Cache::removeAll)).isEmpty();
        assertThat(askedBy(Cache::clear)).isEmpty();
    }

    @Test
    void processorThatOnlyAsksWhetherTheEntryExists_asksNothing() {
        cache.put("k", "v");
        assertThat(askedBy(c -> c.<Boolean>invoke("k", (entry, arguments) -> entry.exists())))
                .isEmpty();
    }

    private static Duration failing() {
        throw new IllegalStateException("of the policy");
    }

    private List<String> askedBy(Consumer<Cache<String, String>> operation) {
        policy.takeQuestions();
        operation.accept(cache);
        return policy.takeQuestions();
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
