// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.concurrent.IdlePool;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts what is stored under the keys of a cache with AES-256-GCM, and authenticates it: what this class has not
 * encrypted under the same stored key, with one of its secrets, is not decrypted. Thread-safe; {@code toString} shows no
 * secret.
 *
 * <p>Each stored key has an encryption key of its own: HMAC-SHA-256 of the stored key, which contains namespace and entity
 * type. So nonces have to be unique among the writes of one entry only, and secrets need not be replaced after a
 * number of writes. Encrypted bytes are
 * <pre>
 *   1 byte    version, 1
 *   4 bytes   id of the secret: the first bytes of its SHA-256
 *   12 bytes  nonce
 *   n bytes   the encrypted bytes
 *   16 bytes  authentication tag, which covers version and id, too
 * </pre>
 * Before those of a value comes the complement of their CRC-32C, by which programs without the secret find damage.
 */
public final class Encryption {
    /** The length of a secret. */
    public static final int SECRET_BYTES = 32;

    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 5;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int OVERHEAD = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

    /** The purposes of the HMAC, none of which is the beginning of another. */
    private static final byte[] FOR_KEYS = label("encryption key");

    private static final byte[] FOR_NONCES = label("element nonce");

    private static final byte[] NOTHING = {};
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final List<Secret> secrets;
    private final IdlePool<Engine> idle = new IdlePool<>();

