// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the log says from now on. It is printed all the same. One at a time in a process. */
final class LogLines implements AutoCloseable {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

    LogLines() {
        System.setErr(new PrintStream(new Both(), true, StandardCharsets.UTF_8));
    }

    private final class Both extends OutputStream {
        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            lines.write(bytes, from, length);
            before.write(bytes, from, length);
        }
    }

    /** Returns those in which this text is. */
    List<String> with(String text) {
        return lines.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
