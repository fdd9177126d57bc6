// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that is made of files, and made anew when what is in them has changed. Safe for use by several threads.
 *
 * <p>Whoever asks for it has the files compared with what they were, byte by byte: a time of change may be the same for two
 * contents, and a link may lead to another file. What cannot be made of them leaves the former one in force, with one
 * warning for each content; so a file that is half written does no harm.
 */
final class ReadAgain<T> implements Supplier<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadAgain.class);

    /** Nothing that belongs here is as large. */
    static final int MOST_BYTES = 1 << 20;

    /** Makes something of the files. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws BadValueException, IOException, GeneralSecurityException;
    }

    private final List<Path> files;
    private final Making<? extends T> making;
    private T made; // guarded by this
    private byte[] seen; // guarded by this
    private boolean unreadable; // guarded by this

    private ReadAgain(List<Path> files, Making<? extends T> making, T made, byte[] seen) {
        this.files = files;
        this.making = making;
        this.made = made;
        this.seen = seen;
    }

    /**
     * Makes the first one.
     *
     * @throws BadValueException if the files do not hold what they must hold
     * @throws IOException if one of them cannot be read
     */
    public static <T> ReadAgain<T> of(List<Path> files, Making<? extends T> making)
            throws BadValueException, IOException, GeneralSecurityException {
        byte[] seen = digest(files);
        return new ReadAgain<>(List.copyOf(files), making, making.make(), seen);
    }

    /** Returns what the files hold now, or what they held when that could be used last. */
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

    /** @param now is compared with from now on, and was taken first: the next call finds what changes meanwhile */
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

    /** Only a content that was refused is not read again; a file that was replaced meanwhile was not refused. */
    private void requireUnchanged(byte[] now) throws IOException {
        if (!MessageDigest.isEqual(now, digest(files))) {
            throw new IOException("changed while it was read");
        }
    }

    private void warn(String why) {
        LOG.warn("{}: {}; what was read before stays in use", files, why);
    }

    private static byte[] digest(List<Path> files) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        for (Path file : files) {
            parts.add(bytes(file));
        }
        return sha256(parts);
    }

    static byte[] bytes(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("larger than %d bytes".formatted(MOST_BYTES));
        }
        return Files.readAllBytes(file);
    }

    private static byte[] sha256(List<byte[]> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            parts.forEach(part -> {
                digest.update((byte) (part.length >> 16));
                digest.update((byte) (part.length >> 8));
                digest.update((byte) part.length);
                digest.update(part);
            });
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A JVM without SHA-256", e);
        }
    }

    /** Returns the names of the files. */
    @Override
    public String toString() {
        return files.toString();
    }
}
