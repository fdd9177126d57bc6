// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object made from files, and made again when their content has changed; modification times are not reliable. If the
 * new content cannot be used, the previous object stays in use, with one warning for each content; so a half-written
 * file does no harm. Safe for use by several threads.
 */
final class ReadAgain<T> implements Supplier<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadAgain.class);

    static final int MOST_BYTES = 1 << 20;

    @FunctionalInterface
    public interface Making<T> {
        T make() throws BadValueException, IOException, GeneralSecurityException;
    }

    private final List<Path> files;
    private final Making<? extends T> making;
    private T made;
    private byte[] seen;
    private boolean unreadable;

    private ReadAgain(List<Path> files, Making<? extends T> making, T made, byte[] seen) {
        this.files = files;
        this.making = making;
        this.made = made;
        this.seen = seen;
    }

    static <T> ReadAgain<T> of(List<Path> files, Making<? extends T> making)
            throws BadValueException, IOException, GeneralSecurityException {
        byte[] seen = digest(files);
        return new ReadAgain<>(List.copyOf(files), making, making.make(), seen);
    }

    /** Returns the object of the current content, or of the last usable one. */
    @Override
    public synchronized T get() {
        try {
            byte[] now = digest(files);
            if (!MessageDigest.isEqual(now, seen)) {
                again(now);
            }
            unreadable = false;
        } catch (IOException e) {
            if (!unreadable) {
                unreadable = true;
                warn("cannot be read (" + e.getClass().getSimpleName() + ")");
            }
        }
        return made;
    }

    /** The digest {@code now} was computed before reading, so that the next call detects a concurrent change. */
    private void again(byte[] now) throws IOException {
        try {
            made = making.make();
            LOG.info("{}: read again", files);
        } catch (BadValueException e) {
            requireUnchanged(now);
            warn("changed, but " + e.predicate());
        } catch (GeneralSecurityException | RuntimeException e) {
            requireUnchanged(now);
            warn("changed, but cannot be used (" + e.getClass().getSimpleName()
                    + ")"); // its message may quote the file
        }
        seen = now;
    }

    /** Throws if the file changed during reading: only a content that was refused is not read again. */
    private void requireUnchanged(byte[] now) throws IOException {
        if (!MessageDigest.isEqual(now, digest(files))) {
            throw new IOException("changed while it was read");
        }
    }

    private void warn(String why) {
        LOG.warn("{}: {}; what was read before stays in use", files, why);
    }

    private static byte[] digest(List<Path> files) throws IOException {
        MessageDigest digest = sha256();
        for (Path file : files) {
            byte[] content = bytes(file);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, content.length));
            digest.update(content);
        }
        return digest.digest();
    }

    static byte[] bytes(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("larger than %d bytes".formatted(MOST_BYTES));
        }
        return Files.readAllBytes(file);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A JVM without SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return files.toString();
    }
}
