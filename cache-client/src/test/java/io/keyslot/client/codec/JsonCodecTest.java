// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.failure.CodecException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
@SuppressWarnings("NullAway.Init") // set before each test
class JsonCodecTest {
    @Parameter
    private JsonCodec.Library library;

    record Line(String sku, int count, BigDecimal price) {}

    record Order(
            UUID id,
            Instant at,
            ZonedDateTime shown,
            LocalDate day,
            Duration within,
            @Nullable String note,
            List<Line> lines,
            Map<String, Long> counts,
            @Nullable Kind kind) {}

    enum Kind {
        RETAIL,
        WHOLESALE {
            @Override
            public String toString() {
                return "in bulk";
            }
        }
    }

    record Brief(String name) {}

    record Longer(
            String name, int size, boolean isNew, @Nullable String colour) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Shape {}

    record Circle(int radius) implements Shape {}

    record Pair(Shape first, Shape second) {}

    record Box(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object content) {}

    record Crate(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Object> contents) {}

    record Shelf(
            @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
            Object content) {}

    /** What an attacker would name: to be made, or only to be loaded, is enough. */
    static final class Gadget {
        static final AtomicInteger MADE = new AtomicInteger();

        public Gadget() {
            MADE.incrementAndGet();
        }

        public void setCommand(String command) {
            MADE.incrementAndGet();
        }
    }

    /** Notes that it was initialized. */
    static final class Loaded {
        static {
            Gadget.MADE.incrementAndGet();
        }

        public int unused;
    }

    private JsonCodec codec(Class<?> type, String... allowed) {
        AllowedClasses classes = AllowedClasses.of(Arrays.asList(allowed)).with(type);
        return JsonCodec.create(library, type, classes, JsonCodecTest.class.getClassLoader());
    }

    private static Object copyOf(JsonCodec codec, Object value) {
        return codec.decode(ByteBuffer.wrap(codec.encode(value)));
    }

    private static String json(JsonCodec codec, Object value) {
        return new String(codec.encode(value), UTF_8);
    }

    private static Object read(JsonCodec codec, String json) {
        return codec.decode(ByteBuffer.wrap(json.getBytes(UTF_8)));
    }

    private static Order order(Random random) {
        Map<String, Long> counts = new LinkedHashMap<>();
        random.longs(random.nextInt(5)).forEach(count -> counts.put("c" + count, count));
        Instant at = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        return new Order(
                new UUID(random.nextLong(), random.nextLong()),
                at,
                at.atZone(ZoneId.of(random.nextBoolean() ? "Europe/Zurich" : "UTC")),
                LocalDate.ofEpochDay(random.nextInt(100_000)),
                Duration.ofNanos(random.nextLong()),
                random.nextBoolean() ? null : "n\u00f6te \" \\ \u2028 \ud83d\ude00",
                random.ints(random.nextInt(4))
                        .mapToObj(count -> new Line("s" + count, count, BigDecimal.valueOf(count, 2)))
                        .toList(),
                counts,
                random.nextBoolean() ? null : Kind.values()[random.nextInt(2)]);
    }

    /** One process has Jackson 2, another one Jackson 3. */
    @Tag("thorough")
    @Test
    void bytes_areThoseOfTheOtherJackson() {
        Random random = new Random(17);
        AllowedClasses classes = AllowedClasses.of(List.of()).with(Order.class);
        for (int i = 0; i < 200; i++) {
            Order order = order(random);
            for (JsonCodec.Library other : JsonCodec.Library.values()) {
                JsonCodec codec = JsonCodec.create(other, Order.class, classes, JsonCodecTest.class.getClassLoader());
                assertThat(json(codec, order)).isEqualTo(json(codec(Order.class), order));
            }
        }
    }

    @Test
    void gap_isLeftBefore() {
        assertThat(codec(Long.class).encode(7L, 4)).containsExactly(0, 0, 0, 0, '7');
    }

