// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One command, reply or push as it is on the wire. Immutable. */
final class RespFrame {
    private final byte[] bytes;
    private final char kind;
    private final List<String> words;

    private RespFrame(byte[] bytes, char kind, List<String> words) {
        this.bytes = bytes;
        this.kind = kind;
        this.words = List.copyOf(words);
    }

    /** Reads the next frame; null at the end of the stream. */
    static @Nullable RespFrame read(InputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        Reading reading = new Reading(in);
        reading.element(first);
        return new RespFrame(reading.bytes.toByteArray(), (char) first, reading.words);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    boolean isPush() {
        return kind == '>';
    }

    /** Returns the first word, in capital letters: the name of a command. */
    String name() {
        return words.isEmpty() ? "" : words.get(0).toUpperCase(Locale.ROOT);
    }

    /** Returns whether one of its words ends so. */
    boolean mentions(String text) {
        return words.stream().anyMatch(word -> word.contains(text));
    }

    @Override
    public String toString() {
        return kind + String.join(" ", words);
    }

    private static final class Reading {
        private final InputStream in;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<String> words = new ArrayList<>();

        Reading(InputStream in) {
            this.in = in;
        }

        private void element() throws IOException {
            element(byteOf(in.read()));
        }

        private void element(int type) throws IOException {
            bytes.write(type);
            String line = line();
            switch (type) {
                case '$', '=', '!' -> text(Integer.parseInt(line));
                case '*', '~', '>' -> elements(Integer.parseInt(line));
                case '%' -> elements(2 * Integer.parseInt(line));
                case '|' -> elements(2 * Integer.parseInt(line) + 1); // what it is about comes behind it
                default -> words.add(line);
            }
        }

        private void elements(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                element();
            }
        }

        private void text(int length) throws IOException {
            if (length < 0) {
                return;
            }
            byte[] text = in.readNBytes(length + 2);
            if (text.length < length + 2) {
                throw new EOFException("in the midst of a text");
            }
            bytes.writeBytes(text);
            words.add(new String(text, 0, length, StandardCharsets.ISO_8859_1));
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = byteOf(in.read()); next != '\n'; next = byteOf(in.read())) {
                bytes.write(next);
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            bytes.write('\n');
            return line.toString();
        }

        private static int byteOf(int read) throws EOFException {
            if (read < 0) {
                throw new EOFException("in the midst of a frame");
            }
            return read;
        }
    }
}
