// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A command of Redis that does an operation on an aggregate, or a part of one.
 *
 * @param how what {@code group.lua} makes of it
 * @param name as in the documentation of Redis
 * @param takesMemory whether a full server refuses it
 * @param arguments from the operation's arguments to those behind the key
 */
record NativeCommand(How how, String name, boolean takesMemory, UnaryOperator<List<Element>> arguments) {
    /** {@code unpack} of Lua fails at 8,000. An even number, so that a field stays with its value. */
    static final int MAX_ARGUMENTS = 1_000;

    /** What becomes of the aggregate. */
    enum How {
        /** Nothing: the command reads. */
        ASK("ask"),
        /** It is changed. */
        DO("do"),
        /** It is changed, unless the command answers that there was nothing to change. */
        SOME("some"),
        /** It is changed if the list has the index. */
        INDEX("index"),
        /** It is changed if that is possible. */
        ATTEMPT("attempt");

        private final String word;

        How(String word) {
            this.word = word;
        }

        /** Returns what the script calls it. */
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

    /** Returns the same with other arguments. */
    NativeCommand with(UnaryOperator<List<Element>> others) {
        return new NativeCommand(how, name, takesMemory, others);
    }

    /** Returns the same with the first so many of the operation's arguments, and further ones. */
    NativeCommand with(int count, String... further) {
        List<Element> words = Stream.of(further).map(Element::of).toList();
        return with(given -> join(given.subList(0, count), words));
    }

    static List<Element> join(List<Element> first, List<Element> second) {
        List<Element> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** Returns the arguments behind the key: several lists if there are too many of them for one command. */
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
