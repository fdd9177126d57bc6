// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A Redis command for an operation on an aggregate; the function maps the arguments after the key. */
record NativeCommand(How how, String name, boolean takesMemory, UnaryOperator<List<Element>> arguments) {
    /** Lua's {@code unpack} fails at 8,000. An even number, so that a field stays with its value. */
    static final int MAX_ARGUMENTS = 1_000;

    /** The effect of the command on the aggregate. */
    enum How {
        /** The command reads. */
        ASK("ask"),
        /** The command changes the aggregate. */
        DO("do"),
        /** The command changes the aggregate, unless its answer says that nothing changed. */
        SOME("some"),
        /** The command changes the aggregate if the list has the index. */
        INDEX("index"),
        /** The command changes the aggregate if that is possible. */
        ATTEMPT("attempt");

        private final String word;

        How(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static NativeCommand reading(String name) {
        return new NativeCommand(How.ASK, name, false, UnaryOperator.identity());
    }

    static NativeCommand growing(How how, String name) {
        return new NativeCommand(how, name, true, UnaryOperator.identity());
    }

    static NativeCommand shrinking(How how, String name) {
        return new NativeCommand(how, name, false, UnaryOperator.identity());
    }

    NativeCommand with(UnaryOperator<List<Element>> others) {
        return new NativeCommand(how, name, takesMemory, others);
    }

    /** Returns a copy that takes the first arguments of the operation, followed by further ones. */
    NativeCommand with(int count, String... further) {
        List<Element> words = Stream.of(further).map(Element::of).toList();
        return with(given -> join(given.subList(0, count), words));
    }

    static List<Element> join(List<Element> first, List<Element> second) {
        List<Element> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** Returns the arguments after the key: several lists if there are too many for one command. */
    List<List<Element>> argumentLists(List<Element> given) {
        List<Element> all = arguments.apply(given);
        List<List<Element>> lists = new ArrayList<>();
        int from = 0;
        do {
            lists.add(all.subList(from, Math.min(all.size(), from + MAX_ARGUMENTS)));
            from += MAX_ARGUMENTS;
        } while (from < all.size());
        return lists;
    }
}
