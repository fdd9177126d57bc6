// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Wherever bytes may name a class, a class that is not allowed is not loaded: neither of the JDK nor of the class path. Which
 * classes are loaded is told by Java Flight Recorder.
 */
class NamesFromServersTest {
    private static final ClassLoader LOADER = NamesFromServersTest.class.getClassLoader();
    private static final AllowedClasses OURS = AllowedClasses.of(List.of("io.keyslot.client.codec.*"));

    /** A length of one byte stands before a name, and brackets may. */
    private static final int LONGEST_NAME = 100;

    private static final int NAMES = 12;

    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    /** Stands where an attacker writes another name. */
    static class StandIn implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    static final class Child extends StandIn {
        private static final long serialVersionUID = 1L;
    }

    enum Kind {
        ONE
    }

    record Holder(StandIn typed, Object content) implements Serializable {}

    static final class Order implements Comparator<String>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(String one, String other) {
            return one.compareTo(other);
        }
    }

    /** A value, and the class of it that bytes of an attacker name differently. */
    private record Sample(Object value, Class<?> named) {}

    private static Stream<Sample> samples(String codec) {
        return codec.equals("kryo")
                ? samples()
                : Stream.concat(samples(), Stream.of(new Sample(new Child(), StandIn.class))); // it names superclasses
    }

    private static Stream<Sample> samples() {
        StandIn standIn = new StandIn();
        TreeMap<String, Integer> ordered = new TreeMap<>(new Order());
        ordered.put("a", 1);
        Stream<Object> withStandIn = Stream.of(
                standIn,
                new ArrayList<>(List.of("a", standIn)),
                List.of(standIn),
                Set.of(standIn),
                Map.of("key", standIn),
                Map.of(standIn, "value"),
                Collections.singletonList(standIn),
                Collections.synchronizedList(new ArrayList<>(List.of(standIn))),
                new Object[] {standIn},
                new StandIn[] {standIn},
                new StandIn[0],
                new StandIn[1][1],
                new AtomicReference<>(standIn),
                new Holder(standIn, "x"),
                new Holder(standIn, standIn),
                StandIn.class,
                StandIn[].class,
                new Object[] {StandIn.class},
                Map.of(StandIn.class, 1));
        return Stream.concat(
                withStandIn.map(value -> new Sample(value, StandIn.class)),
                Stream.of(
                        new Sample(Kind.ONE, Kind.class),
                        new Sample(EnumSet.of(Kind.ONE), Kind.class),
                        new Sample(EnumSet.noneOf(Kind.class), Kind.class),
                        new Sample(new EnumMap<>(Map.of(Kind.ONE, 1)), Kind.class),
                        new Sample(new EnumMap<>(Kind.class), Kind.class),
                        new Sample(new Holder(standIn, "x"), Holder.class),
                        new Sample(new Child(), Child.class),
                        new Sample(ordered, Order.class),
                        new Sample(new TreeSet<>(new Order()), Order.class)));
    }

    /** Returns the bytes with another name, and the length before it made to fit. */
    private static byte[] renamed(byte[] bytes, String from, String to) {
        String text = new String(bytes, ISO_8859_1);
        Matcher found = Pattern.compile("(\\[+L)?" + Pattern.quote(from)).matcher(text);
        StringBuilder changed = new StringBuilder();
        int copied = 0;
        while (found.find()) {
            int length = found.start() - 1;
            changed.append(text, copied, length);
            changed.append((char) (text.charAt(length) + to.length() - from.length()));
            changed.append(text, found.start(), found.end() - from.length()).append(to);
            copied = found.end();
        }
        assertThat(copied).as("place of %s in %s", from, text).isPositive();
        return changed.append(text.substring(copied)).toString().getBytes(ISO_8859_1);
    }

    /** Names of classes that no program of these tests uses: half of them of the JDK, and the others of the class path. */
    private static List<String> names(long seed) throws IOException {
        List<String> ofTheJdk = new ArrayList<>();
        try (Stream<Path> files =
                Files.walk(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.desktop/javax"))) {
            files.map(file -> file.subpath(2, file.getNameCount()).toString()).forEach(ofTheJdk::add);
        }
        List<String> ofAJar = new ArrayList<>();
        URL inAJar = Objects.requireNonNull(LOADER.getResource("io/lettuce/core/RedisClient.class"));
        try (JarFile jar = ((JarURLConnection) inAJar.openConnection()).getJarFile()) {
            jar.stream().map(ZipEntry::getName).forEach(ofAJar::add);
        }
        return Stream.of(ofTheJdk, ofAJar)
                .flatMap(paths -> someOf(paths, new Random(seed)))
                .toList();
    }

    private static Stream<String> someOf(List<String> paths, Random random) {
        List<String> names = paths.stream()
                .filter(path -> path.endsWith(".class"))
                .map(path ->
                        path.substring(0, path.length() - ".class".length()).replace('/', '.'))
                // Exceptions of the JDK are allowed to Kryo.
                .filter(name -> name.length() <= LONGEST_NAME && !name.endsWith("Exception") && !name.endsWith("Error"))
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(names).hasSizeGreaterThan(500);
        Collections.shuffle(names, random);
        return names.stream().limit(NAMES / 2);
    }

    private interface Attack {
        void run(String name) throws Exception;
    }

    /** Runs an attack with each of some names, and fails if a class of such a name has been loaded. */
    private void assertLoadsNone(long seed, Attack attack) throws Exception {
        List<String> names = names(seed);
        Path file = folder.resolve("classes.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ClassLoad").withoutStackTrace().withThreshold(Duration.ZERO);
            recording.start();
            for (String name : names.subList(1, NAMES)) {
                attack.run(name);
            }
            // What is not recorded would be no evidence.
            Class.forName(names.get(0), false, LOADER);
            recording.stop();
            recording.dump(file);
        }
        Set<String> loaded = RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getClass("loadedClass").getName())
                .collect(Collectors.toSet());
        assertThat(loaded)
                .as("seed %d", seed)
                .contains(names.get(0))
                .doesNotContainAnyElementsOf(names.subList(1, NAMES));
    }

    @Nested
    class Binary {
        private static Codec<Object> codec(String name, AllowedClasses allowed) {
            return name.equals("kryo") ? KryoCodec.create(allowed, LOADER) : JdkCodec.create(allowed, LOADER);
        }

        @ParameterizedTest
        @ValueSource(strings = {"kryo", "jdk"})
        void classThatBytesName_isNotLoaded_whereverAValueMayNameOne(String codecName) throws Exception {
            Codec<Object> writer = codec(codecName, AllowedClasses.everything());
            Codec<Object> reader = codec(codecName, OURS);
            List<Sample> samples = samples(codecName).toList();

            assertLoadsNone(codecName.hashCode(), name -> {
                for (Sample sample : samples) {
                    byte[] bytes = renamed(
                            writer.encode(sample.value()), sample.named().getName(), name);
                    assertThatThrownBy(() -> reader.decode(ByteBuffer.wrap(bytes)))
                            .as("%s in %s", name, sample)
                            .isInstanceOf(CodecException.class)
                            .hasMessageContaining(name);
                }
            });
        }

        /** An attack that refuses everything would show nothing. */
        @ParameterizedTest
        @ValueSource(strings = {"kryo", "jdk"})
        void samples_areReadWithTheirOwnNames(String codecName) {
            Codec<Object> writer = codec(codecName, AllowedClasses.everything());
            samples(codecName)
                    .forEach(sample -> assertThat(
                                    codec(codecName, OURS).decode(ByteBuffer.wrap(writer.encode(sample.value()))))
                            .isNotNull());
        }

        /** The types of fields, and interfaces of proxies, are names as well. */
        @Test
        void classThatTheDescriptionOfAnotherNames_isNotLoaded() throws Exception {
            Codec<Object> reader = codec("jdk", OURS);
            Codec<Object> writer = codec("jdk", AllowedClasses.everything());
            byte[] typed = writer.encode(new Holder(new StandIn(), "x"));
            String slashes = StandIn.class.getName().replace('.', '/');

            assertLoadsNone(107, name -> {
                // Its own name stays, the type of its field changes.
                String field = new String(typed, ISO_8859_1)
                        .replace(
                                (char) (slashes.length() + 2) + "L" + slashes + ";",
                                (char) (name.length() + 2) + "L" + name.replace('.', '/') + ";");
                assertThat(field).contains(name.replace('.', '/'));
                assertThat(reader.decode(ByteBuffer.wrap(field.getBytes(ISO_8859_1))))
                        .isInstanceOf(Holder.class);
                assertThatThrownBy(() -> reader.decode(ByteBuffer.wrap(proxyOf(name))))
                        .isInstanceOf(IllegalArgumentException.class);
            });
        }

        private static byte[] proxyOf(String name) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream output = new DataOutputStream(bytes);
            output.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            output.writeShort(ObjectStreamConstants.STREAM_VERSION);
            output.writeByte(ObjectStreamConstants.TC_OBJECT);
            output.writeByte(ObjectStreamConstants.TC_PROXYCLASSDESC);
            output.writeInt(1);
            output.writeUTF(name);
            output.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            output.writeByte(ObjectStreamConstants.TC_NULL);
            return bytes.toByteArray();
        }
    }

    @Nested
    @ParameterizedClass
    @EnumSource
    @SuppressWarnings("NullAway.Init") // set before each test
    class Json {
        @Parameter
        private JsonCodec.Library library;

        record Property(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object content) {}

        record InArray(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, include = JsonTypeInfo.As.WRAPPER_ARRAY)
                Object content) {}

        record InObject(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, include = JsonTypeInfo.As.WRAPPER_OBJECT)
                Object content) {}

        record Beside(
                @JsonTypeInfo(
                        use = JsonTypeInfo.Id.CLASS,
                        include = JsonTypeInfo.As.EXTERNAL_PROPERTY,
                        property = "type")
                Object content) {}

        record Minimal(
                @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
                Object content) {}

        record Elements(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Object> contents) {}

        record Values(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Map<String, Object> contents) {}

        /** Jackson's own builder of resolvers, in place of ours. */
        record Resolved(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
                @com.fasterxml.jackson.databind.annotation.JsonTypeResolver(
                        com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder.class)
                @tools.jackson.databind.annotation.JsonTypeResolver(
                        tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder.class)
                Object content) {}

        @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
        interface Top {}

        record OfTop(int number) implements Top {}

        record ClassField(Class<?> content) {}

        @SuppressWarnings("ArrayRecordComponent") // nobody compares them
        record ClassArray(Class<?>[] contents) {}

        record ClassList(List<Class<?>> contents) {}

        record ClassKeys(Map<Class<?>, Integer> contents) {}

        record ClassValues(Map<String, Class<?>> contents) {}

        record ClassReference(AtomicReference<Class<?>> content) {}

        record TypeField2(com.fasterxml.jackson.databind.JavaType content) {}

        record TypeField3(tools.jackson.databind.JavaType content) {}

        /** A type, JSON that names a class where {@code %s} is, and an allowed name with which it is read, unless that is null. */
        private record Form(
                Class<?> type, String json, @Nullable Class<?> allowed) {}

        private List<Form> forms() {
            Class<?> javaType = library == JsonCodec.Library.JACKSON_2 ? TypeField2.class : TypeField3.class;
            return List.of(
                    new Form(Property.class, "{\"content\":{\"@class\":\"%s\"}}", StandIn.class),
                    new Form(Property.class, "{\"content\":[\"%s\",[]]}", null),
                    new Form(InArray.class, "{\"content\":[\"%s\",{}]}", StandIn.class),
                    new Form(InObject.class, "{\"content\":{\"%s\":{}}}", StandIn.class),
                    new Form(Beside.class, "{\"type\":\"%s\",\"content\":{}}", StandIn.class),
                    new Form(Minimal.class, "{\"content\":{\"@c\":\"%s\"}}", StandIn.class),
                    new Form(Elements.class, "{\"contents\":[{\"@class\":\"%s\"}]}", StandIn.class),
                    new Form(Values.class, "{\"contents\":{\"a\":{\"@class\":\"%s\"}}}", StandIn.class),
                    new Form(Resolved.class, "{\"content\":{\"@class\":\"%s\"}}", StandIn.class),
                    new Form(Resolved.class, "{\"content\":[\"%s\",[]]}", null),
                    new Form(Top.class, "{\"@class\":\"%s\",\"number\":1}", OfTop.class),
                    new Form(Class.class, "\"%s\"", StandIn.class),
                    new Form(ClassField.class, "{\"content\":\"%s\"}", StandIn.class),
                    new Form(ClassField.class, "{\"content\":\" %s \"}", StandIn.class),
                    new Form(ClassArray.class, "{\"contents\":[\"%s\"]}", StandIn.class),
                    new Form(ClassList.class, "{\"contents\":[\"%s\"]}", StandIn.class),
                    new Form(ClassKeys.class, "{\"contents\":{\"%s\":1}}", StandIn.class),
                    new Form(ClassValues.class, "{\"contents\":{\"a\":\"%s\"}}", StandIn.class),
                    new Form(ClassReference.class, "{\"content\":\"%s\"}", StandIn.class),
                    new Form(javaType, "{\"content\":\"%s\"}", StandIn.class));
        }

        private JsonCodec codec(Class<?> type) {
            return JsonCodec.create(library, type, OURS.with(type), LOADER);
        }

        private static Object read(JsonCodec codec, String json) {
            return codec.decode(ByteBuffer.wrap(json.getBytes(UTF_8)));
        }

        @Test
        void classThatJsonNames_isNotLoaded_whereverAValueMayNameOne() throws Exception {
            List<JsonCodec> codecs =
                    forms().stream().map(form -> codec(form.type())).toList();

            assertLoadsNone(3 + library.name().hashCode(), name -> {
                for (int i = 0; i < codecs.size(); i++) {
                    Form form = forms().get(i);
                    for (String named : List.of(
                            "%s",
                            "[L%s;",
                            "[[L%s;",
                            "%s[]",
                            "java.util.ArrayList<%s>",
                            "java.util.ArrayList<java.util.ArrayList<%s>>",
                            "java.util.HashMap<java.lang.String,%s>",
                            "%s<java.lang.String>")) {
                        String json = form.json().formatted(named.formatted(name));
                        JsonCodec codec = codecs.get(i);
                        assertThatThrownBy(() -> read(codec, json))
                                .as(json)
                                .isInstanceOfAny(CodecException.class, IllegalArgumentException.class);
                    }
                    String json = form.json().formatted(name);
                    JsonCodec codec = codecs.get(i);
                    assertThatThrownBy(() -> read(codec, json))
                            .as(json)
                            .isInstanceOf(CodecException.class)
                            .hasMessageContaining("codec.allow: [ \"%s\" ]".formatted(name));
                }
            });
        }

        /** JSON that is refused for another reason would show nothing. */
        @Test
        void forms_areReadWithNamesThatAreAllowed() {
            forms().forEach(form -> Optional.ofNullable(form.allowed())
                    .ifPresent(allowed -> assertThat(
                                    read(codec(form.type()), form.json().formatted(allowed.getName())))
                            .as(form.json())
                            .isNotNull()));
        }

        @Test
        void classThatIsAValue_comesBackIfTheReaderMayLoadIt_andIsRefusedByTheWriterOtherwise() {
            JsonCodec codec = codec(ClassField.class);
            for (Class<?> allowed :
                    List.of(StandIn.class, StandIn[].class, int.class, int[].class, Runnable.class, Runnable[].class)) {
                assertThat(read(codec, new String(codec.encode(new ClassField(allowed)), UTF_8)))
                        .isEqualTo(new ClassField(allowed));
            }
            for (Class<?> forbidden : List.of(Runtime.class, Test.class, Test[].class)) {
                assertThatThrownBy(() -> codec.encode(new ClassField(forbidden)))
                        .isInstanceOf(CodecException.class)
                        .hasMessageContaining("is not allowed");
                assertThatThrownBy(() -> codec(ClassKeys.class).encode(new ClassKeys(Map.of(forbidden, 1))))
                        .isInstanceOf(CodecException.class);
            }
        }
    }
}
