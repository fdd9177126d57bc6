// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.config.value.ValueType;
import io.keyslot.client.config.yaml.Location;
import io.keyslot.client.config.yaml.Problems;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code tls}, and the files that it names. What {@code tls} leaves open is as the JVM's system properties say: whom
 * to trust by itself, and its key store here, as Netty does not look at it.
 */
final class TlsReader {
    private static final String AUTHORITIES = "authorities";
    private static final String TRUST_STORE = "trustStore";
    private static final String TRUST_STORE_PASSWORD = "trustStorePassword";
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String KEY_PASSWORD = "keyPassword";
    private static final String KEY_STORE = "keyStore";
    private static final String KEY_STORE_PASSWORD = "keyStorePassword";

    private static final String SYSTEM_KEY_STORE = "javax.net.ssl.keyStore";

    /** What the JVM's own documentation has for: no file. */
    private static final String NO_FILE = "NONE";

    private static final ValueType<Path> FILE = new ValueType<>("must be the name of a file", TlsReader::path);
    private static final ValueType<String> PASSWORD = new ValueType<>("must be text", Optional::of);

    private final Section section;
    private final Problems problems;
    private final Function<String, @Nullable String> systemProperties;

    TlsReader(Section section, Problems problems, Function<String, @Nullable String> systemProperties) {
        this.section = section;
        this.problems = problems;
        this.systemProperties = systemProperties;
    }

    /** @param isUsed whether there is a partition with encryption */
    TlsOptions read(boolean isUsed) {
        KeyManagerFactory identity = identity().orElse(null);
        TrustManagerFactory trusted = trusted().orElse(null);
        boolean says = section.node(KEY_STORE).isPresent()
                || section.node(CERTIFICATE).isPresent()
                || section.node(KEY).isPresent();
        if (isUsed && !says) {
            identity = ofSystemProperties().orElse(null);
        }
        return identity == null && trusted == null ? TlsOptions.defaults() : new TlsOptions(identity, trusted);
    }

    private Optional<KeyManagerFactory> identity() {
        Optional<Path> store = section.read(KEY_STORE, FILE);
        Optional<String> storePassword = section.read(KEY_STORE_PASSWORD, PASSWORD);
        Optional<Path> certificate = section.read(CERTIFICATE, FILE);
        Optional<Path> key = section.read(KEY, FILE);
        Optional<String> keyPassword = section.read(KEY_PASSWORD, PASSWORD);
        requires(KEY_STORE_PASSWORD, KEY_STORE);
        requires(KEY_PASSWORD, KEY);
        requires(KEY, CERTIFICATE);
        requires(CERTIFICATE, KEY);
        if (isGiven(KEY_STORE) && isGiven(CERTIFICATE)) {
            section.problem(KEY_STORE, "and tls.certificate are both given: leave one of them away");
            return Optional.empty();
        }
        if (store.isPresent()) {
            return loaded(KEY_STORE, () -> {
                char[] password = storePassword.orElse("").toCharArray();
                return identityOf(KeyStore.getInstance(existing(store.get()), password), password);
            });
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        Optional<List<Certificate>> chain = loaded(CERTIFICATE, () -> PemFiles.certificates(certificate.get()));
        Optional<PrivateKey> secret = loaded(KEY, () -> PemFiles.key(key.get(), keyPassword));
        return chain.isEmpty() || secret.isEmpty()
                ? Optional.empty()
                : loaded(CERTIFICATE, () -> identityOf(secret.get(), chain.get()));
    }

    private Optional<TrustManagerFactory> trusted() {
        Optional<Path> store = section.read(TRUST_STORE, FILE);
        Optional<String> storePassword = section.read(TRUST_STORE_PASSWORD, PASSWORD);
        Optional<Path> authorities = section.read(AUTHORITIES, FILE);
        requires(TRUST_STORE_PASSWORD, TRUST_STORE);
        if (isGiven(TRUST_STORE) && isGiven(AUTHORITIES)) {
            section.problem(TRUST_STORE, "and tls.authorities are both given: leave one of them away");
            return Optional.empty();
        }
        if (store.isPresent()) {
            // Without a password certificates are read as well, and the store's integrity is not checked.
            return loaded(
                    TRUST_STORE,
                    () -> trustOf(KeyStore.getInstance(
                            existing(store.get()),
                            storePassword.map(String::toCharArray).orElse(null))));
        }
        return authorities.flatMap(file -> loaded(AUTHORITIES, () -> trustOf(PemFiles.certificates(file))));
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
                        Files.newInputStream(existing(Path.of(file)).toPath())) {
                    store.load(content, password);
                }
            }
            return identityOf(store, password);
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

    /** Something that is read from files. */
    @FunctionalInterface
    private interface Loading<T> {
        T load() throws BadValueException, IOException, GeneralSecurityException;
    }

    private <T> Optional<T> loaded(String key, Loading<T> loading) {
        return loaded(section.where(key), section.pathOf(key) + " ", loading);
    }

    /** What the JVM says may quote the files: only the kind of the problem is told. */
    private <T> Optional<T> loaded(Location where, String subject, Loading<T> loading) {
        try {
            return Optional.of(loading.load());
        } catch (BadValueException e) {
            problems.add(where, subject + e.predicate());
        } catch (IOException e) {
            boolean locked = e.getCause() instanceof UnrecoverableKeyException;
            problems.add(
                    where,
                    subject
                            + (locked
                                    ? "cannot be opened: is the password right?"
                                    : "names a file that cannot be read (%s)"
                                            .formatted(e.getClass().getSimpleName())));
        } catch (UnrecoverableKeyException e) {
            problems.add(where, subject + "has a key with another password than the store; give both the same");
        } catch (GeneralSecurityException | RuntimeException e) {
            problems.add(
                    where,
                    subject
                            + "cannot be used as what it is to be (%s)"
                                    .formatted(e.getClass().getSimpleName()));
        }
        return Optional.empty();
    }

    private static File existing(Path file) throws BadValueException {
        if (!Files.isRegularFile(file)) {
            throw new BadValueException(
                    "names a file that does not exist, seen from " + Path.of("").toAbsolutePath());
        }
        return file.toFile();
    }

    private static KeyManagerFactory identityOf(PrivateKey key, List<Certificate> chain)
            throws GeneralSecurityException, IOException, BadValueException {
        KeyStore store = emptyStore();
        store.setKeyEntry("client", key, new char[0], chain.toArray(Certificate[]::new));
        return identityOf(store, new char[0]);
    }

    private static KeyManagerFactory identityOf(KeyStore store, char[] password)
            throws GeneralSecurityException, BadValueException {
        boolean hasKey = false;
        for (String alias : Collections.list(store.aliases())) {
            hasKey |= store.isKeyEntry(alias);
        }
        if (!hasKey) {
            throw new BadValueException("has no private key");
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        return keys;
    }

    private static TrustManagerFactory trustOf(List<Certificate> authorities)
            throws GeneralSecurityException, IOException, BadValueException {
        KeyStore store = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return trustOf(store);
    }

    private static TrustManagerFactory trustOf(KeyStore store) throws GeneralSecurityException, BadValueException {
        if (store.size() == 0) {
            throw new BadValueException("has no certificate that can be read without its tls.trustStorePassword");
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        return trusted;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
