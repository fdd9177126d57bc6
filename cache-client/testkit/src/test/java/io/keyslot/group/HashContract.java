// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.failure.CodecException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote hash is a map. */
public abstract class HashContract extends AggregateContract {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomOperations_answerAsThoseOfAMap(long seed) {
        Random random = new Random(seed);
        RemoteHash<String, Long> hash = group.hash("cart", String.class, Long.class);
        Map<String, Long> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            operate(random, hash, model, at(seed, step));
            assertThat(hash.size()).as(at(seed, step)).isEqualTo(model.size());
            assertThat(hash.exists()).as(at(seed, step)).isEqualTo(!model.isEmpty());
        }
        assertThat(hash.toMap()).as(at(seed, STEPS)).isEqualTo(model);
    }

    private static void operate(Random random, RemoteHash<String, Long> hash, Map<String, Long> model, String at) {
        String field = word(random);
        List<String> several = words(random);
        long value = random.nextInt(100) - 50L;
        switch (random.nextInt(12)) {
            case 0 -> assertThat(hash.get(field)).as(at).isEqualTo(model.get(field));
            case 1 -> assertThat(hash.getAll(several)).as(at).isEqualTo(only(several, model));
            case 2, 3 -> assertThat(hash.put(field, value)).as(at).isEqualTo(model.put(field, value));
            case 4 -> {
                Map<String, Long> entries = several.stream().distinct().collect(Collectors.toMap(f -> f, f -> value));
                hash.putAll(entries);
                model.putAll(entries);
            }
            case 5 ->
                assertThat(hash.putIfAbsent(field, value)).as(at).isEqualTo(model.putIfAbsent(field, value) == null);
            case 6 -> assertThat(hash.remove(field)).as(at).isEqualTo(model.remove(field));
            case 7 -> {
                int before = model.size();
                model.keySet().removeAll(several);
                assertThat(hash.removeAll(several)).as(at).isEqualTo(before - model.size());
            }
            case 8 -> assertThat(hash.containsKey(field)).as(at).isEqualTo(model.containsKey(field));
            case 9 -> assertThat(hash.keySet()).as(at).isEqualTo(model.keySet());
            case 10 -> assertThat(hash.toMap()).as(at).isEqualTo(model);
            default -> assertThat(hash.increment(field, value)).as(at).isEqualTo(model.merge(field, value, Long::sum));
        }
    }

    private static Map<String, Long> only(List<String> fields, Map<String, Long> model) {
        Map<String, Long> found = new HashMap<>(model);
        found.keySet().retainAll(fields);
        return found;
    }

    @Test
    void increment_ofFractions_addsUp() {
        RemoteHash<String, Double> hash = group.hash("balance", String.class, Double.class);

        assertThat(hash.increment("eur", 0.5)).isEqualTo(0.5);
        assertThat(hash.increment("eur", 10.0)).isEqualTo(10.5);
        assertThat(hash.increment("eur", -0.1)).isCloseTo(10.4, within(1e-9));
        assertThat(hash.get("eur")).isCloseTo(10.4, within(1e-9));
    }

    @Test
    void increment_beyond64Bits_isRefusedAndChangesNothing() {
        RemoteHash<String, Long> hash = group.hash("cart", String.class, Long.class);
        hash.put("apples", Long.MAX_VALUE);

        assertThatThrownBy(() -> hash.increment("apples", 1))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining(fixture.root().text());
        assertThat(hash.get("apples")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void increment_ofWhatIsNoNumber_isRefusedAndChangesNothing() {
        RemoteHash<String, String> hash = group.hash("cart", String.class, String.class);
        hash.put("apples", "many");

        assertThatThrownBy(() -> hash.increment("apples", 1)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> hash.increment("apples", 0.5)).isInstanceOf(ArithmeticException.class);
        assertThat(hash.get("apples")).isEqualTo("many");
    }

    @Test
    void increment_beyondAllNumbers_isRefusedAndChangesNothing() {
        RemoteHash<String, Double> hash = group.hash("balance", String.class, Double.class);
        hash.put("eur", 1.5);

        assertThatThrownBy(() -> hash.increment("eur", Double.POSITIVE_INFINITY))
                .isInstanceOf(ArithmeticException.class);
        assertThat(hash.get("eur")).isEqualTo(1.5);
    }

    @Test
    void increment_ofValuesOfAnotherClass_isRefused() {
        RemoteHash<String, Boolean> flags = group.hash("flags", String.class, Boolean.class);
        RemoteHash<String, Double> fractions = group.hash("balance", String.class, Double.class);

        assertThatThrownBy(() -> flags.increment("vip", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> fractions.increment("eur", 1L))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("java.lang.Double");
    }

    @Test
    void value_ofAnotherClass_isNotTakenForOne() {
        group.hash("cart", String.class, String.class).put("apples", "many");

        assertThatThrownBy(() -> group.hash("cart", String.class, Integer.class).get("apples"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("java.lang.Integer")
                .hasMessageNotContaining("many");
    }

    @Test
    void value_thatIsNoScalar_comesBackFromTheCodec() {
        RemoteHash<String, List<Integer>> hash = lists(group.hash("sizes", String.class, List.class));

        hash.put("shoes", List.of(42, 43));

        assertThat(hash.get("shoes")).isEqualTo(List.of(42, 43));
        assertThat(hash.toMap()).isEqualTo(Map.of("shoes", List.of(42, 43)));
    }

    @SuppressWarnings("unchecked") // lists of numbers are what the test puts
    private static RemoteHash<String, List<Integer>> lists(RemoteHash<String, ?> hash) {
        return (RemoteHash<String, List<Integer>>) hash;
    }
}
