// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes the arguments of each command, for entries of one epoch. Free of I/O.
 *
 * @param epoch of the entries
 * @param isGuarded whether the instance may hold foreign keys, which must not be overwritten
 * @param setsManyWithExpiry whether the server has {@code MSETEX}
 */
public record Requests(int epoch, boolean isGuarded, boolean setsManyWithExpiry) {
    /** An old value usually has about the size of the new one. */
    private static final int MAX_BYTES_SENT_BACK = 4_096;

    /** A server is blocked while it executes a command, so longer lists of keys are split. */
    public static final int MAX_KEYS = 1_000;

    private static final String SPECIAL_IN_PATTERNS = "*?[]\\";
    private static final byte[] PX = text("PX");
    private static final byte[] KEEPTTL = text("KEEPTTL");
    private static final byte[] GET = text("GET");
    private static final byte[] ANY = text("any");
    private static final List<byte[]> KEEPING = List.of(KEEPTTL, GET);

    public static byte[][] bare(List<EncodedKey> keys) {
        byte[][] arguments = new byte[keys.size()][];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = keys.get(i).bytes();
        }
        return arguments;
    }

    public static byte[][] bare(EncodedKey key) {
        return new byte[][] {key.bytes()};
    }

    public static byte[][] key(EncodedKey key, byte[]... others) {
        byte[][] arguments = new byte[1 + others.length][];
        arguments[0] = key.bytes();
        System.arraycopy(others, 0, arguments, 1, others.length);
        return arguments;
    }

    /** Returns whether one plain {@code SET} suffices, with or without an existing entry. */
    public static boolean isPlain(Command.Put put) {
        return put.onCreation().equals(put.onUpdate());
    }

    /**
     * Returns whether {@code SET} with {@code KEEPTTL} suffices, unless it keeps the few seconds of a lease or other
     * marker. {@code GET} detects that at the price of returning the old value, so only small entries qualify. Caches
     * without expiry send this command; it costs the server a sixth of {@link Script#PUT}.
     */
    public static boolean keepsExpiry(Command.Put put) {
        return put.onCreation().isNever()
                && put.onUpdate().isUnchanged()
                && put.envelope().sizeBytes() <= MAX_BYTES_SENT_BACK;
    }

    public byte[][] set(Command.Put put) {
        byte[] value = bytes(put.key(), put.envelope());
        return put.onUpdate().isNever()
                ? new byte[][] {put.key().bytes(), value}
                : new byte[][] {put.key().bytes(), value, PX, text(put.onUpdate())};
    }

    /** Returns the options after the value in the {@code SET} of a plain put. */
    public static List<byte[]> plainOptions(Command.Put put) {
        return put.onUpdate().isNever() ? List.of() : List.of(PX, text(put.onUpdate()));
    }

    /** Returns the options after the value in the {@code SET} of a put that keeps the expiry. */
    public static List<byte[]> keepingOptions() {
        return KEEPING;
    }

    public byte[][] setKeepingExpiry(Command.Put put) {
        return new byte[][] {put.key().bytes(), bytes(put.key(), put.envelope()), KEEPTTL, GET};
    }

    public byte[][] setAll(List<Command.Put> puts) {
        byte[][] arguments = new byte[2 * puts.size()][];
        int next = 0;
        for (Command.Put put : puts) {
            arguments[next++] = put.key().bytes();
            arguments[next++] = bytes(put.key(), put.envelope());
        }
        return arguments;
    }

    public List<byte[]> put(Command.Put put) {
        return List.of(bytes(put.key(), put.envelope()), text(put.onCreation()), text(put.onUpdate()));
    }

    public List<byte[]> compareAndSet(Command.CompareAndSet command) {
        return List.of(
                stamp(command.expectedStamp()), bytes(command.key(), command.envelope()), text(command.expiry()));
    }

    public List<byte[]> compareAndRemove(Command.CompareAndRemove command) {
        return List.of(stamp(command.expectedStamp()), header(command.key()));
    }

    public List<byte[]> compareAndExpire(Command.CompareAndExpire command) {
        return List.of(stamp(command.expectedStamp()), header(command.key()), text(command.expiry()));
    }

    public List<byte[]> getAndExpire(Command.GetAndExpire command) {
        return List.of(header(command.key()), text(command.expiry()));
    }

    public List<byte[]> lease(Command.Lease command) {
        return List.of(bytes(command.key(), Envelope.lease(command.stamp())), text(command.expiry()));
    }

    public List<byte[]> claim(Command.Claim command) {
        byte[] claimed = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(command.newStamp())
                .putLong(command.freshUntilMillis())
                .array();
        return List.of(stamp(command.expectedStamp()), header(command.key()), claimed);
    }

    public List<byte[]> reserve(Command.Reserve command) {
        boolean isAny = command.expectedStamp() == Command.Reserve.ANY;
        return List.of(
                bytes(command.key(), Envelope.reservation(command.stamp())),
                isAny ? ANY : stamp(command.expectedStamp()),
                text(Long.toString(command.lastsMillis())));
    }

    public List<byte[]> giveBack(Command.GiveBack command) {
        return List.of(
                stamp(command.expectedStamp()),
                header(command.key()),
                stamp(command.newStamp()),
                text(command.expiry()));
    }

    /** Returns the arguments of {@code EVALSHA}, or of {@code EVAL} with the source as name. */
    public static byte[][] script(String name, List<EncodedKey> keys, List<byte[]> arguments) {
        byte[][] all = new byte[2 + keys.size() + arguments.size()][];
        all[0] = text(name);
        all[1] = text(Integer.toString(keys.size()));
        int next = 2;
        for (EncodedKey key : keys) {
            all[next++] = key.bytes();
        }
        for (byte[] argument : arguments) {
            all[next++] = argument;
        }
        return all;
    }

    public List<byte[]> lock(LockCommand.Lock command) {
        return List.of(epochBytes(), stamp(command.holder()), text(command.lease()));
    }

    public List<byte[]> renewLock(LockCommand.RenewLock command) {
        byte[] lock = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(epoch)
                .putLong(command.token())
                .array();
        return List.of(lock, text(command.lease()));
    }

    public List<byte[]> unlock(LockCommand.Unlock command) {
        return List.of(epochBytes(), stamp(command.holder()));
    }

    public byte[] epochBytes() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array();
    }

    public byte[] bytes(EncodedKey key, Envelope envelope) {
        return key.form().bytes(key, epoch, envelope);
    }

    /** Returns a header that equals those of the key's entries except for flags and stamp. */
    public byte[] header(EncodedKey key) {
        return Envelope.lease(1).toBytes(key, epoch);
    }

    /** Returns the header of an entry with this stamp, which may be {@link Command#ABSENT}. */
    public byte[] header(EncodedKey key, long stamp) {
        byte[] header = Envelope.of(1, new byte[0]).toBytes(key, epoch);
        ByteBuffer.wrap(header).putLong(header.length - Long.BYTES, stamp);
        return header;
    }

    public static byte[] stamp(long stamp) {
        return ByteBuffer.allocate(Long.BYTES).putLong(stamp).array();
    }

    public static byte[] text(Expiry expiry) {
        return text(expiry.isUnchanged() ? "unchanged" : expiry.isNever() ? "never" : Long.toString(expiry.millis()));
    }

    public static byte[] text(int number) {
        return text(Integer.toString(number));
    }

    public static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the pattern for {@code SCAN … MATCH} of all texts with this prefix, whatever its characters. */
    public static byte[] patternOfPrefix(String prefix) {
        StringBuilder pattern = new StringBuilder(prefix.length() + 8);
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            if (SPECIAL_IN_PATTERNS.indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return text(pattern.append('*').toString());
    }
}
