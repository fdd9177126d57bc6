// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static io.keyslot.client.codec.graph.JdkValues.mutable;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;

/** The types of {@code java.sql}, apart from the others because their module may be missing. */
@SuppressWarnings("JavaUtilDate") // Obsolete classes are values, too.
final class SqlTimes {
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private SqlTimes() {}

    static void addTo(Table table) {
        mutable(
                table,
                16,
                Date.class,
                (to, v) -> to.writeVarLong(v.getTime(), false),
                from -> new Date(from.readVarLong(false)));
        mutable(
                table,
                17,
                Time.class,
                (to, v) -> to.writeVarLong(v.getTime(), false),
                from -> new Time(from.readVarLong(false)));
        mutable(
                table,
                18,
                Timestamp.class,
                (to, v) -> {
                    to.writeVarLong(v.getTime(), false);
                    to.writeVarInt(v.getNanos(), true);
                },
                SqlTimes::readTimestamp);
    }

    private static Timestamp readTimestamp(BoundedInput from) {
        Timestamp timestamp = new Timestamp(from.readVarLong(false));
        int nanos = from.readVarInt(true);
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw new KryoException("The nanoseconds of a timestamp are out of range");
        }
        timestamp.setNanos(nanos);
        return timestamp;
    }
}
