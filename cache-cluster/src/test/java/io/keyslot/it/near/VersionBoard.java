// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * From when on each version of a value was not the newest any more, and everybody could know: the write of the next one was
 * acknowledged. It is a file that processes of one machine share, so it costs a reader as much as an array.
 *
 * <p>The value of a key is a version, a number that grows by one with each write, and a key has one writer at a time. Times are
 * of {@code System.nanoTime}, which is one clock for all processes of a machine on Linux.
 */
final class VersionBoard implements AutoCloseable {
    /** The newest versions of a key that are remembered. */
    private static final int REMEMBERED = 1 << 10;

    private static final int PLACE = 2 * Long.BYTES;
    private static final long CHANGING = -1;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final FileChannel file;
    private final MappedByteBuffer places;
    private final int keys;

    private VersionBoard(FileChannel file, int keys) throws IOException {
        this.file = file;
        this.keys = keys;
        this.places = file.map(FileChannel.MapMode.READ_WRITE, 0, (long) keys * REMEMBERED * PLACE);
    }

    static VersionBoard open(Path path, int keys) throws IOException {
        return new VersionBoard(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                keys);
    }

    int keys() {
        return keys;
    }

    /** By now, nobody may take this version for the newest one of the key. Versions end in their order, from 1 on. */
    void ended(int key, long version, long nanos) {
        int place = place(key, version);
        LONG.setVolatile(places, place, CHANGING);
        LONG.setVolatile(places, place + Long.BYTES, nanos);
        LONG.setVolatile(places, place, version);
    }

    /** Returns for how long this version had not been the newest when a read of it began; 0 if it still was. */
    long age(int key, long version, long readBegin) {
        int place = place(key, version);
        while (true) {
            long found = (long) LONG.getVolatile(places, place);
            long end = (long) LONG.getVolatile(places, place + Long.BYTES);
            if (found != CHANGING && found == (long) LONG.getVolatile(places, place)) {
                // A later version of the same place has ended: this one had done so long before.
                return found < version ? 0 : Math.max(0, readBegin - end);
            }
            Thread.onSpinWait();
        }
    }

    private int place(int key, long version) {
        return (key * REMEMBERED + (int) (version % REMEMBERED)) * PLACE;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
