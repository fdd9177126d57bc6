// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes what encryption needs of files. What it throws says nothing of what is in them. */
final class KeyMaterial {
    private static final byte[] SAMPLE = {1, 2, 3};
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private KeyMaterial() {}

    /**
     * Returns a certificate, those that it is signed by, and its private key, from PEM files.
     *
     * @throws BadValueException also if the key is not that of the certificate, as while they are replaced one after the other
     */
    public static KeyManagerFactory identity(List<Certificate> chain, PrivateKey key)
            throws BadValueException, IOException, GeneralSecurityException {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm != null && !fits(chain.get(0), key, algorithm)) {
            throw new BadValueException("is not of the key in tls.key");
        }
        KeyStore store = empty();
        store.setKeyEntry("client", key, new char[0], chain.toArray(Certificate[]::new));
        return identity(store, new char[0]);
    }

    private static boolean fits(Certificate certificate, PrivateKey key, String algorithm) {
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(SAMPLE);
            byte[] signature = signing.sign();
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(SAMPLE);
            return verifying.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // of another algorithm, for example
        }
    }

    /** Returns the private key of a PEM file. */
    public static PrivateKey key(Path file, Optional<String> password) throws BadValueException, IOException {
        return PemFiles.key(file, password);
    }

    /** Returns the certificates of a PEM file, at least one. */
    public static List<Certificate> certificates(Path file) throws BadValueException, IOException {
        return PemFiles.certificates(file);
    }

    /** Returns the keys and certificates of a key store. */
    public static KeyManagerFactory identityOfStore(Path file, char[] password)
            throws BadValueException, IOException, GeneralSecurityException {
        return identity(KeyStore.getInstance(existing(file), password), password);
    }

    /** Returns the keys and certificates of a key store that is open. */
    public static KeyManagerFactory identity(KeyStore store, char[] password)
            throws BadValueException, GeneralSecurityException {
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

    /** Returns authorities from a PEM file. */
    public static TrustManagerFactory trust(Path file) throws BadValueException, IOException, GeneralSecurityException {
        KeyStore store = empty();
        List<Certificate> authorities = PemFiles.certificates(file);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return trust(store);
    }

    /**
     * Returns authorities from a key store.
     *
     * @param password null for none: certificates are read as well, and the store's integrity is not checked
     */
    public static TrustManagerFactory trustOfStore(Path file, char @Nullable [] password)
            throws BadValueException, IOException, GeneralSecurityException {
        return trust(KeyStore.getInstance(existing(file), password));
    }

    private static TrustManagerFactory trust(KeyStore store) throws GeneralSecurityException, BadValueException {
        if (store.size() == 0) {
            throw new BadValueException("has no certificate that can be read without its tls.trustStorePassword");
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        return trusted;
    }

    /** Returns the file if it is there. */
    public static File existing(Path file) throws BadValueException {
        if (!Files.isRegularFile(file)) {
            throw new BadValueException(
                    "names a file that does not exist, seen from " + Path.of("").toAbsolutePath());
        }
        return file.toFile();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
