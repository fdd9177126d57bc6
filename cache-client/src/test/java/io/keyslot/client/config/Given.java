// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** A configuration as text, with properties and environment variables. Immutable. */
public record Given(String text, Map<String, Object> properties, Map<String, String> environment) {
    public static Given yaml(String... lines) {
        return new Given(String.join("\n", lines) + "\n", Map.of(), Map.of());
    }

    /** Returns the options without a configuration: three embedded partitions. */
    public static ClientOptions defaults() {
        return ConfigurationLoader.read(Optional.empty(), Given.class.getClassLoader(), new Properties(), name -> null);
    }

    Given property(String key, Object value) {
        Map<String, Object> changed = new HashMap<>(properties);
        changed.put(key, value);
        return new Given(text, changed, environment);
    }

    Given variable(String name, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(name, value);
        return new Given(text, properties, changed);
    }

    public ClientOptions options() {
        Properties set = new Properties();
        set.putAll(properties);
        return ConfigurationLoader.read(Optional.of(file()), Given.class.getClassLoader(), set, environment::get);
    }

    List<String> problems() {
        return failure().problems();
    }

    ConfigurationException failure() {
        return catchThrowableOfType(ConfigurationException.class, this::options);
    }

    private ConfigurationFile file() {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        try {
            return new ConfigurationFile("keyslot.yaml", "test", new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
