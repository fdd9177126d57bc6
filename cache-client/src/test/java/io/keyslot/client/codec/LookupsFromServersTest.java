// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;

/** What servers store makes the JDK look nothing up while it is read: no address of a name, no handler, no file system, no document. */
@ParameterizedClass
@EnumSource
@SuppressWarnings("NullAway.Init") // set before each test
class LookupsFromServersTest {
    @Parameter
    private JsonCodec.Library library;

    private static final ClassLoader LOADER = Objects.requireNonNull(LookupsFromServersTest.class.getClassLoader());
    private static final AllowedClasses OURS = AllowedClasses.of(List.of("io.keyslot.client.codec.**"));

    /** Every machine finds it, so that a look at it would succeed. */
    private static final String FOUND = "localhost";

    record Address(@Nullable InetAddress content) {}

    record Sockets(List<InetSocketAddress> contents) {}

    record Link(@Nullable URL content) {}

    record Links(Set<URL> contents) {}

    record LinkKeys(Map<URL, Integer> contents) {}

    record Place(Path content) {}

    record Xml(Document content) {}

    private JsonCodec codec(Class<?> type) {
        return JsonCodec.create(library, type, OURS.with(type), LOADER);
    }

    private static Object read(JsonCodec codec, String json) {
        return codec.decode(ByteBuffer.wrap(json.getBytes(UTF_8)));
    }

    private static void assertComesBack(JsonCodec codec, Object value) {
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(value)))).isEqualTo(value);
    }

    @Test
    void name_isNotLookedUp_forAnAddress() throws Exception {
        assertThat(InetAddress.getByName(FOUND)).isNotNull();
        Map<String, Class<?>> texts = Map.of(
                "{\"content\":\"%s\"}", Address.class,
                "{\"contents\":[\"%s:6379\"]}", Sockets.class,
                "{\"content\": \"%s\"}", Place.class);
        texts.forEach((json, type) -> assertThatThrownBy(() -> read(codec(type), json.formatted(FOUND)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("use its text"));
        assertThatThrownBy(() -> codec(Address.class).encode(new Address(InetAddress.getLoopbackAddress())))
                .isInstanceOf(CodecException.class);
        assertComesBack(codec(Address.class), new Address(null));
    }

    @Test
    void url_isRefused_whoeverHasWrittenIt() throws Exception {
        URL url = URI.create("http://localhost/").toURL();
        assertThatThrownBy(() -> codec(Link.class).encode(new Link(url)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("use java.net.URI");
        assertThatThrownBy(() -> codec(LinkKeys.class).encode(new LinkKeys(Map.of(url, 1))))
                .isInstanceOf(CodecException.class);
        assertComesBack(codec(Link.class), new Link(null));

        for (String text :
                List.of("http://localhost/", "jar:http://localhost/x.jar!/y", "unheard-of:x", "file:/etc/passwd")) {
            assertThatThrownBy(() -> read(codec(Link.class), "{\"content\":\"%s\"}".formatted(text)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("use java.net.URI");
            assertThatThrownBy(() -> read(codec(Links.class), "{\"contents\":[\"%s\"]}".formatted(text)))
                    .isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> read(codec(LinkKeys.class), "{\"contents\":{\"%s\":1}}".formatted(text)))
                    .isInstanceOf(CodecException.class);
        }
    }

    /** Jackson reads documents, and is careful with what these name. */
    @Test
    void document_isNotCompletedFromElsewhere(@TempDir Path folder) throws Exception {
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
                        Xml read = (Xml) read(codec(Xml.class), json);
                        assertThat(read.content().getDocumentElement().getTextContent())
                                .isEmpty();
                    } catch (IllegalArgumentException e) {
                        assertThat(e).hasMessageContaining("not a value");
                    }
                }
            }
            assertThatThrownBy(server::accept).isInstanceOf(java.net.SocketTimeoutException.class);
        }
        assertThat(((Xml) read(codec(Xml.class), "{\"content\":\"<a>b</a>\"}"))
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
