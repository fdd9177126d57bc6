// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.read.ConfigNode.Text;
import java.util.Optional;

/** Converts nodes into values, and reports those that it cannot read. Not thread-safe. */
final class ValueReader {
    private final Problems problems;
    private final Substitution substitution;

    ValueReader(Problems problems, Substitution substitution) {
        this.problems = problems;
        this.substitution = substitution;
    }

    Problems problems() {
        return problems;
    }

    Substitution substitution() {
        return substitution;
    }

    <T> Optional<T> read(String path, ConfigNode node, ValueType<T> type) {
        if (!(node instanceof Text text)) {
            problems.add(node.where(), "%s is %s, %s".formatted(path, node.kind(), type.rule()));
            return Optional.empty();
        }
        return resolve(path, text).flatMap(resolved -> {
            Optional<T> value = type.parse(resolved);
            if (value.isEmpty()) {
                // The message quotes the text, not the value of a variable, which may be a misplaced password.
                problems.add(node.where(), "%s is %s, %s".formatted(path, Shown.quoted(text.raw()), type.rule()));
            }
            return value;
        });
    }

    Optional<String> resolve(String path, Text text) {
        try {
            return Optional.of(substitution.resolve(text.raw()));
        } catch (BadValueException e) {
            problems.add(text.where(), path + " " + e.predicate());
            return Optional.empty();
        }
    }
}
