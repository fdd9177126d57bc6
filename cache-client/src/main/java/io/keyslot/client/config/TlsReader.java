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
    private static final String TRUST_STORE = "trustStore";
    private static final String TRUST_STORE_PASSWORD = "trustStorePassword";
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String KEY_PASSWORD = "keyPassword";
    private static final String KEY_STORE = "keyStore";
    private static final String KEY_STORE_PASSWORD = "keyStorePassword";

    private static final String SERVER_NAME = "serverName";

    private static final String SYSTEM_KEY_STORE = "javax.net.ssl.keyStore";

    /** The value of the system property for no file. */
    private static final String NO_FILE = "NONE";

    /** Reads the section at the top, with the JVM's system properties as defaults if a partition uses encryption. */
    TlsOptions read(boolean isUsed) {
        TlsOptions said = given();
        boolean saysWho = isGiven(KEY_STORE) || isGiven(CERTIFICATE) || isGiven(KEY);
        return isUsed && !saysWho
                ? ofSystemProperties()
                        .map(identity -> said.or(new TlsOptions(() -> new Material(identity, null), null)))
                        .orElse(said)
                : said;
    }

    private TlsOptions given() {
        Supplier<KeyManagerFactory> identity = identity().orElse(null);
        Supplier<TrustManagerFactory> trusted = trusted().orElse(null);
        String serverName = section.read(SERVER_NAME, String.class).orElse(null);
        return identity == null && trusted == null && serverName == null
                ? TlsOptions.defaults()
                : new TlsOptions(
                        () -> new Material(
                                identity == null ? null : identity.get(), trusted == null ? null : trusted.get()),
                        serverName);
    }

    private Optional<ReadAgain<KeyManagerFactory>> identity() {
        Optional<Path> store = section.read(KEY_STORE, Path.class);
        Optional<String> storePassword = section.read(KEY_STORE_PASSWORD, String.class);
        Optional<Path> certificate = section.read(CERTIFICATE, Path.class);
        Optional<Path> key = section.read(KEY, Path.class);
        Optional<String> keyPassword = section.read(KEY_PASSWORD, String.class);
        requires(KEY_STORE_PASSWORD, KEY_STORE);
        requires(KEY_PASSWORD, KEY);
        requires(KEY, CERTIFICATE);
        requires(CERTIFICATE, KEY);
        if (isGiven(KEY_STORE) && isGiven(CERTIFICATE)) {
            section.problem(KEY_STORE, "and tls.certificate are both given: leave one of them away");
            return Optional.empty();
        }
        if (store.isPresent()) {
            char[] password = storePassword.orElse("").toCharArray();
            return loaded(
                    KEY_STORE,
                    () -> readAgain(
                            List.of(store.get()),
                            () -> KeyMaterial.identity(storeIn(store.get(), password), password)));
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        boolean hasChain = loaded(CERTIFICATE, () -> KeyMaterial.certificates(certificate.get()))
                .isPresent();
        boolean hasKey =
                loaded(KEY, () -> KeyMaterial.key(key.get(), keyPassword)).isPresent();
        return hasChain && hasKey
                ? loaded(
                        CERTIFICATE,
                        () -> readAgain(
                                List.of(certificate.get(), key.get()),
                                () -> KeyMaterial.identity(
                                        KeyMaterial.certificates(certificate.get()),
                                        KeyMaterial.key(key.get(), keyPassword))))
                : Optional.empty();
    }

    private Optional<ReadAgain<TrustManagerFactory>> trusted() {
        Optional<Path> store = section.read(TRUST_STORE, Path.class);
        Optional<String> storePassword = section.read(TRUST_STORE_PASSWORD, String.class);
        Optional<Path> authorities = section.read(AUTHORITIES, Path.class);
        requires(TRUST_STORE_PASSWORD, TRUST_STORE);
        if (isGiven(TRUST_STORE) && isGiven(AUTHORITIES)) {
            section.problem(TRUST_STORE, "and tls.authorities are both given: leave one of them away");
            return Optional.empty();
        }
        if (store.isPresent()) {
            char[] password = storePassword.map(String::toCharArray).orElse(null);
            return loaded(
                    TRUST_STORE,
                    () -> readAgain(List.of(store.get()), () -> KeyMaterial.trust(storeIn(store.get(), password))));
        }
        return authorities.flatMap(file ->
                loaded(AUTHORITIES, () -> readAgain(List.of(file), () -> KeyMaterial.trust(file))));
    }

    /** Returns a key store; without a password, its integrity is not checked. */
    private static KeyStore storeIn(Path file, char @Nullable [] password)
            throws BadValueException, IOException, GeneralSecurityException {
        return KeyStore.getInstance(KeyMaterial.existing(file), password);
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
