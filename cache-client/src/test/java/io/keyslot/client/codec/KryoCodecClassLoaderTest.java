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
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KryoCodecClassLoaderTest {
    private static final AllowedClasses ALLOWED = AllowedClasses.of(List.of("shop.*"));

    @TempDir
    private Path directory;

    @Test
    void valueOfAClassThatIsNotThere_isNotDecoded() throws Exception {
        try (URLClassLoader writer = loaderOf(compile("v1", "private final int count = 3;"))) {
            byte[] bytes = KryoCodec.create(ALLOWED, writer).encode(newOrder(writer));
            KryoCodec reader = KryoCodec.create(ALLOWED, getClass().getClassLoader());

            assertThatThrownBy(() -> reader.decode(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void methodsAndConstants_doNotChangeTheBytes() throws Exception {
        Path before = compile("v1", "private final int count = 3;");
        Path after = compile(
                "v2", "static final int X = 1; private transient int y; int z() { return 1; } final int count = 3;");
        try (URLClassLoader writer = loaderOf(before);
                URLClassLoader reader = loaderOf(after)) {
            byte[] bytes = KryoCodec.create(ALLOWED, writer).encode(newOrder(writer));

            assertThat(KryoCodec.create(ALLOWED, reader).encode(newOrder(reader)))
                    .isEqualTo(bytes);
        }
    }

    private static Object newOrder(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass("shop.Order").getConstructor().newInstance();
    }

    private Path compile(String version, String members) throws IOException {
        Path source = directory.resolve(version).resolve("Order.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "package shop; public class Order { public Order() {} " + members + " }");
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        Path classes = Files.createDirectories(directory.resolve(version + "-classes"));
        int result = compiler.run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
        assertThat(result).isZero();
        return classes;
    }

    private static URLClassLoader loaderOf(Path classes) throws IOException {
        return new URLClassLoader(new URL[] {classes.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }
}
