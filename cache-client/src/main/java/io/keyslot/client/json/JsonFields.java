// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object, or the items of an array, read by their expected types. Any other value is a problem, and
 * replaced by an empty one. Not thread-safe.
 */
public final class JsonFields {
    private final String path;
    private final Map<String, @Nullable Object> values;
    private final boolean isArray;
    private final JsonProblems problems;
    private final Set<String> asked = new HashSet<>();

    private JsonFields(String path, Map<String, @Nullable Object> values, boolean isArray, JsonProblems problems) {
        this.path = path;
        this.values = values;
        this.isArray = isArray;
        this.problems = problems;
    }

    public static JsonFields of(@Nullable Object document, JsonProblems problems) {
        return objectOf("", document, problems);
    }

    private static JsonFields objectOf(String path, @Nullable Object value, JsonProblems problems) {
        Map<String, @Nullable Object> fields = new TreeMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, field) -> fields.put((String) key, field));
        } else {
            problems.add(path.isEmpty() ? "the document" : path, "must be an object");
        }
        return new JsonFields(path, fields, false, problems);
    }

    private static JsonFields arrayOf(String path, @Nullable Object value, JsonProblems problems) {
        Map<String, @Nullable Object> items = new LinkedHashMap<>();
        if (value instanceof List<?> list) {
            for (int index = 0; index < list.size(); index++) {
                items.put(Integer.toString(index), list.get(index));
            }
        } else {
            problems.add(path, "must be an array");
        }
        return new JsonFields(path, items, true, problems);
    }

    public String path() {
        return path;
    }

    public String pathOf(String name) {
        if (isArray) {
            return path + "[" + name + "]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns whether there is a value; an optional field may have none. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the value; a missing one is a problem. */
    public @Nullable Object value(String name) {
        asked.add(name);
        if (!values.containsKey(name)) {
            problems.add(pathOf(name), "is missing");
        }
        return values.get(name);
    }

    public String text(String name) {
        Object value = value(name);
        if (value instanceof String text) {
            return text;
        }
        return wrong(name, "a text", "");
    }

    public @Nullable String textOrNull(String name) {
        return values.containsKey(name) && value(name) == null ? null : text(name);
    }

    /** Returns the constant whose name in lower case is the text; the first one after a problem. */
    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        String word = text(name);
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        return words.contains(word)
                ? type.getEnumConstants()[words.indexOf(word)]
                : wrong(name, "one of " + String.join(", ", words), type.getEnumConstants()[0]);
    }

    public boolean flag(String name) {
        Object value = value(name);
        if (value instanceof Boolean flag) {
            return flag;
        }
        return wrong(name, "true or false", false);
    }

    /** Returns a number within these bounds; the lower one after a problem. */
    public long number(String name, long least, long most) {
        Object value = value(name);
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        return wrong(name, "a number from %d to %d".formatted(least, most), least);
    }

    public JsonFields object(String name) {
        return objectOf(pathOf(name), value(name), problems);
    }

    /** Returns the items of an array as fields with the names 0, 1, 2 and so on. */
    public JsonFields array(String name) {
        return arrayOf(pathOf(name), value(name), problems);
    }

    public List<JsonFields> objects(String name) {
        return items(name, JsonFields::object);
    }

    public List<JsonFields> arrays(String name) {
        return items(name, JsonFields::array);
    }

    private List<JsonFields> items(String name, BiFunction<JsonFields, String, JsonFields> item) {
        JsonFields items = array(name);
        return items.values.keySet().stream()
                .map(index -> item.apply(items, index))
                .toList();
    }

    /** Returns the fields or items in their order, all of which are texts. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        values.keySet().forEach(name -> texts.put(name, text(name)));
        return texts;
    }

    /** Adds a problem for each field that was not read. */
    public void refuseOthers() {
        values.keySet().stream()
                .filter(name -> !asked.contains(name))
                .forEach(name -> problems.add(pathOf(name), "is not known"));
    }

    private <T> T wrong(String name, String expected, T instead) {
        if (values.containsKey(name)) {
            problems.add(pathOf(name), "must be " + expected);
        }
        return instead;
    }
}
