// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.AllowedClasses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** What servers store makes the JDK look nothing up while it is read: no address of a name, no handler, no file system, no document. */
class LookupsFromServersTest {
    private static final ClassLoader LOADER = Objects.requireNonNull(LookupsFromServersTest.class.getClassLoader());
    private static final AllowedClasses OURS = AllowedClasses.of(List.of("io.keyslot.client.codec.**"));

    /** Every machine finds it, so that a look at it would succeed. */
    private static final String FOUND = "localhost";

    record Address(@Nullable InetAddress content) {}

    record Addresses(Map<InetAddress, Integer> contents) {}

    record Sockets(List<InetSocketAddress> contents) {}

    record SocketKeys(Map<InetSocketAddress, Integer> contents) {}

    record Link(@Nullable URL content) {}

    record Links(Set<URL> contents) {}

    record LinkKeys(Map<URL, Integer> contents) {}

    record Place(Path content) {}

    record Xml(Document content) {}

    private static JsonCodec codec(JsonMappings mapper, Class<?> type) {
        return JsonCodec.of(type, mapper, OURS.with(type), LOADER);
    }

    private static Object read(JsonCodec codec, String json) {
        return codec.decode(ByteBuffer.wrap(json.getBytes(UTF_8)));
    }

    private static void assertComesBack(JsonCodec codec, Object value) {
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(value)))).isEqualTo(value);
    }

    /** No digits of an address, but what looks like some. */
    private static Stream<String> names(long seed) {
        Random random = new Random(seed);
        Stream<String> nearlyAddresses = random.ints(200, 1, 9).mapToObj(length -> {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                parts.add(
                        random.nextBoolean() ? "%d".formatted(random.nextInt(999)) : "%x".formatted(random.nextInt()));
            }
            return String.join(random.nextBoolean() ? "." : "-", parts);
        });
        Stream<String> others = Stream.of(
                FOUND,
                "LOCALHOST",
                FOUND + ".",
                "1",
                "127.1",
                "0x7f.0.0.1",
                "2130706433",
                "1.2.3.4.",
                "1.2.3.4.5",
                "[::1]",
                "a:b");
        return Stream.concat(others, nearlyAddresses).filter(name -> !name.matches("\\d+(\\.\\d+){3}"));
    }

    @ParameterizedTest
    @EnumSource
    void name_isNotLookedUp_forAnAddress(JsonMappings mapper) throws UnknownHostException {
        assertThat(InetAddress.getByName(FOUND)).isNotNull();
        JsonCodec address = codec(mapper, Address.class);
        JsonCodec addresses = codec(mapper, Addresses.class);

        names(127).forEach(name -> {
            assertThatThrownBy(() -> read(address, "{\"content\":\"%s\"}".formatted(name)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> read(addresses, "{\"contents\":{\"%s\":1}}".formatted(name)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void name_staysOne_inTheAddressOfASocket(JsonMappings mapper) {
        JsonCodec sockets = codec(mapper, Sockets.class);
        JsonCodec keys = codec(mapper, SocketKeys.class);

        names(128).filter(name -> name.indexOf(':') < 0).forEach(name -> {
            assertThat(read(sockets, "{\"contents\":[\"%s:6379\"]}".formatted(name)))
                    .as(name)
                    .isEqualTo(new Sockets(List.of(InetSocketAddress.createUnresolved(name, 6379))));
            assertThat(read(keys, "{\"contents\":{\"%s:6379\":1}}".formatted(name)))
                    .as(name)
                    .isEqualTo(new SocketKeys(Map.of(InetSocketAddress.createUnresolved(name, 6379), 1)));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:65536", "host:99999999999", "host:-1", ":1", "[::1", "[host]:1", "a:b:1", ""})
    void addressOfASocket_thatIsNone_isRefused(String text) {
        for (JsonMappings mapper : JsonMappings.values()) {
            String json = "{\"contents\":{\"%s\":1}}".formatted(text);
            JsonCodec codec = codec(mapper, SocketKeys.class);
            assertThatThrownBy(() -> read(codec, json)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void addresses_comeBack(JsonMappings mapper) throws UnknownHostException {
        Map<Class<?>, JsonCodec> codecs = Stream.of(Address.class, Addresses.class, Sockets.class, SocketKeys.class)
                .collect(Collectors.toMap(type -> type, type -> codec(mapper, type)));
        Random random = new Random(127);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                bytes[random.nextInt(bytes.length)] = 0;
            }
            InetAddress address = InetAddress.getByAddress(random.nextBoolean() ? "name.of.it" : null, bytes);
            InetSocketAddress socket = new InetSocketAddress(address, random.nextInt(65536));

            for (Object value : List.of(
                    new Address(address),
                    new Addresses(Map.of(address, 1)),
                    new Sockets(List.of(socket)),
                    new SocketKeys(Map.of(socket, 1)))) {
                assertComesBack(Objects.requireNonNull(codecs.get(value.getClass())), value);
            }
        }
        assertComesBack(codec(mapper, Address.class), new Address(null));
    }

    @ParameterizedTest
    @EnumSource
    void url_isRefused_whoeverHasWrittenIt(JsonMappings mapper) throws Exception {
        URL url = URI.create("http://localhost/").toURL();
        assertThatThrownBy(() -> codec(mapper, Link.class).encode(new Link(url)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("use java.net.URI");
        assertThatThrownBy(() -> codec(mapper, LinkKeys.class).encode(new LinkKeys(Map.of(url, 1))))
                .isInstanceOf(CodecException.class);
        assertComesBack(codec(mapper, Link.class), new Link(null));

        for (String text :
                List.of("http://localhost/", "jar:http://localhost/x.jar!/y", "unheard-of:x", "file:/etc/passwd")) {
            assertThatThrownBy(() -> read(codec(mapper, Link.class), "{\"content\":\"%s\"}".formatted(text)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("use java.net.URI");
            assertThatThrownBy(() -> read(codec(mapper, Links.class), "{\"contents\":[\"%s\"]}".formatted(text)))
                    .isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> read(codec(mapper, LinkKeys.class), "{\"contents\":{\"%s\":1}}".formatted(text)))
                    .isInstanceOf(CodecException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void path_isOfTheDefaultFileSystem_alsoIfThereIsAnother(JsonMappings mapper, @TempDir Path folder)
            throws Exception {
        URI zip = URI.create("jar:" + folder.resolve("a.zip").toUri());
        try (FileSystem other = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            Path within = other.getPath("/a");
            assertThat(Path.of(within.toUri())).isEqualTo(within);

            assertThatThrownBy(() -> codec(mapper, Place.class).encode(new Place(within)))
                    .isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> read(codec(mapper, Place.class), "{\"content\":\"%s\"}".formatted(within.toUri())))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        Place file = new Place(folder.resolve("a b"));
        assertComesBack(codec(mapper, Place.class), file);
        assertThat(read(codec(mapper, Place.class), "{\"content\":\"a/b\"}")).isEqualTo(new Place(Path.of("a", "b")));
    }

    /** Jackson reads documents, and is careful with what these name. */
    @ParameterizedTest
    @EnumSource
    void document_isNotCompletedFromElsewhere(JsonMappings mapper, @TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout((int) Duration.ofMillis(1).toMillis());
            for (String address : List.of(
                    "http://127.0.0.1:%d/".formatted(server.getLocalPort()),
                    secret.toUri().toString())) {
                for (String document : List.of(
                        "<!DOCTYPE a SYSTEM '%s'><a/>",
                        "<!DOCTYPE a [<!ENTITY x SYSTEM '%s'>]><a>&x;</a>",
                        "<!DOCTYPE a [<!ENTITY %% x SYSTEM '%s'> %%x;]><a/>")) {
                    String json = "{\"content\":\"%s\"}".formatted(document.formatted(address));
                    try {
                        Xml read = (Xml) read(codec(mapper, Xml.class), json);
                        assertThat(read.content().getDocumentElement().getTextContent())
                                .isEmpty();
                    } catch (IllegalArgumentException e) {
                        assertThat(e).hasMessageContaining("not a value");
                    }
                }
            }
            assertThatThrownBy(server::accept).isInstanceOf(java.net.SocketTimeoutException.class);
        }
        assertThat(((Xml) read(codec(mapper, Xml.class), "{\"content\":\"<a>b</a>\"}"))
                        .content()
                        .getDocumentElement()
                        .getTextContent())
                .isEqualTo("b");
    }

    @Test
    void kryoAndJdk_refuseThem() throws Exception {
        List<Object> values = List.of(
                new Address(InetAddress.getLoopbackAddress()),
                new Sockets(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))),
                new Link(URI.create("http://localhost/").toURL()),
                new Place(Path.of("a")));
        for (Object value : values) {
            AllowedClasses allowed = OURS.with(value.getClass());
            for (Codec<Object> codec : List.of(KryoCodec.create(allowed, LOADER), JdkCodec.create(allowed, LOADER))) {
                assertThatThrownBy(() -> codec.encode(value))
                        .as("%s %s", codec.name(), value)
                        .isInstanceOf(CodecException.class);
            }
        }
        // By its full name, it is the JDK's own matter for jdk; kryo has no form for it.
        AllowedClasses named = AllowedClasses.of(List.of("io.keyslot.client.codec.**", "java.net.URL"));
        assertThatThrownBy(() -> KryoCodec.create(named, LOADER).encode(values.get(2)))
                .isInstanceOf(CodecException.class);
    }
}
