// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of a configuration, and their location. */
final class ConfigurationFile {
    private static final int MOST_BYTES = 1 << 20;

    private final String name;
    private final String origin;
    private final byte[] content;

    ConfigurationFile(String name, String origin, InputStream content) throws IOException {
        this.name = name;
        this.origin = origin;
        this.content = content.readNBytes(MOST_BYTES + 1);
        if (this.content.length > MOST_BYTES) {
            throw new IOException("it is larger than " + Sizes.format(MOST_BYTES));
        }
    }

    static ConfigurationFile of(Path path) {
        String origin = "file " + path;
        try (InputStream content = Files.newInputStream(path)) {
            return new ConfigurationFile(shortName(path.toString()), origin, content);
        } catch (IOException e) {
            throw unreadable(origin, e);
        }
    }

    static ConfigurationFile of(String resource, URL url) {
        String origin = "class path resource %s (%s)".formatted(resource, url);
        try {
            URLConnection connection = url.openConnection();
            // A cached connection would keep the jar open after the application has closed its class loader.
            connection.setUseCaches(false);
            try (InputStream content = connection.getInputStream()) {
                return new ConfigurationFile(shortName(resource), origin, content);
            }
        } catch (IOException e) {
            throw unreadable(origin, e);
        }
    }

    private static ConfigurationException unreadable(String origin, IOException cause) {
        return new ConfigurationException("The configuration cannot be read: " + origin + ", " + cause, cause);
    }

    private static String shortName(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    String name() {
        return name;
    }

    String origin() {
        return origin;
    }

    byte[] content() {
        return content.clone();
    }
}
