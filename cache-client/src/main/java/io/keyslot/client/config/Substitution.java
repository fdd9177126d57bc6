// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:default}</code> in a setting by environment variables, and
 * <code>${file:NAME}</code> by the content of a file; <code>$${</code> stands for <code>${</code>. Runs after
 * parsing, so the value of a variable or the content of a file cannot add settings.
 */
record Substitution(Function<String, @Nullable String> environment) {
    private static final String FILE = "file:";
    private static final long LARGEST_FILE = 16 << 10;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    // An escaped $${ is skipped as a whole, or its ${ would look like the start of a variable.
    private static final Pattern VARIABLE = Pattern.compile("\\$\\$\\{|\\$\\{[^}]*\\}");

    /** Replaces variables; throws if one is malformed, or has no value. */
    String resolve(String raw) throws BadValueException {
        return resolve(raw, UnaryOperator.identity());
    }

    /** Replaces variables, and applies {@code literal} to the text outside of them. */
    String resolve(String raw, UnaryOperator<String> literal) throws BadValueException {
        StringBuilder resolved = new StringBuilder();
        int from = 0;
        for (int open = raw.indexOf("${"); open >= 0; open = raw.indexOf("${", from)) {
            if (open > from && raw.charAt(open - 1) == '$') {
                resolved.append(literal.apply(raw.substring(from, open - 1))).append("${");
                from = open + 2;
            } else {
                int close = endOfVariable(raw, open);
                resolved.append(literal.apply(raw.substring(from, open)))
                        .append(valueOf(raw.substring(open + 2, close)));
                from = close + 1;
            }
        }
        return resolved.append(literal.apply(raw.substring(from))).toString();
    }

    private static int endOfVariable(String raw, int open) throws BadValueException {
        int close = raw.indexOf('}', open);
        if (close < 0) {
            throw new BadValueException("has a ${ without }: write $${ if no variable is meant");
        }
        return close;
    }

    private String valueOf(String variable) throws BadValueException {
        if (variable.startsWith(FILE)) {
            return contentOf(variable.substring(FILE.length()));
        }
        int colon = variable.indexOf(':');
        String name = colon < 0 ? variable : variable.substring(0, colon);
        // A message quotes only a valid name: after a stray ${ it could be part of a password.
        if (!NAME.matcher(name).matches()) {
            throw new BadValueException("has a ${…} that does not begin with the name of an environment variable");
        }
        if (variable.contains("${")) {
            throw new BadValueException("has a variable in the default of %s: give a plain default".formatted(name));
        }
        String value = environment.apply(name);
        if (value != null) {
            return value;
        }
        if (colon < 0) {
            throw new BadValueException(
                    "needs the environment variable %s, which is not set: set it, or write ${%s:default}"
                            .formatted(name, name));
        }
        return variable.substring(colon + 1);
    }

    /** Returns the text of a file without white space around it. */
    private static String contentOf(String file) throws BadValueException {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LARGEST_FILE) {
                throw new BadValueException(
                        "names the file %s, which is larger than 16 KiB: name one with only the value in it"
                                .formatted(file));
            }
            return Files.readString(path).strip();
        } catch (IOException | InvalidPathException e) {
            throw new BadValueException("names the file %s, which cannot be read (%s): create it, or correct the name"
                    .formatted(file, e.getClass().getSimpleName()));
        }
    }

    /** Returns the index of the first of the characters outside of variables, or -1. */
    static int indexOutside(String raw, String characters, int from) {
        Matcher variable = VARIABLE.matcher(raw);
        int index = from;
        while (index < raw.length()) {
            if (variable.region(index, raw.length()).lookingAt()) {
                index = variable.end();
            } else if (characters.indexOf(raw.charAt(index)) >= 0) {
                return index;
            } else {
                index++;
            }
        }
        return -1;
    }

    /** Splits the text at its commas outside of variables, and strips the pieces. */
    static List<String> split(String raw) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        for (int comma = indexOutside(raw, ",", 0); comma >= 0; comma = indexOutside(raw, ",", from)) {
            pieces.add(raw.substring(from, comma).strip());
            from = comma + 1;
        }
        pieces.add(raw.substring(from).strip());
        return pieces;
    }
}
