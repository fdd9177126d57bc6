// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.graph.AllowedClasses;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Modules of Jackson that an application has on its class path, such as those of other languages, keep what they say of names. */
class JsonModulesTest {
    record Login(String name, String secret) {}

    /** Hides a property, as annotations of another library do. */
    public static final class Hiding2 extends com.fasterxml.jackson.databind.module.SimpleModule {
        private static final long serialVersionUID = 1L;

        @Override
        public void setupModule(com.fasterxml.jackson.databind.Module.SetupContext context) {
            context.insertAnnotationIntrospector(
                    new com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public boolean hasIgnoreMarker(
                                com.fasterxml.jackson.databind.introspect.AnnotatedMember member) {
                            return member.getName().equals("secret");
                        }
                    });
        }
    }

    /** The same for Jackson 3. */
    public static final class Hiding3 extends tools.jackson.databind.module.SimpleModule {
        @Override
        public void setupModule(tools.jackson.databind.JacksonModule.SetupContext context) {
            context.insertAnnotationIntrospector(new tools.jackson.databind.introspect.NopAnnotationIntrospector() {
                @Override
                public boolean hasIgnoreMarker(
                        tools.jackson.databind.cfg.MapperConfig<?> config,
                        tools.jackson.databind.introspect.AnnotatedMember member) {
                    return member.getName().equals("secret");
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void moduleOfTheClassPath_isFound_andWhatItSaysOfPropertiesHolds(JsonMappings mapper, @TempDir Path folder)
            throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("com.fasterxml.jackson.databind.Module"), Hiding2.class.getName());
        Files.writeString(services.resolve("tools.jackson.databind.JacksonModule"), Hiding3.class.getName());
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            JsonCodec codec = JsonCodec.of(Login.class, mapper, AllowedClasses.of(List.of()), loader);

            assertThat(new String(codec.encode(new Login("ada", "x")), UTF_8)).isEqualTo("{\"name\":\"ada\"}");
        }
    }
}
