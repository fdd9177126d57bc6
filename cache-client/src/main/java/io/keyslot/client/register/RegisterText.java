// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.slot.PartitionId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The encoding of a {@link RegisterValue} that instances store: a line with the format and the SHA-256 of the rest, a
 * line for each part, an empty line, and the text of the register.
 */
public final class RegisterText {
    private static final String FORMAT = "keyslot-register 1 ";
    private static final int DIGITS = 64;
    private static final int LINES = 6;

    private static final KnownTexts<RegisterValue> KNOWN = new KnownTexts<>();

    private RegisterText() {}

    public static String of(RegisterValue value) {
        return KNOWN.textOf(value).orElseGet(() -> {
            String text = written(value);
            KNOWN.keep(text, value);
            return text;
        });
    }

    private static String written(RegisterValue value) {
        String body = "sequence " + value.sequence()
                + "\nversion " + value.version()
                + "\nelectors " + of(value.voters())
                + "\nprevious " + of(value.previous())
                + "\noperations "
                + value.operations().stream().map(RegisterText::of).collect(Collectors.joining(" "))
                + "\n\n" + value.text();
        return FORMAT + CanonicalJson.sha256(body) + "\n" + body;
    }

    private static String of(RegisterChange made) {
        String about = made.about().isEmpty() ? "" : "=" + URLEncoder.encode(made.about(), StandardCharsets.UTF_8);
        return made.id() + "=" + made.version() + about;
    }

    private static String of(Voters voters) {
        return voters.lives().entrySet().stream()
                .map(voter -> voter.getKey() + "=" + voter.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Decodes a value; the {@link IllegalArgumentException} of a malformed text never quotes it. */
    public static RegisterValue parse(String text) {
        return KNOWN.read(text, RegisterText::parsed);
    }

    private static RegisterValue parsed(String text) {
        int start = FORMAT.length() + DIGITS + 1;
        if (!text.startsWith(FORMAT)) {
            throw new IllegalArgumentException(
                    text.startsWith("keyslot-register ")
                            ? "the value of the register was written by a newer version of Keyslot; update this one"
                            : "what is stored is no value of a register");
        }
        if (text.length() < start
                || !text.substring(FORMAT.length(), start - 1).equals(CanonicalJson.sha256(text.substring(start)))) {
            throw new IllegalArgumentException("the value of the register is damaged: its sum is another one");
        }
        String[] lines = text.substring(start).split("\n", LINES + 1);
        if (lines.length != LINES + 1 && lines.length != LINES) {
            throw new IllegalArgumentException("the value of the register has not all its lines");
        }
        String body = text.substring(start);
        List<RegisterChange> operations = new ArrayList<>();
        for (String change : part(lines, 4, "operations").split(" ", -1)) {
            String[] parts = change.split("=", 3);
            if (parts.length > 1) {
                String about = parts.length > 2 ? URLDecoder.decode(parts[2], StandardCharsets.UTF_8) : "";
                operations.add(new RegisterChange(parts[0], Long.parseLong(parts[1]), about));
            }
        }
        return new RegisterValue(
                Long.parseLong(part(lines, 0, "sequence")),
                Long.parseLong(part(lines, 1, "version")),
                body.substring(body.indexOf("\n\n") + 2),
                voters(part(lines, 2, "electors")),
                voters(part(lines, 3, "previous")),
                operations);
    }

    private static String part(String[] lines, int index, String name) {
        String prefix = name + " ";
        if (!lines[index].startsWith(prefix)) {
            throw new IllegalArgumentException("the value of the register has no " + name);
        }
        return lines[index].substring(prefix.length());
    }

    private static Voters voters(String line) {
        Map<PartitionId, String> lives = new LinkedHashMap<>();
        for (String pair : line.split(" ", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.lastIndexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("the value of the register names an elector without a life");
                }
                lives.put(new PartitionId(pair.substring(0, equals)), pair.substring(equals + 1));
            }
        }
        return new Voters(lives);
    }
}
