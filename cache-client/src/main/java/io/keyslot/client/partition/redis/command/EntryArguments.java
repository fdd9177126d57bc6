// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.Resp;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** The arguments of a command that stores several entries. The entries are encoded into the send buffer. */
final class EntryArguments extends CommandArgs<byte[], byte[]> {
    private static final int BYTES_AROUND = 32;

    private final List<Command.Put> puts;
    private final int epoch;
    private final List<byte[]> before;
    private final List<byte[]> behind;

    private EntryArguments(List<Command.Put> puts, int epoch, List<byte[]> before, List<byte[]> behind) {
        super(ByteArrayCodec.INSTANCE);
        this.puts = puts;
        this.epoch = epoch;
        this.before = before;
        this.behind = behind;
    }

    public static EntryArguments ofMset(List<Command.Put> puts, int epoch) {
        return new EntryArguments(puts, epoch, List.of(), List.of());
    }

    /** Returns the arguments of {@code MSETEX}, for puts with the same time to live. */
    public static EntryArguments ofMsetex(List<Command.Put> puts, int epoch) {
        return new EntryArguments(puts, epoch, List.of(Requests.text(puts.size())), Requests.plainOptions(puts.get(0)));
    }

    @Override
    public int count() {
        return before.size() + 2 * puts.size() + behind.size();
    }

    @Override
    public void encode(ByteBuf buffer) {
        buffer.ensureWritable(sizeBytes());
        before.forEach(argument -> Resp.writeBulk(buffer, argument));
        for (Command.Put put : puts) {
            EntryBytes.write(buffer, put.key(), put.envelope(), epoch);
        }
        behind.forEach(argument -> Resp.writeBulk(buffer, argument));
    }

    private int sizeBytes() {
        int bytes = (before.size() + behind.size()) * BYTES_AROUND;
        for (Command.Put put : puts) {
            bytes += put.key().bytes().length + put.envelope().sizeBytes() + BYTES_AROUND;
        }
        return bytes;
    }
}
