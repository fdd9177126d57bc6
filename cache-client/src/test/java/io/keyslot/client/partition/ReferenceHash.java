// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.partition.ReferenceAggregate.oneIf;

import io.keyslot.client.stored.AggregateOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

final class ReferenceHash implements ReferenceAggregate {
    private final Map<String, String> map = new TreeMap<>();

    @Override
    public @Nullable Object perform(AggregateOperation operation, List<String> arguments) {
        String field = arguments.isEmpty() ? "" : arguments.get(0);
        return switch (operation) {
            case HASH_GET -> map.get(field);
            case HASH_GET_MANY -> valuesOf(arguments);
            case HASH_GET_ALL -> elements();
            case HASH_FIELDS -> new ArrayList<>(map.keySet());
            case HASH_CONTAINS -> oneIf(map.containsKey(field));
            case HASH_SIZE -> (long) map.size();
            case HASH_PUT -> map.put(field, arguments.get(1));
            case HASH_PUT_MANY -> putMany(arguments);
            case HASH_PUT_IF_ABSENT -> oneIf(map.putIfAbsent(field, arguments.get(1)) == null);
            case HASH_REMOVE -> map.remove(field);
            case HASH_REMOVE_MANY -> removeMany(arguments);
            case HASH_INCREMENT -> increment(field, arguments.get(1));
            case HASH_INCREMENT_BY_DOUBLE -> incrementByDouble(field, Double.parseDouble(arguments.get(1)));
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    private List<@Nullable String> valuesOf(List<String> fields) {
        List<@Nullable String> values = new ArrayList<>();
        fields.forEach(field -> values.add(map.get(field)));
        return values;
    }

    private long putMany(List<String> pairs) {
        long count = 0;
        for (int i = 0; i < pairs.size(); i += 2) {
            count += oneIf(map.put(pairs.get(i), pairs.get(i + 1)) == null);
        }
        return count;
    }

    private long removeMany(List<String> fields) {
        long count = 0;
        for (String field : fields) {
            count += oneIf(map.remove(field) != null);
        }
        return count;
    }

    private String increment(String field, String delta) {
        String sum = ReferenceCounter.sum(map.getOrDefault(field, "0"), delta);
        map.put(field, sum);
        return sum;
    }

    private String incrementByDouble(String field, double delta) {
        String present = map.getOrDefault(field, "0");
        if (!present.matches("-?[0-9.]+")) {
            throw new ArithmeticException();
        }
        // All numbers of these tests are multiples of a quarter: their sums are exact.
        double sum = Double.parseDouble(present) + delta;
        String text = sum == Math.rint(sum) ? Long.toString((long) sum) : Double.toString(sum);
        map.put(field, text);
        return text;
    }

    @Override
    public List<String> elements() {
        List<String> elements = new ArrayList<>();
        map.forEach((field, value) -> elements.addAll(List.of(field, value)));
        return elements;
    }
}
