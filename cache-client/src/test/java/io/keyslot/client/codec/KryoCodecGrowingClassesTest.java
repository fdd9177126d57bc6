// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions of the same classes, side by side: each reads what the other one has written. */
class KryoCodecGrowingClassesTest {
    private static final AllowedClasses ALLOWED = AllowedClasses.of(List.of("shop.**"));

    @TempDir
    private Path directory;

    private int versions;

    @Nested
    class Fields {
        private static final String SMALL = """
                class Order { String id = "?"; int count = 1; Order() {} Order(String i, int c) { id = i; count = c; }
                  public String toString() { return id + "," + count; } }
                """;
        private static final String LARGE = """
                class Order { long total = 9; String id = "?"; java.util.List<String> notes = new java.util.ArrayList<>();
                  int count = 1; boolean paid; Order() {} Order(String i, int c) { id = i; count = c; total = 5; notes.add("n"); paid = true; }
                  public String toString() { return id + "," + count + "," + total + "," + notes + "," + paid; } }
                """;

        @Test
        void withoutAConstructor_theDefaultIsThatOfTheType() throws Exception {
            Object read = read(
                    version("class P { final int x; P(int x) { this.x = x; } }" + make("new P(3)")),
                    version("""
                            class P { final int x; final String y; final double z = Math.sqrt(4);
                              P(int x, String y) { this.x = x; this.y = y; }
                              public String toString() { return x + "," + y + "," + z; } }
                            """ + make("null")));

            assertThat(read).hasToString("3,null,0.0");
        }

        @Test
        void inCollectionsAndKeys_andWithinOthers_bothDirections() throws Exception {
            String value = make(
                    "java.util.Map.of(\"k\", java.util.List.of(new Order(\"a\", 1), new Order(\"b\", 2)), \"l\", new Order[] {new Order(\"c\", 3)})"
                            + ".values().stream().map(o -> o instanceof Order[] x ? java.util.Arrays.asList(x) : o).sorted(java.util.Comparator.comparing(String::valueOf)).toList()");

            assertThat(read(version(SMALL + value), version(LARGE + value)))
                    .hasToString("[[a,1,9,[],false, b,2,9,[],false], [c,3,9,[],false]]");
            assertThat(read(version(LARGE + value), version(SMALL + value))).hasToString("[[a,1, b,2], [c,3]]");
        }

        @Test
        void otherTypeOfAField_isNotAValue() throws Exception {
            String before =
                    "class A { Object x; A(Object x) { this.x = x; } A() {} public String toString() { return \"\" + x; } }";
            Version text = version(before + make("new A(\"t\")"));

            assertThat(read(
                            text,
                            version(before.replace("Object x;", "CharSequence x;")
                                            .replace("this.x = x", "")
                                    + make("null"))))
                    .hasToString("t");
            assertNotRead(
                    text, version(before.replace("Object x;", "Integer x;").replace("this.x = x", "") + make("null")));
            assertNotRead(
                    text, version(before.replace("Object x;", "int x;").replace("this.x = x", "") + make("null")));
            assertNotRead(
                    version("class A { int x = 1; }" + make("new A()")),
                    version("class A { long x = 1; }" + make("null")));
        }

        @Test
        void fieldsOfSuperclasses_areFoundByTheirNames() throws Exception {
            Version flat =
                    version("class B extends C { int x = 5; public String toString() { return \"\" + x; } } class C {}"
                            + make("new B()"));
            Version raised =
                    version("class B extends C { public String toString() { return \"\" + x; } } class C { int x; }"
                            + make("null"));
            Version shadowed = version("""
                    class B extends C { int x = 6; public String toString() { return x + "," + super.x; } }
                    class C { int x = 7; }
                    """ + make("new B()"));

            assertThat(read(flat, raised)).hasToString("5");
            assertThat(read(shadowed, shadowed)).hasToString("6,7");
            assertThat(read(shadowed, flat)).hasToString("6");
            assertNotRead(flat, shadowed);
        }
    }

    @Nested
    class Records {
        @Test
        void componentThatWasAdded_isZeroFalseOrNull() throws Exception {
            Version before = version("record R(String a, int b) {}" + make("new R(\"t\", 2)"));
            Version after = version("record R(long n, int b, String a, boolean f, char c, java.util.List<String> l) {}"
                    + make("new R(1, 2, \"t\", true, 'x', java.util.List.of(\"s\"))"));

            assertThat(read(before, after)).hasToString("R[n=0, b=2, a=t, f=false, c=\0, l=null]");
            assertThat(read(after, before)).hasToString("R[a=t, b=2]");
        }