    /** Old and new versions of an application run side by side. */
    @Test
    void classThatGrows_readsOlderJson_andAnOlderOneReadsNewer() {
        assertThat(read(codec(Longer.class), json(codec(Brief.class), new Brief("a"))))
                .isEqualTo(new Longer("a", 0, false, null));
        assertThat(read(codec(Brief.class), json(codec(Longer.class), new Longer("a", 1, true, "red"))))
                .isEqualTo(new Brief("a"));
    }

    static class Parent {
        public int number;
    }

    static final class Child extends Parent {
        public String more = "";
    }

    /** Has no equals, as many values have. */
    static final class Bean {
        public @Nullable Object any;
        public @Nullable Number number;
        public @Nullable Parent parent;
        public @Nullable List<Parent> parents;
        public @Nullable Map<String, Object> byName;
        public @Nullable Set<String> words;
    }

    record Values(
            @Nullable Object any,
            @Nullable Number number,
            @Nullable Parent parent,
            @Nullable List<Parent> parents,
            @Nullable Map<String, Object> byName,
            @Nullable Set<String> words) {}

    private static final List<Object> ANY = List.of(
            1,
            5L,
            1.5,
            2.5f,
            (short) 3,
            new BigDecimal("1.10"),
            new BigInteger("12345678901234567890"),
            "text",
            true,
            Instant.EPOCH,
            LocalDate.EPOCH,
            UUID.fromString("00000000-0000-0000-0000-000000000001"),
            Kind.values()[0],
            List.of(1, 2),
            List.of(1L),
            Map.of("a", 1),
            Map.of(1, "a"));

    private static <T> @Nullable T any(Random random, List<? extends T> values) {
        return random.nextInt(3) > 0 ? null : values.get(random.nextInt(values.size()));
    }

