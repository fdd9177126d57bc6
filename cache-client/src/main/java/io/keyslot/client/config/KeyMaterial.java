// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Reads certificates and keys, and makes key and trust managers of them. Its exceptions do not quote the files. */
final class KeyMaterial {
    private static final Pattern PLAIN_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN [A-Z ]+ PRIVATE KEY-----");

    private static final byte[] SAMPLE = {1, 2, 3};
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private KeyMaterial() {}

    /** Throws {@code BadValueException} also if key and certificate do not match, as while the files are being replaced. */
    static KeyManagerFactory identity(List<Certificate> chain, PrivateKey key)
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

    static KeyManagerFactory identity(KeyStore store, char[] password)
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

    static TrustManagerFactory trust(Path file) throws BadValueException, IOException, GeneralSecurityException {
        KeyStore store = empty();
        List<Certificate> authorities = certificates(file);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        return trusted;
    }

    static File existing(Path file) throws BadValueException {
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

    static List<Certificate> certificates(Path file) throws BadValueException, IOException {
        byte[] content = Files.readAllBytes(file);
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content));
            if (!found.isEmpty()) {
                return List.copyOf(found);
            }
        } catch (CertificateException e) {
            // The message may quote the file.
        }
        throw new BadValueException("has no certificate in PEM form");
    }

    static PrivateKey key(Path file) throws BadValueException, IOException {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        Matcher plain = PLAIN_KEY.matcher(content);
        if (plain.find()) {
            return key(new PKCS8EncodedKeySpec(decode(plain.group(1))));
        }
        throw new BadValueException(
                OTHER_KEY.matcher(content).find()
                        ? "has a key of another form than PKCS #8 without a password: convert it by"
                                + " openssl pkcs8 -topk8 -nocrypt"
                        : "has no private key in PEM form");
    }

    private static byte[] decode(String base64) throws BadValueException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new BadValueException("has no private key in PEM form");
        }
    }

    private static PrivateKey key(PKCS8EncodedKeySpec encoded) throws BadValueException {
        for (String algorithm : SIGNATURES.keySet()) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // a key with another algorithm
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("A JVM without keys of " + algorithm, e);
            }
        }
        throw new BadValueException("has a key that is neither of RSA, nor of EC, nor of EdDSA");
    }
}
