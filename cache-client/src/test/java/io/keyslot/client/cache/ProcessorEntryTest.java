// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.keyslot.client.cache.ProcessorEntry.Effect;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessorEntryTest {
    enum Action {
        GET,
        SET,
        REMOVE,
        EXISTS;

        void on(ProcessorEntry<String, String> entry) {
            switch (this) {
                case GET -> entry.getValue();
                case SET -> entry.setValue("new");
                case REMOVE -> entry.remove();
                case EXISTS -> entry.exists();
            }
        }
    }

    private static ProcessorEntry<String, String> entry(@Nullable String present, @Nullable String loadable) {
        Supplier<@Nullable String> loading = () -> loadable;
        return new ProcessorEntry<>(
                "key", present, UnaryOperator.identity(), loadable == null ? null : loading, UnaryOperator.identity());
    }

    static Stream<Arguments> effects() {
        return Stream.of(
                arguments("present: nothing", "old", null, Effect.NONE, "old", List.of()),
                arguments("present: exists", "old", null, Effect.NONE, "old", List.of(Action.EXISTS)),
                arguments("present: get", "old", null, Effect.READ, "old", List.of(Action.GET)),
                arguments("present: set", "old", null, Effect.UPDATED, "new", List.of(Action.SET)),
                arguments("present: get, set", "old", null, Effect.UPDATED, "new", List.of(Action.GET, Action.SET)),
                arguments("present: set, get", "old", null, Effect.UPDATED, "new", List.of(Action.SET, Action.GET)),
                arguments("present: remove", "old", null, Effect.REMOVED, null, List.of(Action.REMOVE)),
                arguments(
                        "present: set, remove", "old", null, Effect.REMOVED, null, List.of(Action.SET, Action.REMOVE)),
                arguments(
                        "present: remove, set", "old", null, Effect.UPDATED, "new", List.of(Action.REMOVE, Action.SET)),
                arguments(
                        "present: remove, get",
                        "old",
                        "loaded",
                        Effect.REMOVED,
                        null,
                        List.of(Action.REMOVE, Action.GET)),
                arguments("present: get does not load", "old", "loaded", Effect.READ, "old", List.of(Action.GET)),
                arguments("absent: get", null, null, Effect.NONE, null, List.of(Action.GET)),
                arguments("absent: set", null, null, Effect.CREATED, "new", List.of(Action.SET)),
                arguments("absent: remove", null, null, Effect.REMOVED, null, List.of(Action.REMOVE)),
                arguments("absent: set, remove", null, null, Effect.NONE, null, List.of(Action.SET, Action.REMOVE)),
                arguments("absent: remove, set", null, null, Effect.CREATED, "new", List.of(Action.REMOVE, Action.SET)),
                arguments("loadable: exists", null, "loaded", Effect.NONE, null, List.of(Action.EXISTS)),
                arguments("loadable: get", null, "loaded", Effect.LOADED, "loaded", List.of(Action.GET)),
                arguments(
                        "loadable: get, get", null, "loaded", Effect.LOADED, "loaded", List.of(Action.GET, Action.GET)),
                arguments("loadable: get, set", null, "loaded", Effect.CREATED, "new", List.of(Action.GET, Action.SET)),
                arguments(
                        "loadable: get, remove",
                        null,
                        "loaded",
                        Effect.NONE,
                        null,
                        List.of(Action.GET, Action.REMOVE)));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("effects")
    void effect_isWhatRemains(
            String name,
            @Nullable String present,
            @Nullable String loadable,
            Effect effect,
            @Nullable String value,
            List<Action> actions) {
        ProcessorEntry<String, String> entry = entry(present, loadable);

        actions.forEach(action -> action.on(entry));

        assertThat(entry.effect()).as(name).isEqualTo(effect);
        assertThat(entry.exists()).isEqualTo(value != null);
        if (value != null) {
            assertThat(entry.newValue()).isEqualTo(value);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the test's subject
    void setValue_refusesNull() {
        assertThatThrownBy(() -> entry("old", null).setValue(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void entry_unwrapsToItself() {
        ProcessorEntry<String, String> entry = entry("old", null);

        assertThat(entry.unwrap(ProcessorEntry.class)).isSameAs(entry);
        assertThat(entry.getKey()).isEqualTo("key");
        assertThatThrownBy(() -> entry.unwrap(Integer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ProcessorEntry does not unwrap to java.lang.Integer");
    }
}