        @Test
        void constructorDecides() throws Exception {
            Version before = version("record R(int b) {}" + make("new R(2)"));

            assertThat(read(
                            before,
                            version("record R(int b, String a) { R { a = a == null ? \"none\" : a; } }"
                                    + make("null"))))
                    .hasToString("R[b=2, a=none]");
            assertNotRead(before, version("record R(int b, String a) { R { a.length(); } }" + make("null")));
        }

        @Test
        void classThatBecomesARecord_andBack() throws Exception {
            Version type = version(
                    "class R { final int b; final String a; R(int b, String a) { this.b = b; this.a = a; } public String toString() { return a + b; } }"
                            + make("new R(2, \"t\")"));
            Version record = version("record R(String a, int b) {}" + make("new R(\"t\", 2)"));

            assertThat(read(type, record)).hasToString("R[a=t, b=2]");
            assertThat(read(record, type)).hasToString("t2");
        }
    }

    @Nested
    class ClassesThatAreNew {
        private static final String OLD =
                "class O { int id = 1; O() {} public String toString() { return \"O\" + id; } }";

        /** Any value in a field that the old version does not have, of classes that it does not have. */
        private void assertSkipped(String classes, String value) throws Exception {
            Version newer =
                    version("class O { Object before = %s; int id = 3; Object later = before; }".formatted(value)
                            + classes
                            + make("java.util.List.of(new O(), new O())"));

            assertThat(read(newer, version(OLD + make("null")))).hasToString("[O3, O3]");
        }

        @Test
        void objectsOfThem_areSkipped() throws Exception {
            assertSkipped("record N(int x, N y) {}", "new N(1, new N(2, null))");
            assertSkipped("enum E { A { } , B }", "java.util.List.of(E.A, E.B)");
            assertSkipped(
                    "enum E { A, B }",
                    "java.util.List.of(java.util.EnumSet.of(E.B), java.util.EnumSet.noneOf(E.class))");
            assertSkipped("enum E { A, B }", "new java.util.EnumMap<>(java.util.Map.of(E.A, java.util.List.of(E.B)))");
            assertSkipped("enum E { A, B }", "new java.util.EnumMap<E, Integer>(E.class)");
            assertSkipped("class V { private static final long serialVersionUID = 77L; int x; }", "new V()");
            assertSkipped("class L extends java.util.ArrayList<Object> { L() { add(1); } }", "new L()");
            assertSkipped("class M extends java.util.HashMap<Object, Object> { M() { put(1, 2); } }", "new M()");
            assertSkipped("class V { V[] self = {this, null}; }", "new V()");
            assertSkipped(
                    "class V { }",
                    "new java.util.HashSet<>(java.util.List.of(new V(), java.util.Map.of(1, new V[1])))");
        }

        @Test
        void inAFieldThatIsRead_isNotAValue() throws Exception {
            Version newer = version("class N {} class O { Object x = new N(); }" + make("new O()"));

            assertNotRead(newer, version("class O { Object x; }" + make("null")));
        }

        @Test
        void objectThatIsSharedWithASkippedField_isStillThere() throws Exception {
            Version newer =
                    version("class S { int n = 4; } class O { S a = new S(); S b = a; S c = a; }" + make("new O()"));
            Version older = version(
                    "class S { int n; } class O { S b; S c; public String toString() { return b.n + \",\" + (b == c); } }"
                            + make("null"));

            assertThat(read(newer, older)).hasToString("4,true");
        }

        /** A list with an object that was not read must not get into a field. */
        @Test
        void objectThatWasNotReadCompletely_cannotBeReferredTo() throws Exception {
            Version newer = version(
                    "class N {} class O { Object a = new java.util.ArrayList<Object>(java.util.List.of(new N())); Object b = a; }"
                            + make("new O()"));

            assertNotRead(newer, version("class O { Object b; }" + make("null")));
        }
    }

    @Test
    void enumConstants_mayBeAddedAndMoved_butAreNotGuessed() throws Exception {
        Version before = version("enum E { A, B }" + make("java.util.EnumSet.of(E.B)"));
        Version after = version("enum E { NEW, B, A }" + make("java.util.EnumSet.of(E.NEW)"));

        assertThat(read(before, after)).hasToString("[B]");
        assertNotRead(after, before);
    }

