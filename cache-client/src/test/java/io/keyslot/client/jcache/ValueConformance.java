// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values and keys: kept by value, compared by {@code equals}, and of the types that the cache was created with. */
@SuppressWarnings("JavaUtilDate") // it can be changed, which these tests need
public abstract class ValueConformance extends JCacheConformance {
    @Test
    void changeOfAnEventsValue_doesNotReachTheStore() {
        RecordingListener<String, Date> listener =
                new RecordingListener<>(event -> event.getValue().setTime(2));
        Cache<String, Date> cache = create(new MutableConfiguration<String, Date>()
                .setTypes(String.class, Date.class)
                .addCacheEntryListenerConfiguration(listener.synchronous()));
        Date value = new Date(1);
        cache.put("k", value);
        assertThat(cache.get("k")).isEqualTo(new Date(1));
        assertThat(value).as("the caller's object").isEqualTo(new Date(1));
    }

    @Test
    void changeWithinAProcessor_reachesTheStoreOnlyBySetValue() {
        Cache<String, Date> cache = dates();
        cache.put("k", new Date(1));
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.getValue().setTime(2);
            return null;
        });
        assertThat(cache.get("k")).isEqualTo(new Date(1));
    }

    @Test
    void changeWithinAProcessorThatLoads_reachesTheStoreOnlyBySetValue() {
        Cache<String, Date> cache = create(new MutableConfiguration<String, Date>()
                .setTypes(String.class, Date.class)
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.<String, Date>answering(key -> new Date(1))));
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.getValue().setTime(2);
            return null;
        });
        assertThat(cache.get("k")).isEqualTo(new Date(1));
    }

    @Test
    void changeWithinAProcessor_isNotHeardAsTheOldValue() {
        RecordingListener<String, Date> listener = new RecordingListener<>();
        Cache<String, Date> cache = create(new MutableConfiguration<String, Date>()
                .setTypes(String.class, Date.class)
                .addCacheEntryListenerConfiguration(listener.synchronous()));
        cache.put("k", new Date(1_000));
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.getValue().setTime(2_000);
            entry.setValue(new Date(3_000));
            return null;
        });
        assertThat(listener.takeEvents())
                .containsExactly(
                        "CREATED k=" + new Date(1_000), "UPDATED k=" + new Date(3_000) + " was " + new Date(1_000));
    }

    @Test
    void changeOfALoadedValue_doesNotReachTheStore() {
        Cache<String, Date> cache = create(new MutableConfiguration<String, Date>()
                .setTypes(String.class, Date.class)
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.<String, Date>answering(key -> new Date(1))));
        cache.get("k").setTime(2);
        assertThat(cache.get("k")).isEqualTo(new Date(1));
    }

    /** {@code Aa} and {@code BB} have the same hash code, so the order of such a set is the order of insertion. */
    @Test
    void equalSetsOfAnotherOrder_areTheSameOldValue() {
        Cache<String, Set<String>> cache = create(new MutableConfiguration<>());
        cache.put("k", new HashSet<>(Arrays.asList("Aa", "BB")));
        assertThat(cache.replace("k", new HashSet<>(Arrays.asList("BB", "Aa")), new HashSet<>(Set.of("x"))))
                .isTrue();
        cache.put("k", new HashSet<>(Arrays.asList("Aa", "BB")));
        assertThat(cache.remove("k", new HashSet<>(Arrays.asList("BB", "Aa")))).isTrue();
    }

    @Test
    void equalListsOfAnotherClass_areTheSameOldValue() {
        Cache<String, List<String>> cache = create(new MutableConfiguration<>());
        cache.put("k", new ArrayList<>(List.of("a", "b")));
        assertThat(cache.replace("k", List.of("a", "b"), List.of("c"))).isTrue();
        assertThat(cache.remove("k", new ArrayList<>(List.of("c")))).isTrue();
    }

    @Test
    void decimalsOfAnotherScale_areAnotherOldValue() {
        Cache<String, BigDecimal> cache = create(new MutableConfiguration<>());
        cache.put("k", new BigDecimal("1.0"));
        assertThat(cache.replace("k", new BigDecimal("1.00"), BigDecimal.TEN)).isFalse();
        assertThat(cache.replace("k", new BigDecimal("1.0"), BigDecimal.TEN)).isTrue();
    }

    @Test
    void singletonByReadResolve_staysTheSameObject() {
        Cache<String, Singleton> cache =
                create(new MutableConfiguration<String, Singleton>().setTypes(String.class, Singleton.class));
        cache.put("k", Singleton.INSTANCE);
        assertThat(cache.get("k")).isSameAs(Singleton.INSTANCE);
    }

    @Test
    void enumConstant_staysTheSameObject() {
        Cache<String, Object> cache = create(new MutableConfiguration<>());
        cache.put("k", Colour.RED);
        assertThat(cache.get("k")).isSameAs(Colour.RED);
    }

    @Test
    void numbersAndTextOfTheSameDigits_areThreeKeys() {
        Cache<Object, String> cache = create(new MutableConfiguration<>());
        cache.put(1, "integer");
        cache.put(1L, "long");
        cache.put("1", "text");
        assertThat(cache.get(1)).isEqualTo("integer");
        assertThat(cache.get(1L)).isEqualTo("long");
        assertThat(cache.get("1")).isEqualTo("text");
        assertThat(keysOf(cache)).isEqualTo(Set.of(1, 1L, "1"));
    }

    @Test
    void recordsAsKeys_areEqualByTheirComponents() {
        Cache<Point, String> cache =
                create(new MutableConfiguration<Point, String>().setTypes(Point.class, String.class));
        cache.put(new Point(1, "a"), "v");
        assertThat(cache.get(new Point(1, "a"))).isEqualTo("v");
        assertThat(cache.get(new Point(2, "a"))).isNull();
        assertThat(keysOf(cache)).isEqualTo(Set.of(new Point(1, "a")));
    }

    @Test
    void keysWithReservedCharacters_comeBackAsTheyWere() {
        Cache<String, String> cache = createStrings();
        Set<String> keys = Set.of(
                "",
                " ",
                "a:b",
                "{a}",
                "}{",
                "%",
                "%7B",
                "a%",
                "/",
                "\u0000",
                "\n",
                "\u00e9",
                "\u4f60\u597d",
                "\ud83d\ude00",
                "a{b}c:d",
                "*",
                "[a-z]?",
                "\\");
        keys.forEach(key -> cache.put(key, "value of " + key));
        assertThat(keysOf(cache)).isEqualTo(keys);
        assertThat(cache.getAll(keys))
                .isEqualTo(keys.stream().collect(Collectors.toMap(key -> key, key -> "value of " + key)));
    }

    @Test
    void valuesOfManyTypes_comeBackEqual() {
        Cache<String, Object> cache = create(new MutableConfiguration<>());
        Map<String, Object> values = new HashMap<>();
        for (Object value : List.of(
                "",
                "text",
                1,
                1L,
                1.5,
                true,
                'c',
                new BigDecimal("1.50"),
                new Date(5),
                List.of(1, "a"),
                Set.of(1),
                Map.of("a", 1),
                Instant.EPOCH,
                LocalDate.of(2020, 2, 29),
                UUID.fromString("00000000-0000-0001-0000-000000000002"),
                Optional.of("x"))) {
            values.put(value.getClass().getSimpleName() + values.size(), value);
        }
        cache.putAll(values);
        assertThat(cache.getAll(values.keySet())).isEqualTo(values);
    }

    @Test
    void valueOfTheManagersClassLoader_isReadWithThatLoader() throws Exception {
        Isolated loader = new Isolated();
        Cache<String, Object> cache = managerOf(loader).createCache(NAME, new MutableConfiguration<>());
        cache.put("k", loader.newValue());
        assertThat(Thread.currentThread().getContextClassLoader()).isNotSameAs(loader);
        assertThat(cache.get("k").getClass().getClassLoader()).isSameAs(loader);
        assertThat(cache.get("k")).isEqualTo(loader.newValue());
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void keyOrValueOfAnotherType_isAClassCastExceptionAndStoresNothing() {
        Cache<String, String> typed = createStrings();
        Cache cache = typed;
        assertThatThrownBy(() -> cache.put(1, "v")).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> cache.put("k", 1)).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> cache.putAll(Map.of("k", 1))).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> cache.putIfAbsent("k", 1)).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> cache.getAndPut("k", 1)).isInstanceOf(ClassCastException.class);
        assertThat(typed).isEmpty();
        typed.put("k", "v");
        assertThatThrownBy(() -> cache.replace("k", 1)).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> cache.getAndReplace("k", 1)).isInstanceOf(ClassCastException.class);
        assertThat(typed.get("k")).isEqualTo("v");
    }

    private Cache<String, Date> dates() {
        return create(new MutableConfiguration<String, Date>().setTypes(String.class, Date.class));
    }

    private static Set<Object> keysOf(Cache<?, ?> cache) {
        return StreamSupport.stream(cache.spliterator(), false)
                .map(Cache.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** A key of two components. */
    record Point(int x, String name) implements Serializable {}

    /** A constant with a body is of a class of its own. */
    enum Colour {
        RED {
            @Override
            boolean isWarm() {
                return true;
            }
        },
        BLUE {
            @Override
            boolean isWarm() {
                return false;
            }
        };

        abstract boolean isWarm();
    }

    /** There is one of it in a process. */
    static final class Singleton implements Serializable {
        private static final long serialVersionUID = 1L;
        static final Singleton INSTANCE = new Singleton();

        private Singleton() {}

        private Object readResolve() {
            return INSTANCE;
        }
    }

    /** A value that the isolated loader has as a class of its own. */
    public record IsolatedValue(String text) implements Serializable {}

    /** A loader that has its own {@link IsolatedValue}. */
    private static final class Isolated extends ClassLoader {
        private final Class<?> valueClass;

        Isolated() throws IOException {
            super(ValueConformance.class.getClassLoader());
            String name = IsolatedValue.class.getName();
            try (var stream = Objects.requireNonNull(
                    ValueConformance.class.getResourceAsStream("ValueConformance$IsolatedValue.class"))) {
                byte[] bytes = stream.readAllBytes();
                valueClass = defineClass(name, bytes, 0, bytes.length);
            }
        }

        Object newValue() throws ReflectiveOperationException {
            return valueClass.getConstructor(String.class).newInstance("v");
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(IsolatedValue.class.getName()) ? valueClass : super.loadClass(name, resolve);
        }
    }
}
