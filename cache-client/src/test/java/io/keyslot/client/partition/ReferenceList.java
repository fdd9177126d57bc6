// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.partition.ReferenceAggregate.oneIf;

import io.keyslot.client.stored.AggregateOperation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class ReferenceList implements ReferenceAggregate {
    private List<String> list = new ArrayList<>();

    @Override
    public @Nullable Object perform(AggregateOperation operation, List<String> arguments) {
        return switch (operation) {
            case LIST_GET -> firstOf(ReferenceAggregate.slice(list, arguments.get(0), arguments.get(0)));
            case LIST_RANGE -> ReferenceAggregate.slice(list, arguments.get(0), arguments.get(1));
            case LIST_SIZE -> (long) list.size();
            case LIST_ADD_FIRST -> {
                arguments.forEach(element -> list.add(0, element));
                yield (long) list.size();
            }
            case LIST_ADD_LAST -> {
                list.addAll(arguments);
                yield (long) list.size();
            }
            case LIST_POLL_FIRST -> list.isEmpty() ? null : list.remove(0);
            case LIST_POLL_LAST -> list.isEmpty() ? null : list.remove(list.size() - 1);
            case LIST_SET -> set(Integer.parseInt(arguments.get(0)), arguments.get(1));
            case LIST_REMOVE -> oneIf(list.remove(arguments.get(0)));
            case LIST_RETAIN -> {
                list = ReferenceAggregate.slice(list, arguments.get(0), arguments.get(1));
                yield null;
            }
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    private static @Nullable String firstOf(List<String> elements) {
        return elements.isEmpty() ? null : elements.get(0);
    }

    private long set(int index, String element) {
        int position = index < 0 ? list.size() + index : index;
        boolean isThere = position >= 0 && position < list.size();
        if (isThere) {
            list.set(position, element);
        }
        return oneIf(isThere);
    }

    @Override
    public List<String> elements() {
        return List.copyOf(list);
    }
}
