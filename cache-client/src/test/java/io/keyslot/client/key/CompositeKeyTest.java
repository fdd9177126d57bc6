// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.assertStored;
import static io.keyslot.client.key.KeyCodecFixture.codec;
import static io.keyslot.client.key.KeyCodecFixture.stored;
import static io.keyslot.client.key.KeyCodecFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.key.KeyCodecFixture.Address;
import io.keyslot.client.key.KeyCodecFixture.ByContent;
import io.keyslot.client.key.KeyCodecFixture.ByReference;
import io.keyslot.client.key.KeyCodecFixture.Color;
import io.keyslot.client.key.KeyCodecFixture.HashedLater;
import io.keyslot.client.key.KeyCodecFixture.HashedOnce;
import io.keyslot.client.key.KeyCodecFixture.Line;
import io.keyslot.client.key.KeyCodecFixture.Name;
import io.keyslot.client.key.KeyCodecFixture.NotSerializable;
import io.keyslot.client.key.KeyCodecFixture.Nothing;
import io.keyslot.client.key.KeyCodecFixture.Point;
import io.keyslot.client.key.KeyCodecFixture.Tags;
import io.keyslot.client.key.KeyCodecFixture.WithoutEquals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CompositeKeyTest {
    private static final String FIXTURE = KeyCodecFixture.NAME;

    private final KeyCodec<Object> untyped = codec("x", Object.class);

    @Nested
    class Records {
        @Test
        void declaredRecord_isItsComponents() {
            assertStored(codec("x", Point.class), new Point(1, -2), "x:1,-2");
            assertStored(codec("x", Nothing.class), new Nothing(), "x:");
        }

        @Test
        void soleSimpleComponent_isBare_commasIncluded() {
            KeyCodec<Name> names = codec("x", Name.class);

            assertStored(names, new Name("a,(b)"), "x:a,(b)");
            assertStored(names, new Name(""), "x:");
            assertStored(names, new Name(null), "x:%null");
            assertStored(names, new Name("%null"), "x:%25null");
        }

        @Test
        void component_namesItsFormOnlyIfItsDeclaredTypeIsNotFinal() {
            assertStored(
                    codec("x", Line.class),
                    new Line(new Point(1, 2), new Point(3, 4), "a,(b):c", Color.GREEN),
                    "x:(1,2),(3,4),String:a%2C%28b%29:c,GREEN");
            assertStored(
                    codec("x", Line.class),
                    new Line(new Point(1, 2), new Point(3, 4), 5L, Color.RED),
                    "x:(1,2),(3,4),Long:5,RED");
            assertStored(
                    codec("x", Line.class),
                    new Line(new Point(1, 2), new Point(3, 4), null, Color.RED),
                    "x:(1,2),(3,4),%null,RED");
        }

        @Test
        void arrayComponent_isItsContent_ifEqualsComparesContent() {
            assertStored(
                    codec("x", ByContent.class),
                    new ByContent(new int[] {1, 2}, new String[] {"a"}),
                    "x:(1,2),(String:a)");
            assertStored(codec("x", ByContent.class), new ByContent(new int[0], null), "x:(),%null");
        }

        @Test
        void arrayComponent_isRefused_ifEqualsComparesReferences() {
            assertThatThrownBy(() -> untyped.encode(new ByReference(new int[] {1, 2})))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(FIXTURE + "$ByReference")
                    .hasMessageContaining("equal");
        }
    }

    @Nested
    class Classes {
        @Test
        void bytesOfTheCodec_areTheText() {
            Address key = new Address("Main", 7);
            String bytes = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(KeyCodecFixture.others().encode(key));

            assertStored(untyped, key, "x:{x:%s}kryo".formatted(bytes));
            assertStored(codec("x", Address.class), key, "x:" + bytes);
            assertStored(untyped, List.of(key), "x:{x:kryo:%s}List".formatted(bytes));
        }

        @Test
        void transientField_thatRebuildingLoses_isRefusedOnlyIfItMatters() {
            KeyCodec<HashedLater> codec = codec("x", HashedLater.class);
            HashedLater hashed = new HashedLater("a");

            assertThat(hashed.hashCode()).isNotZero();
            assertThat(codec.decode(codec.encode(hashed))).isEqualTo(hashed);
            assertThat(codec.encode(hashed)).isEqualTo(codec.encode(new HashedLater("a")));
            assertThatThrownBy(() -> untyped.encode(new HashedOnce("a")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("transient");
        }

        @Test
        @SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // Obsolete classes are keys, too.
        void equalKeys_haveOneText_whateverTheyShare_andOfWhatClassTheirListsAre() {
            String twice = "twice";
            Labels one = new Labels(List.of(twice, twice), new java.util.Date(1), new java.util.Date(1));
            java.util.Date shared = new java.util.Date(1);
            Labels other = new Labels(new LinkedList<>(List.of("twice", new String("twice"))), shared, shared);

            assertThat(one).isEqualTo(other);
            assertThat(untyped.encode(one)).isEqualTo(untyped.encode(other));
            assertThat(untyped.decode(untyped.encode(one))).isEqualTo(other);
        }

        @Test
        @SuppressWarnings("JavaUtilDate")
        void setsAndMaps_areRefused_sinceEqualOnesHaveOtherBytes() {
            for (Object held : List.of(Set.of(1), new TreeSet<>(), Map.of(1, 2))) {
                assertThatThrownBy(() -> untyped.encode(new Labels(List.of(held), new java.util.Date(), null)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(held.getClass().getName())
                        .hasMessageContaining("use a record");
            }
        }

        @Test
        void classWithoutTextForm_isRefused_withAdvice() {
            for (Object key :
                    List.of(new NotSerializable(), new WithoutEquals(), new AtomicLong(), new Object(), new Thread())) {
                assertThatThrownBy(() -> untyped.encode(key))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(key.getClass().getName())
                        .hasMessageContaining("record")
                        .hasMessageContaining("EntityKey")
                        .hasMessageContaining("String");
            }
        }
    }

    record LabelsOf(List<?> labels, java.util.Date from, java.util.@Nullable Date to) {}

    static final class Labels implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        private final List<?> labels;

        private final java.util.Date from;
        private final java.util.@Nullable Date to;

        Labels(List<?> labels, java.util.Date from, java.util.@Nullable Date to) {
            this.labels = labels;
            this.from = from;
            this.to = to;
        }

        private LabelsOf all() {
            return new LabelsOf(labels, from, to);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Labels that && all().equals(that.all());
        }

        @Override
        public int hashCode() {
            return all().hashCode();
        }
    }

    @Nested
    class CollectionsOfItems {
        @Test
        void equalLists_haveOneText() {
            assertStored(untyped, List.of(1L, "a,b"), "x:{x:Long:1,String:a%2Cb}List");
            assertThat(text(untyped, new CopyOnWriteArrayList<>(List.of(1L, "a,b"))))
                    .isEqualTo(text(untyped, Arrays.asList(1L, "a,b")))
                    .isEqualTo(text(untyped, List.of(1L, "a,b")));
        }

        @Test
        void emptyAndNull_areTold() {
            assertStored(untyped, List.of(), "x:{x:}List");
            assertStored(untyped, List.of(List.of()), "x:{x:List()}List");
            assertStored(untyped, List.of(""), "x:{x:String:}List");
            assertStored(untyped, Arrays.asList((Object) null), "x:{x:%null}List");
            assertStored(untyped, Optional.empty(), "x:{x:}Optional");
            assertStored(untyped, Optional.of(7), "x:{x:Integer:7}Optional");
        }

        @Test
        void equalMaps_haveOneText_whateverTheirOrder() {
            Map<String, Integer> descending = new TreeMap<>(Comparator.reverseOrder());
            descending.putAll(Map.of("a", 1, "b", 2));

            assertStored(untyped, Map.of("a", 1, "b", 2), "x:{x:String:a,Integer:1,String:b,Integer:2}Map");
            assertThat(text(untyped, descending)).isEqualTo(text(untyped, Map.of("b", 2, "a", 1)));
        }

        @Test
        void declaredCollection_needsNoForm() {
            @SuppressWarnings("rawtypes")
            KeyCodec<ArrayList> lists = codec("x", ArrayList.class);

            assertStored(lists, new ArrayList<>(List.of(1L)), "x:Long:1");
            assertStored(
                    codec("x", Tags.class),
                    new Tags(List.of("b", "a"), Set.of(2, 1)),
                    "x:List(String:b,String:a),Set(Integer:1,Integer:2)");
        }
    }

    @Nested
    class ArraysOfItems {
        @Test
        void wholeKey_isItsContent() {
            KeyCodec<byte[]> bytes = codec("x", byte[].class);

            assertThat(text(bytes, new byte[] {10, -1})).isEqualTo("x:0aff");
            assertThat(bytes.decode(stored("x:0aff"))).containsExactly(10, -1);
            assertThat(text(untyped, new byte[] {10, -1})).isEqualTo("x:{x:0aff}byte[]");
            assertThat(text(untyped, new int[] {1, 2})).isEqualTo("x:{x:1,2}int[]");
            assertThat(untyped.decode(stored("x:{x:1,2}int[]"))).isEqualTo(new int[] {1, 2});
            assertThat(text(untyped, new String[] {"a", null})).isEqualTo("x:{x:String:a,%null}Object[]");
            assertThat(text(untyped, new int[][] {{1}, {}})).isEqualTo("x:{x:int[](1),int[]()}Object[]");
        }

        @Test
        void withinAList_isRefused_sinceListsCompareReferences() {
            assertThatThrownBy(() -> untyped.encode(List.of(new int[] {1})))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("arrays");
        }
    }

    @Nested
    class Bounds {
        @Test
        void cycle_isRefused() {
            List<Object> cycle = new ArrayList<>();
            cycle.add(cycle);

            assertThatThrownBy(() -> untyped.encode(cycle))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("contains itself");
        }

        @Test
        void sharedObjects_countEveryTime() {
            Object key = "a";
            for (int i = 0; i < 30; i++) {
                key = List.of(key, key);
            }
            Object doubled = key;

            assertThatThrownBy(() -> untyped.encode(doubled))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("10000 items");
        }
    }
}
