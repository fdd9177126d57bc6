// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.HttpRetryException;
import java.net.URISyntaxException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.UnmappableCharacterException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.text.ParseException;
import java.time.format.DateTimeParseException;
import java.util.DuplicateFormatFlagsException;
import java.util.FormatFlagsConversionMismatchException;
import java.util.HashMap;
import java.util.IllegalFormatCodePointException;
import java.util.IllegalFormatConversionException;
import java.util.IllegalFormatFlagsException;
import java.util.IllegalFormatPrecisionException;
import java.util.IllegalFormatWidthException;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Map;
import java.util.MissingFormatArgumentException;
import java.util.MissingFormatWidthException;
import java.util.MissingResourceException;
import java.util.UnknownFormatConversionException;
import java.util.UnknownFormatFlagsException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The exceptions of the JDK that have more than a message, and what they are made of. */
final class JdkThrowables {
    private static final Map<Class<?>, ThrowableParts<?>> BY_CLASS = new HashMap<>();

    static {
        addLanguage();
        addInput();
        addTexts();
        addFormats();
        // A runtime image may lack the module.
        if (ModuleLayer.boot().findModule("java.sql").isPresent()) {
            SqlThrowables.add();
        }
    }

    private JdkThrowables() {}

    static @Nullable ThrowableParts<?> of(Class<?> type) {
        return BY_CLASS.get(type);
    }

    private static void addLanguage() {
        add(
                EnumConstantNotPresentException.class,
                List.of(Class.class, String.class),
                e -> parts(e.enumType(), e.constantName()));
        add(
                TypeNotPresentException.class,
                List.of(String.class, Throwable.class),
                e -> parts(e.typeName(), e.getCause()));
        add(
                InvocationTargetException.class,
                List.of(Throwable.class, String.class),
                e -> parts(e.getTargetException(), e.getMessage()));
    }

    private static void addInput() {
        add(
                InterruptedIOException.class,
                List.of(String.class),
                e -> parts(e.getMessage(), e.bytesTransferred),
                2,
                (e, parts) -> e.bytesTransferred = parts[1] instanceof Integer count ? count : 0);
        add(
                HttpRetryException.class,
                List.of(String.class, int.class, String.class),
                e -> parts(e.getReason(), e.responseCode(), e.getLocation()));
        add(
                URISyntaxException.class,
                List.of(String.class, String.class, int.class),
                e -> parts(e.getInput(), e.getReason(), e.getIndex()));
        add(
                FileSystemException.class,
                List.of(String.class, String.class, String.class),
                e -> parts(e.getFile(), e.getOtherFile(), e.getReason()));
        add(
                InvalidPathException.class,
                List.of(String.class, String.class, int.class),
                e -> parts(e.getInput(), e.getReason(), e.getIndex()));
        add(UserPrincipalNotFoundException.class, List.of(String.class), e -> parts(e.getName()));
        add(IllegalCharsetNameException.class, List.of(String.class), e -> parts(e.getCharsetName()));
        add(UnsupportedCharsetException.class, List.of(String.class), e -> parts(e.getCharsetName()));
        add(MalformedInputException.class, List.of(int.class), e -> parts(e.getInputLength()));
        add(UnmappableCharacterException.class, List.of(int.class), e -> parts(e.getInputLength()));
    }

    private static void addTexts() {
        add(ParseException.class, List.of(String.class, int.class), e -> parts(e.getMessage(), e.getErrorOffset()));
        add(
                DateTimeParseException.class,
                List.of(String.class, CharSequence.class, int.class),
                e -> parts(e.getMessage(), e.getParsedString(), e.getErrorIndex()));
        add(
                PatternSyntaxException.class,
                List.of(String.class, String.class, int.class),
                e -> parts(e.getDescription(), e.getPattern(), e.getIndex()));
        add(
                MissingResourceException.class,
                List.of(String.class, String.class, String.class),
                e -> parts(e.getMessage(), e.getClassName(), e.getKey()));
        // The constructor with an index adds it to the message.
        add(
                IllformedLocaleException.class,
                List.of(String.class, int.class),
                e -> parts(withoutIndex(e), e.getErrorIndex()));
    }

    private static void addFormats() {
        add(DuplicateFormatFlagsException.class, List.of(String.class), e -> parts(e.getFlags()));
        add(
                FormatFlagsConversionMismatchException.class,
                List.of(String.class, char.class),
                e -> parts(e.getFlags(), e.getConversion()));
        add(IllegalFormatCodePointException.class, List.of(int.class), e -> parts(e.getCodePoint()));
        add(
                IllegalFormatConversionException.class,
                List.of(char.class, Class.class),
                e -> parts(e.getConversion(), e.getArgumentClass()));
        add(IllegalFormatFlagsException.class, List.of(String.class), e -> parts(e.getFlags()));
        add(IllegalFormatPrecisionException.class, List.of(int.class), e -> parts(e.getPrecision()));
        add(IllegalFormatWidthException.class, List.of(int.class), e -> parts(e.getWidth()));
        add(MissingFormatArgumentException.class, List.of(String.class), e -> parts(e.getFormatSpecifier()));
        add(MissingFormatWidthException.class, List.of(String.class), e -> parts(e.getFormatSpecifier()));
        add(UnknownFormatConversionException.class, List.of(String.class), e -> parts(e.getConversion()));
        add(UnknownFormatFlagsException.class, List.of(String.class), e -> parts(e.getFlags()));
    }

    private static @Nullable String withoutIndex(IllformedLocaleException e) {
        String suffix = " [at index " + e.getErrorIndex() + "]";
        String message = e.getMessage();
        return message != null && message.endsWith(suffix)
                ? message.substring(0, message.length() - suffix.length())
                : message;
    }

    /** Adds an exception that its constructor makes from its parts. */
    static <T extends Throwable> void add(
            Class<T> type, List<Class<?>> parameters, Function<T, @Nullable Object[]> parts) {
        add(type, parameters, parts, parameters.size(), (e, values) -> {});
    }

    /** Adds an exception that has {@code count} parts, of which some are set after it was made. */
    static <T extends Throwable> void add(
            Class<T> type,
            List<Class<?>> parameters,
            Function<T, @Nullable Object[]> parts,
            int count,
            BiConsumer<T, @Nullable Object[]> finish) {
        BY_CLASS.put(type, new ThrowableParts<>(type, parameters, parts, count, finish));
    }

    static @Nullable Object[] parts(@Nullable Object... values) {
        return values;
    }
}