    /** Whatever is in fields whose types do not say it: it comes back equal, or is refused with the path. */
    @Test
    void anyValue_comesBackEqual_orIsRefused() {
        List<Number> numbers = ANY.stream()
                .filter(Number.class::isInstance)
                .map(Number.class::cast)
                .toList();
        JsonCodec records = codec(Values.class);
        JsonCodec beans = codec(Bean.class);
        Random random = new Random(28);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            Values value = new Values(
                    any(random, ANY),
                    any(random, numbers),
                    null,
                    null,
                    random.nextBoolean() ? null : Map.of("x", ANY.get(random.nextInt(ANY.size()))),
                    any(
                            random,
                            List.of(
                                    Set.of("a", "b", "c"),
                                    new LinkedHashSet<>(List.of("z", "y")),
                                    new TreeSet<>(Set.of("q")))));
            Bean bean = new Bean();
            bean.any = value.any();
            bean.number = value.number();
            bean.byName = value.byName();
            bean.words = value.words();
            boolean isRefused;
            try {
                assertThat(copyOf(records, value)).isEqualTo(value);
                isRefused = false;
            } catch (CodecException e) {
                assertThat(e)
                        .hasMessageMatching("(?s).*(any|number|byName).*")
                        .hasMessageNotContaining("12345678901234567890");
                isRefused = true;
            }
            refused += isRefused ? 1 : 0;
            if (isRefused) {
                assertThatThrownBy(() -> beans.encode(bean)).isInstanceOf(CodecException.class);
            } else {
                Bean copy = (Bean) copyOf(beans, bean);
                assertThat(new Values(copy.any, copy.number, null, null, copy.byName, copy.words))
                        .isEqualTo(value);
            }
        }
        assertThat(refused).isBetween(400, 1_800);
    }

    @Test
    void subclassWithinAValue_isRefusedWithItsPath() {
        JsonCodec codec = codec(Bean.class);
        Bean inField = new Bean();
        inField.parent = new Child();
        Bean inList = new Bean();
        inList.parents = List.of(new Parent(), new Child());
        Bean parents = new Bean();
        parents.parent = new Parent();
        parents.parents = List.of(new Parent());

        assertThatThrownBy(() -> codec.encode(inField))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("parent is of", Child.class.getName(), Parent.class.getName());
        assertThatThrownBy(() -> codec.encode(inList))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("parents[1] is of", Child.class.getName());
        assertThat(copyOf(codec, parents)).isInstanceOf(Bean.class);
    }

    @Test
    void subtypeThatIsNamed_comesBackIfItIsAllowed() {
        JsonCodec open = codec(Shape.class, Circle.class.getName());
        JsonCodec strict = codec(Shape.class);
        String json = json(open, new Circle(3));

        assertThat(read(open, json)).isEqualTo(new Circle(3));
        assertThatThrownBy(() -> strict.encode(new Circle(3)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("codec.allow: [ \"%s\" ]".formatted(Circle.class.getName()));
        assertThatThrownBy(() -> read(strict, json))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("codec.allow: [ \"%s\" ]".formatted(Circle.class.getName()));
    }

    /** Wherever a name may stand: of the value, of one in a list, in brackets of a generic one, as an array, without its package. */
    @Test
    void gadget_isNeitherMadeNorLoaded_whereverItIsNamed() {
        String gadget = Gadget.class.getName();
        String loaded = Loaded.class.getName();
        String simple = "." + gadget.substring(gadget.lastIndexOf('.') + 1);
        Map<String, Class<?>> attacks = Map.of(
                "{\"content\":{\"@class\":\"%s\",\"command\":\"x\"}}".formatted(gadget), Box.class,
                "{\"content\":{\"@class\":\"%s\"}}".formatted(loaded), Box.class,
                "{\"content\":[\"java.util.ArrayList<%s>\",[{\"command\":\"x\"}]]}".formatted(gadget), Box.class,
                "{\"content\":[\"java.util.ArrayList<java.util.ArrayList<%s>>\",[]]}".formatted(loaded), Box.class,
                "{\"content\":[\"java.util.HashMap<java.lang.String,%s>\",{}]}".formatted(loaded), Box.class,
                "{\"content\":[\"[L%s;\",[]]}".formatted(loaded), Box.class,
                "{\"contents\":[{\"@class\":\"%s\",\"command\":\"x\"}]}".formatted(gadget), Crate.class,
                "{\"content\":{\"@c\":\"%s\"}}".formatted(gadget), Shelf.class,
                "{\"content\":{\"@c\":\"java.util.ArrayList<%s>\"}}".formatted(simple), Shelf.class);
        int before = Gadget.MADE.get();
        attacks.forEach((json, type) -> assertThatThrownBy(() -> read(codec(type), json))
                .as(json)
                .isInstanceOfAny(CodecException.class, IllegalArgumentException.class));
        assertThat(Gadget.MADE).hasValue(before);
    }

    @Test
    void valueThatOnlyAFieldNames_isRefusedWhenItIsWritten_andNotOnlyWhenItIsRead() {
        Map<Object, Class<?>> values = Map.of(
                new Pair(new Circle(1), new Circle(2)), Pair.class,
                new Box(new Circle(1)), Box.class,
                new Crate(List.of(new Circle(1))), Crate.class,
                new Shelf(new Circle(1)), Shelf.class);
        values.forEach((value, type) -> {
            assertThat(copyOf(codec(type, Circle.class.getName()), value)).isEqualTo(value);
            assertThatThrownBy(() -> codec(type).encode(value))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("codec.allow: [ \"%s\" ]".formatted(Circle.class.getName()));
        });
        assertThat(copyOf(codec(Box.class), new Box(new ArrayList<>(List.of(1, 2)))))
                .isEqualTo(new Box(List.of(1, 2)));
    }

    @Test
    void bytesThatAreNoValue_areRefused() {
        JsonCodec codec = codec(Line.class);
        for (String json :
                List.of("", "null", "{", "[]", "7 7", "{\"sku\":\"a\"} x", "{\"count\":\"many\"}", "\u0000")) {
            assertThatThrownBy(() -> read(codec, json))
                    .as(json)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Line.class.getName());
        }
        String deep = "[".repeat(100_000);
        assertThatThrownBy(() -> read(codec, deep)).isInstanceOf(IllegalArgumentException.class);
    }
}
