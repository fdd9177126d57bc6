// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules of Jackson that an application has on its class path, such as those of other languages, keep what they say of names. */
class JsonModulesTest {
    record Login(String name, String secret) {}

    /** Hides a property, as annotations of another library do. */
    public static final class Hiding extends tools.jackson.databind.module.SimpleModule {
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

    @Test
    void moduleOfTheClassPath_isFound_andWhatItSaysOfPropertiesHolds(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("tools.jackson.databind.JacksonModule"), Hiding.class.getName());
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            JsonCodec codec = JsonCodec.create(Login.class, AllowedClasses.of(List.of()), loader);

            assertThat(new String(codec.encode(new Login("ada", "x")), UTF_8)).isEqualTo("{\"name\":\"ada\"}");
        }
    }
}
