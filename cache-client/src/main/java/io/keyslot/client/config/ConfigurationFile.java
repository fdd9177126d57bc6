// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a configuration, and their location: the file named by the URI of the manager, else the one named by
 * {@code keyslot.config}, else {@code keyslot.yaml} on the class path. A named file must exist.
 */
record ConfigurationFile(
        String name,
        String origin,
        @SuppressWarnings("ArrayRecordComponent") byte[] content) {
    private static final String FILE = "file";
    private static final String CLASSPATH = "classpath";
    private static final String JAR = "jar";
    private static final Set<String> NOT_READ = Set.of("http", "https", "ftp", "jrt", "data");
    private static final String YAML = "keyslot.yaml";
    private static final String YML = "keyslot.yml";

    private static final int MOST_BYTES = 1 << 20;

    ConfigurationFile(String name, String origin, InputStream content) throws IOException {
        this(name, origin, content.readNBytes(MOST_BYTES + 1));
        if (this.content.length > MOST_BYTES) {
            throw new IOException("it is larger than " + ValueType.format(MOST_BYTES));
        }
    }

    private static ConfigurationFile of(Path path) {
        String origin = "file " + path;
        try (InputStream content = Files.newInputStream(path)) {
            return new ConfigurationFile(shortName(path.toString()), origin, content);
        } catch (IOException e) {
            throw unreadable(origin, e);
        }
    }

    private static ConfigurationFile of(String resource, URL url) {
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

    /** Returns the configuration, if any; a null {@code manager} is the provider's default URI, which names no file. */
    static Optional<ConfigurationFile> find(ClassLoader loader, @Nullable URI manager, @Nullable String property) {
        if (manager != null && manager.getScheme() != null) {
            Optional<ConfigurationFile> named = byScheme(loader, "manager URI", manager.toString(), manager);
            if (named.isPresent()) {
                return named;
            }
        }
        return property == null ? onClassPath(loader) : Optional.of(byProperty(loader, property.strip()));
    }

    private static Optional<ConfigurationFile> byScheme(ClassLoader loader, String who, String text, URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (NOT_READ.contains(scheme)) {
            throw new ConfigurationException(
                    "The %s has the scheme %s, from which no configuration is read: use file: or classpath:"
                            .formatted(who, scheme));
        }
        if (scheme.equals(FILE)) {
            return Optional.of(file(who, path(who, uri)));
        }
        if (scheme.equals(JAR)) {
            return Optional.of(withinJar(who, text, uri));
        }
        return scheme.equals(CLASSPATH)
                ? Optional.of(resource(
                        loader,
                        text.substring(CLASSPATH.length() + 1),
                        name -> "The %s names %s, which is not on the class path of %s".formatted(who, name, loader)))
                : Optional.empty();
    }

    private static ConfigurationFile byProperty(ClassLoader loader, String property) {
        String who = "property " + PropertyOverrides.CONFIG;
        // Only a text with one of these schemes is a URI: a path may contain spaces, or a drive letter with a colon.
        String lower = property.toLowerCase(Locale.ROOT);
        boolean uri = lower.startsWith(FILE + ":")
                || lower.startsWith(CLASSPATH + ":")
                || lower.startsWith(JAR + ":")
                || NOT_READ.stream().anyMatch(scheme -> lower.startsWith(scheme + ":"));
        return uri
                ? byScheme(loader, who, property, uri(who, property)).orElseThrow()
                : fileOrResource(loader, who, property);
    }

    /** Spring turns {@code classpath:} into such a URI in a packaged application. */
    private static ConfigurationFile withinJar(String who, String text, URI uri) {
        try {
            return of(text, uri.toURL());
        } catch (MalformedURLException e) {
            throw new ConfigurationException("The %s does not name a file within a jar: %s".formatted(who, text), e);
        }
    }

    private static ConfigurationFile fileOrResource(ClassLoader loader, String who, String text) {
        Path path = path(who, text);
        if (Files.exists(path)) {
            return of(path);
        }
        return resource(
                loader,
                text,
                name -> "The %s names %s, which is neither the file %s nor on the class path"
                        .formatted(who, text, path.toAbsolutePath()));
    }

    private static URI uri(String who, String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("The %s is not a URI: %s".formatted(who, text), e);
        }
    }

    private static Path path(String who, URI uri) {
        if (uri.isOpaque()) {
            return path(who, uri.getSchemeSpecificPart());
        }
        try {
            return Path.of(uri);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("The %s does not name a file of this machine: %s".formatted(who, uri), e);
        }
    }

    private static Path path(String who, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new ConfigurationException("The %s does not name a file: %s".formatted(who, text), e);
        }
    }

    private static ConfigurationFile file(String who, Path path) {
        if (!Files.exists(path)) {
            throw new ConfigurationException(
                    "The %s names a file that does not exist: %s".formatted(who, path.toAbsolutePath()));
        }
        return of(path);
    }

    private static ConfigurationFile resource(ClassLoader loader, String text, UnaryOperator<String> missing) {
        String name = text.replaceFirst("^/+", "");
        URL url = loader.getResource(name);
        if (url == null) {
            throw new ConfigurationException(missing.apply(name));
        }
        return of(name, url);
    }

    private static Optional<ConfigurationFile> onClassPath(ClassLoader loader) {
        URL yaml = loader.getResource(YAML);
        URL yml = loader.getResource(YML);
        if (yaml != null && yml != null) {
            throw new ConfigurationException("There are %s (%s) and %s (%s) on the class path: keep one of them"
                    .formatted(YAML, yaml, YML, yml));
        }
        if (yaml != null) {
            return Optional.of(of(YAML, yaml));
        }
        return Optional.ofNullable(yml).map(url -> of(YML, url));
    }
}
