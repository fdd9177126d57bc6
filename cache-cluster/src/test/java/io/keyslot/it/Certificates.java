// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys and certificates of an authority of its own, made by the {@code keytool} of this JDK. */
final class Certificates {
    static final String PASSWORD = "pass-of-the-store";
    private static final String AUTHORITY = "authority";

    private final Path directory;
    private final Path store;

    private Certificates(Path directory) {
        this.directory = directory;
        this.store = directory.resolve("all.p12");
    }

    static Certificates in(Path directory) throws Exception {
        Certificates certificates = new Certificates(directory);
        certificates.keytool(AUTHORITY, "-dname", "CN=test authority", "-ext", "bc:c=ca:true", "-validity", "30");
        return certificates;
    }

    /** Makes a pair for a host; further arguments are those of {@code keytool}. */
    void issue(String alias, String host, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("-signer", AUTHORITY, "-dname", "CN=" + alias));
        all.addAll(List.of("-ext", "san=" + host));
        all.addAll(List.of(arguments));
        keytool(alias, all.toArray(String[]::new));
    }

    private void keytool(String alias, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1", // it runs for less than a second
                "-J-XX:+UseSerialGC",
                "-genkeypair"));
        command.addAll(List.of("-alias", alias, "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of(arguments));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }

    /** Returns the file of the authority's certificate. */
    Path authority() throws Exception {
        return write(
                AUTHORITY + ".pem",
                List.of(block("CERTIFICATE", chain(AUTHORITY).get(0).getEncoded())));
    }

    /** Returns the file of a certificate and of those that it is signed by. */
    Path certificate(String alias) throws Exception {
        List<String> blocks = new ArrayList<>();
        for (Certificate certificate : chain(alias)) {
            blocks.add(block("CERTIFICATE", certificate.getEncoded()));
        }
        return write(alias + ".pem", blocks);
    }

    /** Returns the file of a private key. */
    Path key(String alias) throws Exception {
        return write(alias + "-key.pem", List.of(block("PRIVATE KEY", secret(alias))));
    }

    /** Returns a key store with one pair in it. */
    Path storeOf(String alias) throws Exception {
        KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        one.setKeyEntry(
                alias,
                load().getKey(alias, PASSWORD.toCharArray()),
                PASSWORD.toCharArray(),
                chain(alias).toArray(Certificate[]::new));
        return save(alias + ".p12", one);
    }

    /** Returns a key store with the authority's certificate. */
    Path storeOfAuthority(String type) throws Exception {
        KeyStore one = KeyStore.getInstance(type);
        one.load(null, null);
        one.setCertificateEntry(AUTHORITY, chain(AUTHORITY).get(0));
        return save("trusted." + type, one);
    }

    Path emptyStore() throws Exception {
        KeyStore none = KeyStore.getInstance("PKCS12");
        none.load(null, null);
        return save("empty.p12", none);
    }

    private Path save(String name, KeyStore store) throws Exception {
        Path file = directory.resolve(name);
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private List<Certificate> chain(String alias) throws Exception {
        return List.of(load().getCertificateChain(alias));
    }

    private byte[] secret(String alias) throws Exception {
        Key key = load().getKey(alias, PASSWORD.toCharArray());
        return key.getEncoded();
    }

    private KeyStore load() throws GeneralSecurityException, IOException {
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            all.load(content, PASSWORD.toCharArray());
        }
        return all;
    }

    private static String block(String label, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content), label);
    }

    private Path write(String name, List<String> blocks) throws IOException {
        return Files.writeString(directory.resolve(name), String.join("", blocks));
    }
}
