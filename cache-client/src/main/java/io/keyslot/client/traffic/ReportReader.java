// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** Reads what {@link ReportWriter} has written. Anybody may write where it is stored, so nothing in it is believed. */
final class ReportReader {
    private final ByteBuffer in;

    private ReportReader(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    /** Returns the report that these bytes are, empty if they are none, or more than one. */
    static <T> Optional<T> read(byte[] bytes, int most, Function<ReportReader, T> report) {
        if (bytes.length > most) {
            return Optional.empty();
        }
        ReportReader reader = new ReportReader(bytes);
        try {
            T read = report.apply(reader);
            return reader.in.hasRemaining() ? Optional.empty() : Optional.of(read);
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    byte format() {
        return in.get();
    }

    long number() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += ReportWriter.BITS) {
            int next = in.get();
            number |= (long) (next & (ReportWriter.MORE - 1)) << shift;
            if ((next & ReportWriter.MORE) == 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }

    /** Returns how many of something follow. */
    int count(int most) {
        long count = number();
        if (count < 0 || count > most) {
            throw new IllegalArgumentException("there are too many");
        }
        return (int) count;
    }

    String text() {
        byte[] bytes = new byte[count(in.remaining())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
