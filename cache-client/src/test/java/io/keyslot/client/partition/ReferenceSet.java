// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.partition.ReferenceAggregate.oneIf;

import io.keyslot.client.stored.AggregateOperation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

final class ReferenceSet implements ReferenceAggregate {
    private final Set<String> set = new TreeSet<>();

    @Override
    public Object perform(AggregateOperation operation, List<String> arguments) {
        int before = set.size();
        return switch (operation) {
            case SET_CONTAINS -> oneIf(set.contains(arguments.get(0)));
            case SET_SIZE -> (long) before;
            case SET_GET_ALL -> elements();
            case SET_ADD -> {
                set.addAll(arguments);
                yield (long) set.size() - before;
            }
            case SET_REMOVE -> {
                arguments.forEach(set::remove);
                yield (long) before - set.size();
            }
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    @Override
    public List<String> elements() {
        return List.copyOf(set);
    }
}
