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

/** Creates key and trust managers from files. Its exceptions do not quote the files. */
final class KeyMaterial {
    private static final byte[] SAMPLE = {1, 2, 3};
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private KeyMaterial() {}

    /** Throws {@code BadValueException} also if key and certificate do not match, as while the files are being replaced. */
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
            return false; // such as a certificate with another algorithm
        }
    }

    public static PrivateKey key(Path file, Optional<String> password) throws BadValueException, IOException {
        return PemFiles.key(file, password);
    }

    public static List<Certificate> certificates(Path file) throws BadValueException, IOException {
        return PemFiles.certificates(file);
    }

    public static KeyManagerFactory identityOfStore(Path file, char[] password)
            throws BadValueException, IOException, GeneralSecurityException {
        return identity(KeyStore.getInstance(existing(file), password), password);
    }

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

    public static TrustManagerFactory trust(Path file) throws BadValueException, IOException, GeneralSecurityException {
        KeyStore store = empty();
        List<Certificate> authorities = PemFiles.certificates(file);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return trust(store);
    }

    /** Returns the authorities of a key store; without a password, its integrity is not checked. */
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
