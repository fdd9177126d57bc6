// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.TlsOptions.Material;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code tls} and its files, which are read again when they change. The JVM's system properties are the default;
 * its key store is read here, because Netty ignores it.
 */
record TlsReader(Section section, Function<String, @Nullable String> systemProperties) {
    private static final String AUTHORITIES = "authorities";
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String SERVER_NAME = "serverName";

    private static final String SYSTEM_KEY_STORE = "javax.net.ssl.keyStore";

    /** The value of the system property for no file. */
    private static final String NO_FILE = "NONE";

    /** Reads the section, with the JVM's system properties as defaults if a partition uses encryption. */
    TlsOptions read(boolean isUsed) {
        Supplier<KeyManagerFactory> identity = identity(isUsed).orElse(null);
        Supplier<TrustManagerFactory> trusted = section.read(AUTHORITIES, Path.class)
                .flatMap(file -> loaded(AUTHORITIES, () -> readAgain(List.of(file), () -> KeyMaterial.trust(file))))
                .orElse(null);
        String serverName = section.read(SERVER_NAME, String.class).orElse(null);
        return identity == null && trusted == null && serverName == null
                ? TlsOptions.defaults()
                : new TlsOptions(
                        () -> new Material(
                                identity == null ? null : identity.get(), trusted == null ? null : trusted.get()),
                        serverName);
    }

    private Optional<? extends Supplier<KeyManagerFactory>> identity(boolean isUsed) {
        Optional<Path> certificate = section.read(CERTIFICATE, Path.class);
        Optional<Path> key = section.read(KEY, Path.class);
        requires(KEY, CERTIFICATE);
        requires(CERTIFICATE, KEY);
        if (!isGiven(CERTIFICATE) && !isGiven(KEY)) {
            return isUsed ? ofSystemProperties().map(identity -> () -> identity) : Optional.empty();
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        boolean hasChain = loaded(CERTIFICATE, () -> KeyMaterial.certificates(certificate.get()))
                .isPresent();
        boolean hasKey = loaded(KEY, () -> KeyMaterial.key(key.get())).isPresent();
        return hasChain && hasKey
                ? loaded(
                        CERTIFICATE,
                        () -> readAgain(
                                List.of(certificate.get(), key.get()),
                                () -> KeyMaterial.identity(
                                        KeyMaterial.certificates(certificate.get()), KeyMaterial.key(key.get()))))
                : Optional.empty();
    }

    private static <T> ReadAgain<T> readAgain(List<Path> files, ReadAgain.Making<T> making)
            throws BadValueException, IOException, GeneralSecurityException {
        for (Path file : files) {
            KeyMaterial.existing(file);
        }
        return ReadAgain.of(files, making);
    }

    private Optional<KeyManagerFactory> ofSystemProperties() {
        String file = systemProperties.apply(SYSTEM_KEY_STORE);
        if (file == null || file.isEmpty()) {
            return Optional.empty();
        }
        String type = systemProperties.apply("javax.net.ssl.keyStoreType");
        String text = systemProperties.apply("javax.net.ssl.keyStorePassword");
        char[] password = text == null ? new char[0] : text.toCharArray();
        Location where = new Location("system property " + SYSTEM_KEY_STORE, 0, 0);
        return loaded(where, "", () -> {
            KeyStore store = KeyStore.getInstance(type == null ? KeyStore.getDefaultType() : type);
            if (file.equals(NO_FILE)) {
                store.load(null, password);
            } else {
                try (InputStream content =
                        Files.newInputStream(KeyMaterial.existing(Path.of(file)).toPath())) {
                    store.load(content, password);
                }
            }
            return KeyMaterial.identity(store, password);
        });
    }

    private boolean isGiven(String key) {
        return section.node(key).isPresent();
    }

    private void requires(String key, String other) {
        if (isGiven(key) && !isGiven(other)) {
            section.problem(key, "is given, but %s is not".formatted(section.pathOf(other)));
        }
    }

    private <T> Optional<T> loaded(String key, ReadAgain.Making<T> loading) {
        return loaded(section.where(key), section.pathOf(key) + " ", loading);
    }

    private <T> Optional<T> loaded(Location where, String subject, ReadAgain.Making<T> loading) {
        try {
            return Optional.of(loading.make());
        } catch (BadValueException | IOException | GeneralSecurityException | RuntimeException e) {
            section.problems().add(where, subject + BadValueException.describe(e));
            return Optional.empty();
        }
    }
}
