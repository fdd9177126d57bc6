// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static io.keyslot.client.codec.graph.JdkThrowables.parts;

import java.sql.BatchUpdateException;
import java.sql.DataTruncation;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exceptions of {@code java.sql}, apart from the others because their module may be missing. */
final class SqlThrowables {
    private SqlThrowables() {}

    static void add() {
        // The next exception is read before this one is made, so that no forged chain has an end in itself.
        JdkThrowables.add(
                SQLException.class,
                List.of(String.class, String.class, int.class),
                e -> parts(e.getMessage(), e.getSQLState(), e.getErrorCode(), e.getNextException()),
                4,
                (e, parts) -> setNext(e, parts[3]));
        JdkThrowables.add(
                BatchUpdateException.class,
                List.of(String.class, String.class, int.class, long[].class, Throwable.class),
                e -> parts(
                        e.getMessage(),
                        e.getSQLState(),
                        e.getErrorCode(),
                        e.getLargeUpdateCounts(),
                        e.getCause(),
                        e.getNextException()),
                6,
                (e, parts) -> setNext(e, parts[5]));
        JdkThrowables.add(
                DataTruncation.class,
                List.of(int.class, boolean.class, boolean.class, int.class, int.class, Throwable.class),
                e -> parts(
                        e.getIndex(),
                        e.getParameter(),
                        e.getRead(),
                        e.getDataSize(),
                        e.getTransferSize(),
                        e.getCause(),
                        e.getNextException()),
                7,
                (e, parts) -> setNext(e, parts[6]));
    }

    private static void setNext(SQLException e, @Nullable Object next) {
        if (next != null) {
            e.setNextException((SQLException) next);
        }
    }
}