    /** Pairs of classes with fields of which some come, some go, and the others stay what they are. */
    @Test
    void anyChangeOfFields_keepsWhatBothHave() throws Exception {
        long seed = 20261122;
        Random random = new Random(seed);
        int pairs = 25;
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < pairs; i++) {
            before.append(randomClass(i, random));
            after.append(randomClass(i, random));
        }
        String all = java.util.stream.IntStream.range(0, pairs)
                .mapToObj("new T%d().filled()"::formatted)
                .collect(Collectors.joining(", ", "java.util.Arrays.asList(", ")"));
        Version older = version(before + make(all));
        Version newer = version(after + make(all));

        assertCommonFieldsAreEqual(older, newer, seed);
        assertCommonFieldsAreEqual(newer, older, seed);
    }

    private static void assertCommonFieldsAreEqual(Version writer, Version reader, long seed) throws Exception {
        List<?> written = (List<?>) writer.make();
        List<?> read = (List<?>) read(writer, reader);
        for (int i = 0; i < written.size(); i++) {
            var had = fieldsOf(written.get(i));
            var has = fieldsOf(read.get(i));
            var expected = fieldsOf(emptyOf(read.get(i).getClass()));
            had.keySet().retainAll(has.keySet());
            expected.putAll(had);
            assertThat(has).as("seed %d, class %d", seed, i).isEqualTo(expected);
        }
    }

    private static Object emptyOf(Class<?> type) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static java.util.SortedMap<String, String> fieldsOf(Object object) throws ReflectiveOperationException {
        java.util.SortedMap<String, String> fields = new java.util.TreeMap<>();
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (var field : type.getDeclaredFields()) {
                field.setAccessible(true);
                fields.put(field.getName(), String.valueOf(field.get(object)));
            }
        }
        return fields;
    }

    /** A class of which every field has a default, and another value after {@code filled}; its name tells its type. */
    private static String randomClass(int number, Random random) {
        List<String> fields = new ArrayList<>();
        List<String> fills = new ArrayList<>();
        for (String name : new TreeSet<>(List.of("a", "b", "c", "d", "e", "f", "g", "h"))) {
            if (random.nextBoolean()) {
                String type = List.of("int", "long", "boolean", "String", "char", "double", "Object", "short")
                        .get(name.charAt(0) - 'a');
                fields.add("%s %s;".formatted(type, name));
                String value = List.of(
                                "7", "8L", "true", "\"s\"", "'c'", "1.5", "java.util.List.of(1, \"x\")", "(short) 3")
                        .get(name.charAt(0) - 'a');
                fills.add("%s = %s;".formatted(name, value));
            }
        }
        Collections.shuffle(fields, random);
        int ofParent = random.nextInt(fields.size() + 1);
        return "class P%d { %s } class T%d extends P%d { %s T%d filled() { %s return this; } }\n"
                .formatted(
                        number,
                        String.join(" ", fields.subList(0, ofParent)),
                        number,
                        number,
                        String.join(" ", fields.subList(ofParent, fields.size())),
                        number,
                        String.join(" ", fills));
    }

    private static Object read(Version writer, Version reader) throws Exception {
        byte[] bytes = writer.codec().encode(writer.make());
        Object read = reader.codec().decode(ByteBuffer.wrap(bytes));
        // What was read by its bytes once may be found again.
        assertThat(reader.codec().decode(ByteBuffer.wrap(bytes))).hasSameClassAs(read);
        return read;
    }

    private static void assertNotRead(Version writer, Version reader) throws Exception {
        byte[] bytes = writer.codec().encode(writer.make());

        assertThatThrownBy(() -> reader.codec().decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String make(String expression) {
        return "public class Make { public static Object make() { return %s; } }".formatted(expression);
    }

    private Version version(String source) throws IOException {
        Path root = directory.resolve("v" + versions++);
        Path file = root.resolve("Make.java");
        Files.createDirectories(root);
        Files.writeString(file, "package shop;\n" + source);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        int result = compiler.run(null, null, null, "-proc:none", "-nowarn", "-d", root.toString(), file.toString());
        assertThat(result).isZero();
        URLClassLoader loader =
                new URLClassLoader(new URL[] {root.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        return new Version(loader, KryoCodec.create(ALLOWED, loader));
    }

    /** One version of the classes, with the codec of an application that has them. */
    private record Version(ClassLoader loader, KryoCodec codec) {
        Object make() throws ReflectiveOperationException {
            return loader.loadClass("shop.Make").getMethod("make").invoke(null);
        }
    }
}
