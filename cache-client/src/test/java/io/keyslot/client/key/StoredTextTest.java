// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.codec;
import static io.keyslot.client.key.KeyCodecFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.key.KeyCodecFixture.Chain;
import io.keyslot.client.key.KeyCodecFixture.Color;
import io.keyslot.client.key.KeyCodecFixture.Name;
import io.keyslot.client.key.KeyCodecFixture.Point;
import io.keyslot.client.key.KeyCodecFixture.Positive;
import io.keyslot.client.key.KeyCodecFixture.SaleKey;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is read from a partition may have been written by anybody. */
class StoredTextTest {
    private static final String FIXTURE = KeyCodecFixture.NAME;
    private static final List<String> INITIALISED = new ArrayList<>();

    private final KeyCodec<Object> untyped = codec("x", Object.class);

    private static void assertUnreadable(KeyCodec<?> codec, String... texts) {
        for (String text : texts) {
            assertThat(catchThrowable(() -> codec.decode(stored(text))))
                    .as(text)
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("Cache of entity type");
        }
    }

    @Test
    void malformedText_isRefused() {
        assertUnreadable(
                untyped,
                "x:{",
                "x:{}",
                "x:{}Long",
                "x:{x:1",
                "x:{x1}Long",
                "x:{x:1}Long:",
                "x:{x:1}Long:1",
                "x:{y:1}Long",
                "x:{x:1}Long}",
                "x:{x:1}no such form",
                "x:{x:1}[Ljava.lang.String;",
                "x:{x:1}.",
                "x:{x:Long:1)}List",
                "x:{x:Long(1)}List",
                "x:{x:List:1}List",
                "x:{x:List(}List",
                "x:{x:List()x}List",
                "x:{x:,}List",
                "x:{x:()}List",
                "x:{x:%nul}List",
                "x:{x:%nullx}List",
                "x:{x:String:a}Map",
                "x:{x:Long:1,Long:2}Optional",
                "x:{x:%null}Optional",
                "x:%",
                "x:%zz",
                "x:%u12");
    }

    @Test
    void textThatWouldBeWrittenOtherwise_isRefused_soThatNoKeyHasTwo() {
        assertUnreadable(codec("x", Long.class), "x:+1", "x:01", "x:1L", "x:", "x:١", "x:{x:1}Long", "x:%31");
        assertUnreadable(codec("x", UUID.class), "x:1-1-1-1-1");
        assertUnreadable(codec("x", Boolean.class), "x:no", "x:TRUE");
        assertUnreadable(codec("x", Double.class), "x:1", "x:1.50", "x:0x1p3");
        assertUnreadable(codec("x", byte[].class), "x:0AFF", "x:0");
        assertUnreadable(codec("x", Color.class), "x:BLUE");
        assertUnreadable(untyped, "x:{x:a}String", "x:%7b", "x:\n", "x:{x:Integer:2,Integer:1}Set");
        assertUnreadable(untyped, "x:{x:Integer:1,Integer:1}Set", "x:{x:1}java.lang.Long", "x:{y:99}:");
        assertUnreadable(codec("x", Name.class), "x:%2C");
        assertUnreadable(codec("x", Number.class), "x:1", "x:{x:a}UUID");
    }

    @Test
    void bytesThatAreNotUtf8_areRefused() {
        assertThatThrownBy(() -> untyped.decode(new EncodedKey(new byte[] {'x', ':', (byte) 0xff})))
                .isInstanceOf(CodecException.class);
    }

    @Test
    void constructorThatRefuses_isRefused_withoutItsContentInOurMessage() {
        assertThatThrownBy(() -> codec("x", Positive.class).decode(stored("x:-5")))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("Positive")
                .hasMessageNotContaining("-5");
    }

    @Test
    void deepNesting_endsWithoutOverflow() {
        assertUnreadable(untyped, "x:{x:" + "List(".repeat(100_000) + "}List");
        assertUnreadable(codec("x", Chain.class), "x:" + "1,(".repeat(100_000));
    }

    @Nested
    class NamedClasses {
        @Test
        void classThatIsNotAllowed_isNotEvenLoaded() {
            KeyCodec<Object> strict = KeyCodec.create(
                    new KeySpace("", "x", null), Object.class, failing(), name -> false, KeyCodecFixture.others());

            assertThatThrownBy(() -> strict.decode(stored("x:{x:1}com.acme.Evil")))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("com.acme.Evil is not allowed");
            assertThatThrownBy(() -> strict.decode(stored("x:{x:com.acme.Evil(1)}List")))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("com.acme.Evil is not allowed");
        }

        @Test
        void classThatTheApplicationUses_isAllowedFromThenOn() {
            KeyCodec<Object> codec = KeyCodec.create(
                    new KeySpace("", "x", null),
                    Object.class,
                    StoredTextTest.class.getClassLoader(),
                    name -> false,
                    KeyCodecFixture.others());
            List<Object> used = List.of(Color.GREEN, List.of(new Point(1, 2)), new SaleKey(99, 1));

            for (Object key : used) {
                EncodedKey stored =
                        KeyCodecFixture.<Object>codec("x", Object.class).encode(key);
                assertThatThrownBy(() -> codec.decode(stored)).isInstanceOf(CodecException.class);
                assertThat(codec.decode(codec.encode(key))).isEqualTo(key);
            }
        }

        @Test
        void allowedClass_thatIsNoKey_isRefused_withoutInitialisingIt() {
            assertUnreadable(untyped, "x:{x:1}" + FIXTURE.replace("KeyCodecFixture", "StoredTextTest") + "$Loud");
            assertThat(INITIALISED).isEmpty();
        }

        @Test
        void classOfTheJdk_isRefused_evenIfAllowed() {
            KeyCodec<Object> open = KeyCodec.create(
                    new KeySpace("", "x", null),
                    Object.class,
                    StoredTextTest.class.getClassLoader(),
                    name -> true,
                    KeyCodecFixture.others());

            assertUnreadable(open, "x:{x:a}java.lang.Thread", "x:{x:a}java.util.concurrent.atomic.AtomicLong");
            assertUnreadable(
                    open,
                    "x:{x:Long:1}java.util.ArrayList",
                    "x:{x:a}java.lang.Enum",
                    "x:{x:1}java.net.URI",
                    "x:{x:AA}kryo");
        }

        private static ClassLoader failing() {
            return new ClassLoader(null) {
                @Override
                protected Class<?> findClass(String name) {
                    throw new AssertionError("loaded " + name);
                }
            };
        }
    }

    static final class Loud {
        static {
            INITIALISED.add("Loud");
        }

        private Loud() {}
    }
}
