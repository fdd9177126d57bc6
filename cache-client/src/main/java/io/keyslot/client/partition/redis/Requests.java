// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The arguments of each command, in bytes, for entries of one epoch. Pure. */
record Requests(int epoch) {
    /** What every entry of a key and epoch starts with: all of the header but the stamp. */
    private static final int SHARED_BYTES = Envelope.HEADER_BYTES - Long.BYTES;

    private static final byte[] NO_PAYLOAD = {};

    /** Returns arguments that start with these keys. */
    static CommandArgs<byte[], byte[]> keys(List<EncodedKey> keys) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        keys.forEach(key -> arguments.addKey(key.bytes()));
        return arguments;
    }

    /** Returns arguments that start with this key. */
    static CommandArgs<byte[], byte[]> key(EncodedKey key) {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key.bytes());
    }

    /** Returns whether one plain {@code SET} does it, whether or not there is an entry. */
    static boolean isPlain(Command.Put put) {
        return put.onCreation().equals(put.onUpdate())
                || (put.onCreation().isNever() && put.onUpdate().isUnchanged());
    }

    /**
     * Returns the arguments of {@code SET} for a plain put.
     *
     * <p>{@code KEEPTTL} also keeps the expiry of bytes that are no entry any more, such as those of an earlier
     * epoch. Then the new entry is gone earlier than asked for, which a cache may do, and it costs no script for
     * caches whose entries never expire.
     */
    CommandArgs<byte[], byte[]> set(Command.Put put) {
        CommandArgs<byte[], byte[]> arguments = key(put.key()).addValue(bytes(put.key(), put.envelope()));
        if (put.onUpdate().isUnchanged()) {
            return arguments.add("KEEPTTL");
        }
        return put.onUpdate().isNever()
                ? arguments
                : arguments.add("PX").add(put.onUpdate().millis());
    }

    /** Returns the arguments of {@link Script#PUT}. */
    List<byte[]> put(Command.Put put) {
        return List.of(bytes(put.key(), put.envelope()), text(put.onCreation()), text(put.onUpdate()));
    }

    /** Returns the arguments of {@link Script#COMPARE_AND_SET}. */
    List<byte[]> compareAndSet(Command.CompareAndSet command) {
        boolean creates = command.expectedStamp() == Command.ABSENT;
        // Bytes that are no entry may have an expiry, which a new entry does not inherit.
        Expiry expiry = creates && command.expiry().isUnchanged() ? Expiry.NEVER : command.expiry();
        return List.of(
                expected(command.key(), command.expectedStamp()),
                bytes(command.key(), command.envelope()),
                text(expiry));
    }

    /** Returns the arguments of {@link Script#COMPARE_AND_REMOVE}. */
    List<byte[]> compareAndRemove(Command.CompareAndRemove command) {
        return List.of(expected(command.key(), command.expectedStamp()));
    }

    /** Returns the arguments of {@link Script#COMPARE_AND_EXPIRE}. */
    List<byte[]> compareAndExpire(Command.CompareAndExpire command) {
        return List.of(expected(command.key(), command.expectedStamp()), text(command.expiry()));
    }

    /** Returns the arguments of {@code EVALSHA}, or {@code EVAL} with the source as name. */
    static CommandArgs<byte[], byte[]> script(String name, EncodedKey key, List<byte[]> arguments) {
        CommandArgs<byte[], byte[]> all =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add(name).add(1).addKey(key.bytes());
        arguments.forEach(all::addValue);
        return all;
    }

    private byte[] bytes(EncodedKey key, Envelope envelope) {
        return envelope.toBytes(key, epoch);
    }

    /** Returns the header of the entry with this stamp; for no entry, what all their headers have in common. */
    private byte[] expected(EncodedKey key, long stamp) {
        return stamp == Command.ABSENT
                ? Arrays.copyOf(bytes(key, Envelope.of(1, NO_PAYLOAD)), SHARED_BYTES)
                : bytes(key, Envelope.of(stamp, NO_PAYLOAD));
    }

    private static byte[] text(Expiry expiry) {
        String text = expiry.isUnchanged() ? "unchanged" : expiry.isNever() ? "never" : Long.toString(expiry.millis());
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