    /** The first secret encrypts, all decrypt. */
    private record Secret(int id, SecretKeySpec key) {
        static Secret of(byte[] bytes) {
            if (bytes.length != SECRET_BYTES) {
                throw new IllegalArgumentException(
                        "an encryption key has %d bytes, must have %d".formatted(bytes.length, SECRET_BYTES));
            }
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
                return new Secret((int) INT.get(digest, 0), new SecretKeySpec(bytes, "HmacSHA256"));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every Java platform has SHA-256", e);
            }
        }
    }

    /** The objects for one thread at a time. Nonces are counted from a random one, which takes less time than random ones. */
    private static final class Engine {
        private static final SecureRandom RANDOM = new SecureRandom();

        private final Cipher cipher;
        private final Mac mac;
        private final byte[] nonce = new byte[NONCE_BYTES];

        Engine() {
            try {
                cipher = Cipher.getInstance("AES/GCM/NoPadding");
                mac = Mac.getInstance("HmacSHA256");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("This Java platform lacks AES-GCM or HMAC-SHA-256", e);
            }
            RANDOM.nextBytes(nonce);
        }

        byte[] nextNonce() {
            LONG.set(nonce, Integer.BYTES, (long) LONG.get(nonce, Integer.BYTES) + 1);
            return nonce;
        }
    }

    /** Creates an encryption by a secret of {@value #SECRET_BYTES} bytes, which also reads what others have encrypted. */
    public Encryption(byte[] secret, List<byte[]> previous) {
        this.secrets = Stream.concat(Stream.of(secret), previous.stream())
                .map(Secret::of)
                .toList();
    }

    private static byte[] label(String purpose) {
        return ("keyslot " + purpose + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /** Encrypts the value of an entry. Equal values have different bytes. */
    public byte[] encryptValue(EncodedKey key, byte[] value) {
        Engine engine = take();
        byte[] encrypted = giveBack(engine, encrypt(engine, key, NOTHING, value, engine.nextNonce(), Integer.BYTES));
        INT.set(encrypted, 0, ~VerifiedCodec.checksum(encrypted, Integer.BYTES, encrypted.length - Integer.BYTES));
        return encrypted;
    }

    /** Decrypts the value of an entry; throws {@link UnreadableValueException} if these bytes are none. */
    public byte[] decryptValue(EncodedKey key, byte[] bytes, int offset, int length) {
        int begin = offset + Integer.BYTES;
        int behind = length - Integer.BYTES;
        int checksum = behind < OVERHEAD ? 0 : VerifiedCodec.checksum(bytes, begin, behind);
        if (behind < OVERHEAD || (int) INT.get(bytes, offset) == checksum) {
            throw new UnreadableValueException(Reason.NOT_ENCRYPTED);
        }
        if ((int) INT.get(bytes, offset) != ~checksum) {
            throw new UnreadableValueException(Reason.NOT_AUTHENTIC);
        }
        return decrypt(key, NOTHING, bytes, begin, behind);
    }

    /**
     * Encrypts an element of an aggregate. Equal elements in the same place of an aggregate have the same bytes, as servers
     * compare them, and others have not.
     *
     * @param place where in the aggregate the element may be, not empty
     */
    public byte[] encryptElement(EncodedKey key, byte[] place, byte[] element) {
        Engine engine = new Engine(); // a cipher refuses the nonce that it has used last
        Mac mac = begin(engine, secrets.get(0), FOR_NONCES, key);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, place.length));
        mac.update(place);
        byte[] nonce = Arrays.copyOf(mac.doFinal(element), NONCE_BYTES);
        return encrypt(engine, key, place, element, nonce, 0);
    }

    /** Decrypts an element; throws {@link UnreadableValueException} if these bytes are none of this place. */
    public byte[] decryptElement(EncodedKey key, byte[] place, byte[] bytes) {
        return decrypt(key, place, bytes, 0, bytes.length);
    }

    private byte[] encrypt(Engine engine, EncodedKey key, byte[] place, byte[] plain, byte[] nonce, int gap) {
        Secret secret = secrets.get(0);
        byte[] encrypted = new byte[gap + plain.length + OVERHEAD];
        encrypted[gap] = VERSION;
        INT.set(encrypted, gap + 1, secret.id);
        System.arraycopy(nonce, 0, encrypted, gap + HEADER_BYTES, NONCE_BYTES);
        try {
            init(engine, Cipher.ENCRYPT_MODE, secret, key, place, encrypted, gap);
            int unused = engine.cipher.doFinal(plain, 0, plain.length, encrypted, gap + HEADER_BYTES + NONCE_BYTES);
            return encrypted;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java platform cannot encrypt with AES-256-GCM", e);
        }
    }

    private byte[] decrypt(EncodedKey key, byte[] place, byte[] bytes, int offset, int length) {
        if (length < OVERHEAD || bytes[offset] != VERSION) {
            throw new UnreadableValueException(Reason.NOT_ENCRYPTED);
        }
        int id = (int) INT.get(bytes, offset + 1);
        UnreadableValueException problem = new UnreadableValueException(Reason.UNKNOWN_KEY);
        for (Secret secret : secrets) {
            if (secret.id == id) {
                try {
                    Engine engine = take();
                    init(engine, Cipher.DECRYPT_MODE, secret, key, place, bytes, offset);
                    int begin = HEADER_BYTES + NONCE_BYTES;
                    return giveBack(engine, engine.cipher.doFinal(bytes, offset + begin, length - begin));
                } catch (AEADBadTagException e) {
                    problem = new UnreadableValueException(Reason.NOT_AUTHENTIC);
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException("This Java platform cannot decrypt with AES-256-GCM", e);
                }
            }
        }
        throw problem;
    }

    private static void init(
            Engine engine, int mode, Secret secret, EncodedKey key, byte[] place, byte[] encrypted, int offset)
            throws GeneralSecurityException {
        SecretKeySpec own =
                new SecretKeySpec(begin(engine, secret, FOR_KEYS, key).doFinal(), "AES");
        GCMParameterSpec nonce =
                new GCMParameterSpec(TAG_BYTES * Byte.SIZE, encrypted, offset + HEADER_BYTES, NONCE_BYTES);
        engine.cipher.init(mode, own, nonce);
        engine.cipher.updateAAD(encrypted, offset, HEADER_BYTES);
        engine.cipher.updateAAD(place);
    }

    private static Mac begin(Engine engine, Secret secret, byte[] purpose, EncodedKey key) {
        try {
            engine.mac.init(secret.key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java platform cannot use a key of HMAC-SHA-256", e);
        }
        engine.mac.update(purpose);
        engine.mac.update(key.bytes());
        return engine.mac;
    }

    private Engine take() {
        Engine engine = idle.take();
        return engine == null ? new Engine() : engine;
    }

    private <T> T giveBack(Engine engine, T result) {
        boolean unused = idle.giveBack(engine);
        return result;
    }

    /** Returns the ids of the secrets, which are in every encrypted value. */
    @Override
    public String toString() {
        return "encryption by the keys "
                + secrets.stream().map(secret -> "%08x".formatted(secret.id)).toList();
    }
}
