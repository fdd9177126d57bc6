// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.json.JsonReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether stored bytes can be read with the present classes, which may be of another version than those that wrote them.
 *
 * @param type the class of the value; as it is stored, or declared, if it cannot be read
 * @param defaults the fields that the bytes do not have and that have their default, as {@code com.acme.Customer.phone}
 * @param problem why it cannot be read, without content of the value; null if it can
 */
public record Inspection(
        String type, List<String> defaults, @Nullable String problem) {
    private static final String CHAIN = "(through reference chain: ";

    /** Inspects the bytes of one value, as the codec got them. Never throws because of them. */
    public static Inspection of(Codec<?> codec, String declared, ByteBuffer bytes) {
        ByteBuffer readable = ArrayCodec.withArray(bytes);
        byte[] array = readable.array();
        int offset = readable.arrayOffset() + readable.position();
        if (codec instanceof KryoCodec kryo) {
            return kryo.inspect(array, offset, readable.remaining(), declared);
        }
        try {
            Object value = codec.decode(readable.duplicate());
            List<String> defaults = codec instanceof JsonCodec json
                    ? missing(json, value, array, offset, readable.remaining())
                    : List.of();
            return new Inspection(value.getClass().getName(), defaults, null);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return new Inspection(declared, List.of(), problemOf(e));
        }
    }

    /** Returns the properties that the value has when it is written again, and had not when it was stored. */
    private static List<String> missing(JsonCodec codec, Object value, byte[] bytes, int offset, int length) {
        List<String> missing = new ArrayList<>();
        try {
            addMissing(
                    JsonReader.read(Arrays.copyOfRange(bytes, offset, offset + length)),
                    JsonReader.read(codec.encode(value, 0)),
                    value.getClass().getName(),
                    missing);
        } catch (RuntimeException e) {
            // The value was read. JsonReader refuses fractions, and methods of the application may throw.
            return List.of();
        }
        return missing;
    }

    private static void addMissing(@Nullable Object stored, @Nullable Object now, String path, List<String> missing) {
        if (stored instanceof Map<?, ?> before && now instanceof Map<?, ?> after) {
            after.forEach((name, value) -> {
                if (before.containsKey(name)) {
                    addMissing(before.get(name), value, path + "." + name, missing);
                } else {
                    missing.add(path + "." + name);
                }
            });
        } else if (stored instanceof List<?> before
                && now instanceof List<?> after
                && !before.isEmpty()
                && !after.isEmpty()) {
            addMissing(before.get(0), after.get(0), path + "[]", missing);
        }
    }

    /** Returns the reason, without messages of the application, which may quote the value. */
    static String problemOf(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof CodecException) && !(cause instanceof KryoException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        String thrower = cause.getStackTrace().length == 0 ? "" : cause.getStackTrace()[0].getClassName();
        if (cause instanceof CodecException || cause instanceof KryoException || isOfJdk(thrower)) {
            return message;
        }
        int chain = message.indexOf(CHAIN);
        if (thrower.contains(".jackson.")) {
            return message.replaceFirst("(?s)(: | from | through |\\n).*", "")
                    + (chain < 0
                            ? ""
                            : " " + message.substring(chain).replaceAll("(java\\.[\\w.]+)\\[\"[^\"]*\"\\]", "$1[*]"));
        }
        return cause.getClass().getName() + " at "
                + (cause.getStackTrace().length == 0 ? "an unknown place" : cause.getStackTrace()[0]);
    }

    private static boolean isOfJdk(String thrower) {
        return thrower.startsWith("java.")
                || thrower.startsWith("jdk.")
                || thrower.startsWith("com.esotericsoftware.")
                || thrower.startsWith("io.keyslot.");
    }
}
