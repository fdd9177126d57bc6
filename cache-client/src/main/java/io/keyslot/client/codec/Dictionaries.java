// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.concurrent.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dictionaries with which a cache compresses: text that its values repeat. A process that finds none builds one of the values that
 * it writes, and stores it, unless another one was faster. A value names its dictionary by the id, the CRC-32C of the dictionary.
 *
 * <p>New values are compressed with a dictionary only when it is stored under its id; that is repeated once a minute,
 * because a server may evict it. Thread-safe; only {@link #named} waits.
 */
public final class Dictionaries {
    /** DEFLATE can use twice as much, for a tenth less bytes and the double time. */
    static final int BYTES = 16 << 10;

    /** The name of the dictionary for new values; each is also stored under its id. */
    private static final String NEWEST = "";

    private static final int LONGEST_SAMPLE = 4 << 10;
    private static final int MOST_KNOWN = 8;
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(Dictionaries.class);

    private final Function<String, byte @Nullable []> read;
    private final BiConsumer<String, byte[]> storeIfAbsent;
    private final Executor background;
    private final Ticker ticker;
    private final Map<Integer, Dictionary> known = new ConcurrentHashMap<>();
    private final AtomicLong nextSettling;
    private final byte[] samples = new byte[BYTES];
    private int sampled; // guarded by samples
    private volatile @Nullable Dictionary newest;

    static final class Dictionary {
        final int id;
        final byte[] bytes;

        Dictionary(byte[] bytes) {
            this.id = VerifiedCodec.checksum(bytes, 0, bytes.length);
            this.bytes = bytes;
        }
    }

    /** The functions take the name of a stored dictionary, may wait, and throw if it is not known what is stored. */
    public Dictionaries(
            Function<String, byte @Nullable []> read,
            BiConsumer<String, byte[]> storeIfAbsent,
            Executor background,
            Ticker ticker) {
        this.read = read;
        this.storeIfAbsent = storeIfAbsent;
        this.background = background;
        this.ticker = ticker;
        this.nextSettling = new AtomicLong(ticker.nanos());
    }

    /** Returns the dictionary for a new value, which may become a sample; null if none is stored yet. */
    @Nullable
    Dictionary forValue(byte[] bytes, int offset, int length) {
        Dictionary found = newest;
        long now = ticker.nanos();
        if (found == null && isLastSample(bytes, offset, Math.min(length, LONGEST_SAMPLE))) {
            nextSettling.set(now);
        }
        long next = nextSettling.get();
        if (next - now <= 0 && nextSettling.compareAndSet(next, now + INTERVAL.toNanos())) {
            try {
                background.execute(this::settle);
            } catch (RejectedExecutionException e) {
                LOG.debug("No thread is free to store a dictionary, which is tried again in a minute", e);
            }
        }
        return found;
    }

    private boolean isLastSample(byte[] bytes, int offset, int length) {
        synchronized (samples) {
            int taken = Math.min(length, BYTES - sampled);
            System.arraycopy(bytes, offset, samples, sampled, taken);
            sampled += taken;
            return taken > 0 && sampled == BYTES;
        }
    }

    private synchronized void settle() {
        try {
            Dictionary mine = newest;
            byte[] offered = mine == null ? allSamples() : mine.bytes;
            if (offered != null) {
                storeIfAbsent.accept(NEWEST, offered);
            }
            byte[] found = mine == null ? stored(NEWEST) : offered; // perhaps another process was faster
            if (found != null) {
                Dictionary settled = mine == null ? new Dictionary(found) : mine;
                storeIfAbsent.accept(nameOf(settled.id), settled.bytes);
                newest = settled;
            }
        } catch (RuntimeException e) {
            LOG.debug("A dictionary could not be read or stored, which is tried again in a minute", e);
        }
    }

    private byte @Nullable [] allSamples() {
        synchronized (samples) {
            return sampled == BYTES ? samples.clone() : null;
        }
    }

    /** Returns what is stored; null for nothing, or what only another program can have stored. */
    private byte @Nullable [] stored(String name) {
        byte[] found = read.apply(name);
        return found == null || found.length > BYTES ? null : found;
    }

    private static String nameOf(int id) {
        return ":%08x".formatted(id);
    }

    /** Returns the dictionary with an id, and waits for it if it is new here; throws if it is missing. */
    byte[] named(int id) {
        Dictionary own = newest;
        Dictionary found = own != null && own.id == id ? own : known.get(id);
        if (found == null) {
            byte[] stored = stored(nameOf(id));
            found = stored == null ? null : new Dictionary(stored);
            if (found == null || found.id != id) {
                throw new IllegalArgumentException("the dictionary of a compressed value is missing");
            }
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(id, found);
        }
        return found.bytes;
    }
}
